import { meAtom, store } from '#web/session.ts'
import { type AppliedDefaults, defaultsToApply } from './account-defaults.ts'
import { foldedAtom } from './atoms.ts'
import { themeAtom } from './theme.ts'

const storageKey = 'appliedDefaults'
/** Applies the theme and the menu that the account prefers, on every device where it signs in. */
export function followAccountDefaults(): void {
  const apply = () => {
    const me = store.get(meAtom)
    if (!me) return
    const applied = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as AppliedDefaults | null
    const chosen = { theme: localStorage.getItem('preferredTheme') !== null, menu: localStorage.getItem('menuFolded') !== null }
    const { theme, menu } = defaultsToApply(me, applied, chosen)
    if (theme) store.set(themeAtom, me.defaultTheme)
    if (menu) store.set(foldedAtom, me.defaultMenu === 'closed')
    const { id, defaultTheme, defaultMenu } = me
    localStorage.setItem(storageKey, JSON.stringify({ id, defaultTheme, defaultMenu }))
  }
  store.sub(meAtom, apply)
  apply()
}

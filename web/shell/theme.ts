import { atom } from 'jotai'

export type Theme = 'light' | 'dark'
const kept = 'preferredTheme'

function show(theme: Theme): void {
  const root = document.documentElement
  root.dataset.theme = theme
  root.classList.toggle('bp6-dark', theme === 'dark')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'dark' ? '#16191e' : '#ffffff')
}

const chosen = atom<Theme>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')
/** Saved on each change (R-LAYOUT-07); until one is chosen, what the system prefers. */
export const themeAtom = atom(
  (get) => get(chosen),
  (_, set, theme: Theme) => {
    localStorage.setItem(kept, theme)
    show(theme)
    set(chosen, theme)
  },
)
show(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

/** The company's colour, once branding has a call for it; the defaults stand in theme.css. */
export function brand(colours: { light?: string; dark?: string }): void {
  const { style } = document.documentElement
  if (colours.light) style.setProperty('--accent-light', colours.light)
  if (colours.dark) style.setProperty('--accent-dark', colours.dark)
}

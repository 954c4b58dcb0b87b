import { Button } from '@blueprintjs/core'
import { Flash, Moon, Translate } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { languageNames, useLanguage, useWords } from '#web/i18n.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { themeAtom } from './theme.ts'
import { shellWords } from './words.ts'

export function LanguageMenu() {
  const t = useWords(shellWords)
  const now = useLanguage()
  return (
    <MenuButton
      menu={async () => (await import('./Languages.tsx')).Languages}
      button={
        <Button variant="minimal" icon={<Translate />} aria-label={`${t('language')}: ${languageNames[now]}`} title={t('language')} />
      }
    />
  )
}

export function ThemeSwitch() {
  const t = useWords(shellWords)
  const [theme, setTheme] = useAtom(themeAtom)
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Button
      variant="minimal"
      icon={theme === 'dark' ? <Flash /> : <Moon />}
      aria-label={t(other)}
      title={t(other)}
      onClick={() => setTheme(other)}
    />
  )
}

import { Button } from '@blueprintjs/core'
import { Flash, Moon, Translate } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { languageNames, useLanguage, useWords } from '#web/i18n.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { themeAtom } from './theme.ts'
import { shellWords } from './words.ts'

export function LanguageMenu() {
  const say = useWords(shellWords)
  const now = useLanguage()
  return (
    <MenuButton
      menu={async () => (await import('./Languages.tsx')).Languages}
      button={
        <Button variant="minimal" icon={<Translate />} aria-label={`${say('language')}: ${languageNames[now]}`} title={say('language')} />
      }
    />
  )
}

export function ThemeSwitch() {
  const say = useWords(shellWords)
  const [theme, choose] = useAtom(themeAtom)
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Button
      variant="minimal"
      icon={theme === 'dark' ? <Flash /> : <Moon />}
      aria-label={say(other)}
      title={say(other)}
      onClick={() => choose(other)}
    />
  )
}

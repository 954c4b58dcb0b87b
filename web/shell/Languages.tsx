import { Menu, MenuItem } from '@blueprintjs/core'
import { Tick } from '@blueprintjs/icons'
import { languageNames, languages, useLanguage } from '#web/i18n.ts'
import { chooseLanguage } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'

export function Languages() {
  const now = useLanguage()
  const act = useAsyncAction()
  return (
    <Menu>
      {languages.map((language) => (
        <MenuItem
          key={language}
          text={languageNames[language]}
          lang={language}
          {...(language === now && { labelElement: <Tick /> })}
          onClick={() => void act(() => chooseLanguage(language))()}
        />
      ))}
    </Menu>
  )
}

import { Menu, MenuItem } from '@blueprintjs/core'
import { plan } from '#domain/access.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { connectionWords } from './words.ts'

/** Which channel the new connection is of; one that cannot be had says why. */
export function NewConnection({ onWhatsApp, onCloud }: { onWhatsApp: () => void; onCloud: () => void }) {
  const say = useWords(connectionWords)
  const viewer = useViewer()
  const lacks = (flag: 'useWhatsapp' | 'useFacebook' | 'useInstagram') => plan(flag)(viewer) !== null
  return (
    <Menu>
      <MenuItem
        text="WhatsApp"
        disabled={lacks('useWhatsapp')}
        {...(lacks('useWhatsapp') && { label: say('noPlan') })}
        onClick={onWhatsApp}
      />
      <MenuItem
        text="WhatsApp API"
        disabled={lacks('useWhatsapp')}
        {...(lacks('useWhatsapp') && { label: say('noPlan') })}
        onClick={onCloud}
      />
      <MenuItem text="Facebook" disabled label={say(lacks('useFacebook') ? 'noPlan' : 'later')} />
      <MenuItem text="Instagram" disabled label={say(lacks('useInstagram') ? 'noPlan' : 'later')} />
    </Menu>
  )
}

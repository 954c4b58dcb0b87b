import { Menu, MenuItem } from '@blueprintjs/core'
import { plan } from '#domain/access.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { goToMeta } from './metaLogin.ts'
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
      {(['Facebook', 'Instagram'] as const).map((name) => (
        <MenuItem
          key={name}
          text={name}
          disabled={lacks(`use${name}`)}
          {...(lacks(`use${name}`) && { label: say('noPlan') })}
          onClick={() => void goToMeta().catch(toastFailure)}
        />
      ))}
    </Menu>
  )
}

import { Menu, MenuItem } from '@blueprintjs/core'
import { plan } from '#domain/access.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import type { NewProvider } from './list.ts'
import { goToMeta } from './metaLogin.ts'
import { connectionWords } from './words.ts'

/**
 * Chooses the channel of a new connection, real numbers first. An unavailable one shows its reason. `there`:
 * available providers.
 */
export function NewConnection({ there, onBegin }: { there: string[]; onBegin: (by: NewProvider) => void }) {
  const t = useWords(connectionWords)
  const viewer = useViewer()
  const lacks = (flag: 'useWhatsapp' | 'useFacebook' | 'useInstagram') => plan(flag)(viewer) !== null
  const none = lacks('useWhatsapp')
  const off = none || !there.includes('beta')
  return (
    <Menu>
      <MenuItem text="WhatsApp" disabled={off} label={t(none ? 'noPlan' : off ? 'notHere' : 'byCode')} onClick={() => onBegin('beta')} />
      <MenuItem text="WhatsApp API" disabled={none} {...(none && { label: t('noPlan') })} onClick={() => onBegin('cloud')} />
      {(['Facebook', 'Instagram'] as const).map((name) => (
        <MenuItem
          key={name}
          text={name}
          disabled={lacks(`use${name}`)}
          {...(lacks(`use${name}`) && { label: t('noPlan') })}
          onClick={() => void goToMeta(name === 'Facebook' ? 'page' : 'instagram').catch(toastFailure)}
        />
      ))}
      {there.includes('sandbox') && (
        <MenuItem text={t('practice')} disabled={none} label={t(none ? 'noPlan' : 'simulated')} onClick={() => onBegin('sandbox')} />
      )}
    </Menu>
  )
}

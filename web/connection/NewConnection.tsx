import { Menu, MenuItem } from '@blueprintjs/core'
import { plan } from '#domain/access.ts'
import {
  channelNames,
  channelOfProvider,
  channels,
  loginProductOf,
  type Provider,
  providerNames,
  providers,
} from '#domain/channel/channels.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { goToMeta } from './metaLogin.ts'
import { connectionWords } from './words.ts'

/**
 * Chooses the channel of a new connection, real ones first. An unavailable one shows its reason. `there`:
 * available providers.
 */
export function NewConnection({ there, onBegin }: { there: string[]; onBegin: (by: Provider) => void }) {
  const t = useWords(connectionWords)
  const viewer = useViewer()
  const simulated = providerNames.filter((name) => providers[name].simulated && there.includes(name))
  return (
    <Menu>
      {channelNames.map((channel) => {
        const { name, provider, planFlag } = channels[channel]
        const product = loginProductOf(channel)
        const refusal = plan(planFlag)(viewer) ? 'noPlan' : there.includes(provider) ? null : 'notHere'
        const hint = refusal ?? (providers[provider].setup === 'code' ? 'byCode' : null)
        return (
          <MenuItem
            key={channel}
            text={name}
            disabled={refusal !== null}
            {...(hint && { label: t(hint) })}
            onClick={() => (product ? void goToMeta(product).catch(toastFailure) : onBegin(provider))}
          />
        )
      })}
      {simulated.map((provider) => {
        const noPlan = plan(channels[channelOfProvider(provider)].planFlag)(viewer) !== null
        return (
          <MenuItem
            key={provider}
            text={t('practice')}
            disabled={noPlan}
            label={t(noPlan ? 'noPlan' : 'simulated')}
            onClick={() => onBegin(provider)}
          />
        )
      })}
    </Menu>
  )
}

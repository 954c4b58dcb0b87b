import { AnchorButton } from '@blueprintjs/core'
import { Pulse } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { trafficWords } from './words.ts'

/** Links to the state and history of a connection. */
export function HealthLink({ of: { id, name } }: { of: { id: number; name: string } }) {
  const t = useWords(trafficWords)
  const label = t('healthOf', { name })
  return <AnchorButton variant="minimal" icon={<Pulse />} aria-label={label} title={label} href={`/connections/${id}/health`} />
}

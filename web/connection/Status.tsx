import { Tag } from '@blueprintjs/core'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { statusWords } from './words.ts'

const intents = {
  CONNECTED: 'success',
  DISCONNECTED: 'danger',
  TIMEOUT: 'danger',
  qrcode: 'warning',
  PAIRING: 'warning',
  OPENING: 'primary',
} as const

/** How a connection stands (R-CONN-01). */
export function Status({ of: status }: { of: ConnectionRow['status'] }) {
  const say = useWords(statusWords)
  return (
    <Tag minimal intent={intents[status]} data-status={status}>
      {say(status)}
    </Tag>
  )
}

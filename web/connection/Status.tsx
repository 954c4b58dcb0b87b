import { Tag } from '@blueprintjs/core'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { isOutage } from '#domain/connection/rules.ts'
import { useWords } from '#web/i18n.ts'
import { outageWords, statusWords } from './words.ts'

const intents = {
  CONNECTED: 'success',
  DISCONNECTED: 'danger',
  TIMEOUT: 'danger',
  qrcode: 'warning',
  PAIRING: 'warning',
  OPENING: 'primary',
} as const

/** How a connection stands, and why (R-CONN-01). */
export function Status({ of: { status, reason, silentSince } }: { of: Pick<ConnectionRow, 'status' | 'reason' | 'silentSince'> }) {
  const say = useWords(statusWords)
  const sayWhy = useWords(outageWords)
  const why = silentSince ? 'SILENT' : reason
  return (
    <>
      <Tag minimal intent={silentSince ? 'danger' : intents[status]} data-status={silentSince ? 'silent' : status}>
        {silentSince ? say('silent') : say(status)}
      </Tag>
      {why && <small> {isOutage(why) ? sayWhy(why) : why}</small>}
    </>
  )
}

import { Tag } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { endsSoon, isOutage } from '#domain/connection/rules.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useSettings } from '#web/session.ts'
import { date } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'
import { missedIn } from './missed.ts'
import { outageWords } from './outage-words.ts'
import { statusWords } from './words.ts'

const intents = {
  CONNECTED: 'success',
  DISCONNECTED: 'danger',
  TIMEOUT: 'danger',
  qrcode: 'warning',
  PAIRING: 'warning',
  OPENING: 'primary',
} as const

/** The state of a connection and its reason (R-CONN-01). */
type Of = Pick<ConnectionRow, 'status' | 'reason' | 'silentSince' | 'unleasedSince'> &
  Partial<Pick<ConnectionRow, 'tokenExpiresAt' | 'todo' | 'missedFrom' | 'missedTo'>>
export function Status({
  of: { status, reason, silentSince, unleasedSince, tokenExpiresAt = null, todo = null, missedFrom = null, missedTo = null },
}: {
  of: Of
}) {
  const tCloud = useWords(cloudWords)
  const language = useLanguage()
  const soon = endsSoon({ tokenExpiresAt }, useAtomValue(nowAtom))
  const t = useWords(statusWords)
  const tOutage = useWords(outageWords)
  const missed = missedIn({ missedFrom, missedTo }, language)
  const { restoredFrom } = useSettings()
  const why = silentSince ? 'SILENT' : reason
  const unserved = restoredFrom !== '' ? 'held' : unleasedSince ? 'unleased' : null
  if (unserved)
    return (
      <>
        <Tag minimal intent={unserved === 'held' ? 'warning' : 'danger'} data-status={unserved}>
          {t(unserved)}
        </Tag>
        <small> {t(`${unserved}Hint`)}</small>
      </>
    )
  return (
    <>
      <Tag minimal intent={silentSince ? 'danger' : intents[status]} data-status={silentSince ? 'silent' : status}>
        {silentSince ? t('silent') : t(status)}
      </Tag>
      {soon && tokenExpiresAt && (
        <Tag minimal intent="warning">
          {tCloud('ends', { at: date(tokenExpiresAt, language) })}
        </Tag>
      )}
      {todo && status === 'CONNECTED' && (
        <>
          {' '}
          <Tag minimal intent="warning" data-part="todo">
            {tCloud('hookMissing')}
          </Tag>
          <small> {tCloud('hookMissingHint')}</small>
        </>
      )}
      {why && <small> {isOutage(why) ? tOutage(why) : why}</small>}
      {missed && status === 'CONNECTED' && (
        <small className={css.missed} data-part="missed">
          {missed}
        </small>
      )}
    </>
  )
}

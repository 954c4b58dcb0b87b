import { Callout, Tag } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { useWords } from '#web/i18n.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { sessionWords } from './session-words.ts'

/** Warns in the list that agents of queues do not see tickets of this connection. */
export function NoQueues({ of: { hasQueues } }: { of: Pick<ConnectionRow, 'hasQueues'> }) {
  const t = useWords(sessionWords)
  if (hasQueues) return null
  return (
    <Tag minimal intent="warning" title={t('noQueues')} data-part="no-queues">
      {t('noQueuesHere')}
    </Tag>
  )
}

/** The same warning beside the queue field, with a link to create the first queue. */
export function NoneChosen() {
  const t = useWords(sessionWords)
  const known = useAtomValue(queueChoices.state) === 'ready'
  const none = useAtomValue(queueChoices.all).length === 0 && known
  return (
    <Callout compact intent="warning">
      {t(none ? 'noQueueYet' : 'noQueues')} {none && <Link href="/queues">{t('toQueues')}</Link>}
    </Callout>
  )
}

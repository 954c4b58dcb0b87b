import { sql } from 'kysely'
import type { OutboxRow } from '#projections/database.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, executeForRow, fail, recordOutcome } from './outbox.ts'

type FailureDeps = Pick<Deps, 'db' | 'execute' | 'logger'>
/** Internal faults, over some minutes, after which a row no longer delays the later ones. */
const mostFaults = 20

/** Counts an internal fault of an outbox row. After too many the message is marked as failed, or as uncertain if a send was attempted. */
export async function recordFault(row: OutboxRow, { db, execute, logger }: FailureDeps): Promise<void> {
  const counted = db.updateTable('outbox').set({ faults: sql<number>`faults + 1` }).where('n', '=', row.n)
  const now = await counted.where('state', '=', 'waiting').returning(['faults', 'attempts']).executeTakeFirst()
  if (!now || now.faults < mostFaults) return
  const { kind, messageId } = row
  logger.error({ kind, messageId }, 'Outbox row abandoned after repeated faults')
  const began = now.attempts > 0
  if (kind === 'send')
    await executeForRow(row, began ? { type: 'Doubt', messageId } : { type: 'Fail', messageId, code: 'ERR_SENDING_WAPP_MSG' }, 'given-up', {
      execute,
    }).catch((error: unknown) => {
      if (isTransient(error)) throw error // a ticket that accepts no command must not block the others
    })
  await recordOutcome(row, kind === 'send' && began ? 'uncertain' : 'failed', { db })
}

/** Fails the waiting outbox rows of deleted connections, which no worker leases. An error of one row does not stop the others. */
export async function failAbandoned(deps: FailureDeps): Promise<void> {
  const { rows } = await sql<OutboxRow>`
    select * from outbox o where state = 'waiting' and not exists (select from connection c where c.id = o.connection_id)
    order by n limit 1000`.execute(deps.db)
  for (const row of rows)
    await (row.kind === 'send' ? fail(row, deps) : recordOutcome(row, 'failed', deps)).catch((error) =>
      deps.logger.warn({ err: error, messageId: row.messageId }, 'Abandoned outbound message could not be marked as failed'),
    )
}

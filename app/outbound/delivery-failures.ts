import { sql } from 'kysely'
import type { OutboxRow } from '#projections/database.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { type Deps, fail, say, settle } from './outbox.ts'

type Telling = Pick<Deps, 'db' | 'execute' | 'logger'>
/** So many faults of ours, some minutes: what is behind it waits no longer. */
const mostFaults = 20

/** What leaves was kept from it by a fault that waiting does not mend. After many it is said not to have left, or that nobody knows. */
export async function faulted(row: OutboxRow, { db, execute, logger }: Telling): Promise<void> {
  const counted = db.updateTable('outbox').set({ faults: sql<number>`faults + 1` }).where('n', '=', row.n)
  const now = await counted.where('state', '=', 'waiting').returning(['faults', 'attempts']).executeTakeFirst()
  if (!now || now.faults < mostFaults) return
  const { kind, messageId } = row
  logger.error({ kind, messageId }, 'what was to leave was given up')
  const began = now.attempts > 0
  if (kind === 'send')
    await say(row, began ? { type: 'Doubt', messageId } : { type: 'Fail', messageId, code: 'ERR_SENDING_WAPP_MSG' }, 'given-up', {
      execute,
    }).catch((error: unknown) => {
      if (isTransient(error)) throw error // else its ticket can be told nothing, and holds nobody for that
    })
  await settle(row, kind === 'send' && began ? 'uncertain' : 'failed', { db })
}

/** What was to leave by a connection that is no more, which nobody holds; none holds up another. */
export async function failAbandoned(deps: Telling): Promise<void> {
  const { rows } = await sql<OutboxRow>`
    select * from outbox o where state = 'waiting' and not exists (select from connection c where c.id = o.connection_id)
    order by n limit 1000`.execute(deps.db)
  for (const row of rows)
    await (row.kind === 'send' ? fail(row, deps) : settle(row, 'failed', deps)).catch((error) =>
      deps.logger.warn({ err: error, messageId: row.messageId }, 'what leaves no more could not be said to have failed'),
    )
}

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/writing.ts'
import type { Heard, Identity } from './channel.ts'

export type Entry = { companyId: number; connectionId: number; externalId: string; conversation: string; heard: Heard }

/** What cannot be read yet stands under an id of its own, so that what it says can come under that of the message. */
export const placeholder = ':undecryptable'
/** The id of what is taken down: of a message the provider's. */
export const idOf = ({ externalId, heard }: Pick<Entry, 'externalId' | 'heard'>) =>
  heard.type === 'message' && heard.undecryptable ? `${externalId}${placeholder}` : externalId

/** Takes down what a provider said, before anything is confirmed to it. Each id once; answers which of them are new. Then `awaken`. */
export async function takeDown(db: Kysely<Database> | Transaction<Database>, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const rows = await db
    .insertInto('journal')
    .values(entries.map((entry) => ({ ...entry, externalId: idOf(entry), heard: storable(entry.heard), doneAt: null, refused: null })))
    .onConflict((row) => row.columns(['connectionId', 'externalId']).doNothing())
    .returning('externalId')
    .execute()
  return new Set(rows.map(({ externalId }) => externalId))
}

const gatherMs = 2
const woken = new WeakMap<Kysely<Database>, Map<string, { queue: string; id: string }>>()
/**
 * Tells whoever holds a connection that something waits in its journal or its outbox, once for all that was written in a moment, and after
 * it is committed: commits that notify stand in one queue, each until the disk has it. Who is not told looks by itself after a while.
 */
export function awaken(db: Kysely<Database>, connectionId: number, queue: 'journal' | 'outbox' = 'journal'): void {
  const known = woken.get(db)
  const waiting = known ?? new Map()
  waiting.set(`${queue} ${connectionId}`, { queue, id: String(connectionId) })
  if (known) return
  woken.set(db, waiting)
  setTimeout(() => {
    woken.delete(db)
    const list = JSON.stringify([...waiting.values()])
    void sql`
      select pg_notify(queue, id), set_config('synchronous_commit', 'off', true)
      from jsonb_to_recordset(${list}::jsonb) as t(queue text, id text)`
      .execute(db)
      .catch(() => undefined)
  }, gatherMs)
}

/** As the release before took it down, and this one may find it: who said it was a number, and in a group beside it who did it. */
type Older = { from: string; group?: unknown; participant?: string }
export type Noted = Heard | Older

export function understood(noted: Noted): Heard {
  const { from, participant, group, ...said } = noted as Older
  if (typeof from !== 'string') return noted as Heard
  const ids: Identity[] = [{ kind: 'phone', id: participant ?? from }]
  return { ...said, from: ids, group: typeof group === 'boolean' ? (group ? from : null) : group } as unknown as Heard
}

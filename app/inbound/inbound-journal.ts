import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/row-writer.ts'
import type { Identity, InboundEvent } from '../channels/channel.ts'

export type Entry = { companyId: number; connectionId: number; externalId: string; conversation: string; heard: InboundEvent }

/** What cannot be read yet stands under an id of its own, so that what it says can come under that of the message. */
export const placeholder = ':undecryptable'
/** The id of what is taken down: of a message the provider's. */
export const idOf = ({ externalId, heard }: Pick<Entry, 'externalId' | 'heard'>) =>
  heard.type === 'message' && heard.undecryptable ? `${externalId}${placeholder}` : externalId

/** Ids are shorter than this with every provider; whoever makes up longer ones would have what no index takes. */
const mostLetters = { message: 512, person: 128 }
/** Whether the id of a message is one. */
export const isId = (externalId: string): boolean => externalId.length <= mostLetters.message
const isPerson = (id: string): boolean => id.length <= mostLetters.person
function isBounded({ externalId, conversation, heard }: Entry): boolean {
  const who = [...('from' in heard ? heard.from : []), ...('to' in heard ? (heard.to ?? []) : [])]
  return isId(externalId) && isPerson(conversation) && who.every(({ id }) => isPerson(id))
}
/** By what the same id is known again in a log, which must not hold the number that an id may pack. */
const shortOf = (externalId: string) => createHash('sha256').update(externalId).digest('base64url').slice(0, 12)
/** Without what nobody can have said so: it is left with one line, and confirmed, for the next time it would be the same. */
export function bounded(entries: Entry[], logger: Pick<Logger, 'warn'>): Entry[] {
  const odd = entries.filter((entry) => !isBounded(entry))
  if (odd.length === 0) return entries
  const { companyId, connectionId, externalId } = odd[0]!
  logger.warn({ companyId, connectionId, externalId: shortOf(externalId), n: odd.length }, 'what was told under an endless id was left')
  return entries.filter(isBounded)
}

/** Takes down what a provider said, before anything is confirmed to it. Each id once; answers which of them are new. Then `awaken`. */
export async function recordInbound(db: Kysely<Database> | Transaction<Database>, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const all = entries.map((entry) => ({ ...entry, externalId: idOf(entry) }))
  const { rows } = await sql<{ externalId: string }>`
    insert into inbound_event (company_id, connection_id, external_id, conversation, heard)
    select * from jsonb_to_recordset(${storable(all)}::jsonb)
      as t("companyId" integer, "connectionId" integer, "externalId" text, conversation text, heard jsonb)
    on conflict (connection_id, external_id) do nothing
    returning external_id`.execute(db)
  return new Set(rows.map(({ externalId }) => externalId))
}

/** So long a provider may tell the same again. By the ids of messages a history knows what stands here already: they stay. */
const retention = sql`interval '30 days'`
export const forgottenAt = sql<string | null>`
  case when refused is null and heard->>'type' not in ('message', 'call') then now() + ${retention} end`
const atOnce = 10_000
/** What became of messages, and what was done to them, is not known by its id for ever. */
export async function forgetExpired({ db }: { db: Kysely<Database> }): Promise<void> {
  for (let gone = atOnce; gone === atOnce; ) {
    const due = db.selectFrom('inboundEvent').select('id').where('forgetAt', '<', sql<string>`now()`).limit(atOnce)
    gone = Number((await db.deleteFrom('inboundEvent').where('id', 'in', due).executeTakeFirst()).numDeletedRows)
  }
}

export type Queue = 'journal' | 'outbox'
/** Answers whether the connection is held there. */
type Ring = (connectionId: number, queue: Queue) => boolean
const holders = new WeakMap<Kysely<Database>, Set<Ring>>()
/** Who holds connections in this process is told without a way through Postgres; answers how to end that. */
export function onAwaken(db: Kysely<Database>, ring: Ring): () => void {
  const all = holders.get(db) ?? new Set()
  holders.set(db, all.add(ring))
  return () => all.delete(ring)
}

const gatherMs = 2
const woken = new WeakMap<Kysely<Database>, Map<string, { queue: Queue; id: number }>>()
/**
 * Tells whoever holds a connection that something waits in its journal or its outbox, once for all that was written in a moment, and after
 * it is committed: commits that notify stand in one queue, each until the disk has it. Who is not told looks by itself after a while.
 */
export function wakeWorker(db: Kysely<Database>, connectionId: number, queue: Queue = 'journal'): void {
  const known = woken.get(db)
  const waiting = known ?? new Map()
  waiting.set(`${queue} ${connectionId}`, { queue, id: connectionId })
  if (known) return
  woken.set(db, waiting)
  setTimeout(() => {
    woken.delete(db)
    const here = [...(holders.get(db) ?? [])]
    const away = [...waiting.values()].filter(({ id, queue }) => !here.some((ring) => ring(id, queue)))
    if (away.length === 0) return
    const list = JSON.stringify(away.map(({ id, queue }) => ({ id: String(id), queue })))
    void sql`
      select pg_notify(queue, id), set_config('synchronous_commit', 'off', true)
      from jsonb_to_recordset(${list}::jsonb) as t(queue text, id text)`
      .execute(db)
      .catch(() => undefined)
  }, gatherMs)
}

/** As the release before took it down, and this one may find it: who said it was a number, and in a group beside it who did it. */
type Older = { from: string; group?: unknown; participant?: string }
export type Noted = InboundEvent | Older

export function understood(noted: Noted): InboundEvent {
  const { from, participant, group, ...rest } = noted as Older
  if (typeof from !== 'string') return noted as InboundEvent
  const ids: Identity[] = [{ kind: 'phone', id: participant ?? from }]
  return { ...rest, from: ids, group: typeof group === 'boolean' ? (group ? from : null) : group } as unknown as InboundEvent
}

import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { bareNumber } from '#domain/contact/rules.ts'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Inbound, PhoneRow, sandbox } from '#domain/sandbox/contract.ts'
import type { Kind } from '#domain/ticket/events.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import type { Identity, InboundEvent } from '../channels/channel.ts'
import { monitorConnections } from '../connection/outage.ts'
import { turn } from '../connection/session.ts'
import { setConnectionState } from '../connection/state.ts'
import { storePhonePeople } from '../contact-import/phone-book.ts'
import type { AppContext } from '../context.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { idOf, type NewJournalEntry, recordInbound } from '../inbound/inbound-journal.ts'
import type { MediaStore, StoredFile } from '../storage/media.ts'
import { marked } from './provider.ts'

type Deps = { db: Kysely<Database>; media: MediaStore; uploadDir: string } & Pick<
  AppContext,
  'clock' | 'enqueue' | 'config' | 'logger' | 'wakeWorker'
>

/** `id`: the id of the phone entry; `mine`: the customer wrote it. */
type Written = NewJournalEntry & {
  payload: Extract<InboundEvent, { type: 'message' | 'call' }>
  id: string
  author: string
  mine: boolean
  kind: Kind
  text: string
}
/**
 * Stores customer messages, many in one statement. The inbound event and the phone entry commit together.
 * Returns whether each is new.
 */
async function storeMessages(db: Kysely<Database>, messages: Written[]): Promise<boolean[]> {
  const { rows } = await sql<{ connectionId: number; externalId: string }>`
    with offered as (
      select one, (one->>'companyId')::int as company_id, (one->>'connectionId')::int as connection_id, one->>'externalId' as external_id, n
      from jsonb_array_elements(${JSON.stringify(messages)}::jsonb) with ordinality as o(one, n)
    ), taken as (
      insert into inbound_event (company_id, connection_id, external_id, conversation, payload)
      select company_id, connection_id, external_id, one->>'conversation', one->'payload' from offered order by n
      on conflict (connection_id, external_id) do nothing returning connection_id, external_id
    ), lines as (
      insert into sandbox_message (company_id, connection_id, id, phone, from_phone, author, kind, body, media, quoted_id)
      select company_id, connection_id, one->>'id', one->>'conversation', (one->>'mine')::bool, one->>'author', one->>'kind', one->>'text',
        nullif(one#>'{payload,media}', 'null'), one#>>'{payload,quotedExternalId}'
      from offered join taken using (connection_id, external_id) order by n
      on conflict do nothing
    )
    select connection_id, external_id from taken`.execute(db)
  const fresh = new Set(rows.map((row) => `${row.connectionId}/${row.externalId}`))
  // a second entry with the same id is a duplicate
  return messages.map(({ connectionId, externalId }) => fresh.delete(`${connectionId}/${externalId}`))
}

/** Finds a sandbox connection of the viewer's company; any other does not exist. */
function sandboxConnections(db: Kysely<Database>) {
  const known = new Map<string, Promise<number>>()
  return function connectionOf({ companyId }: Viewer, id: number): Promise<number> {
    const key = `${companyId}/${id}`
    const found =
      known.get(key) ??
      db
        .selectFrom('connection')
        .select('id')
        .where('id', '=', id)
        .where('companyId', '=', companyId)
        .where('provider', '=', 'sandbox')
        .executeTakeFirst()
        .then((row) => row?.id ?? refuse('ERR_NO_WAPP_FOUND'))
    known.set(key, found)
    found.catch(() => known.delete(key))
    return found
  }
}

type ConnectionOf = ReturnType<typeof sandboxConnections>
export const sandboxRoutes = (deps: Deps): Handlers<typeof sandbox> => {
  const connectionOf = sandboxConnections(deps.db)
  return {
    ...connectionRoutes(deps, connectionOf),
    ...phoneRoutes(deps, connectionOf),
    ...inboundRoutes(deps, connectionOf),
    ...faultRoutes(deps, connectionOf),
  }
}

const connectionRoutes = (deps: Deps, connectionOf: ConnectionOf) => {
  const { db } = deps
  return {
    async scan({ viewer, params }) {
      const id = await connectionOf(viewer, params.connectionId)
      const done = await db.transaction().execute(async (on) => {
        const row = on.selectFrom('connection').select(['id', 'provider', 'number', 'status', 'reason']).where('id', '=', id).forUpdate()
        const one = (await row.executeTakeFirst()) ?? refuse('ERR_NO_WAPP_FOUND')
        return one.status === 'qrcode' ? turn(deps, on, one, 'read') : null // another phone linked first
      })
      await done?.()
    },

    async session({ viewer, params, body: { status, reason = null, silent = false } }) {
      const id = await connectionOf(viewer, params.connectionId)
      await setConnectionState(deps, { id }, { status, reason })
      const roundTripAt = silent ? sql<string>`now() - interval '1 hour'` : null
      await db.updateTable('connectionLease').set({ roundTripAt }).where('connectionId', '=', id).execute()
      await monitorConnections(deps)
    },
    async people({ viewer, params, body: { source, people } }) {
      const id = await connectionOf(viewer, params.connectionId)
      const from = source === 'book' ? ('inBook' as const) : ('inChats' as const)
      const known = people.map(({ number, name }) => ({ number: bareNumber(number), name, source: from }))
      await storePhonePeople(db, { id, companyId: viewer.companyId }, known)
    },
  } satisfies Partial<Handlers<typeof sandbox>>
}

const phoneRoutes = ({ db, media }: Deps, connectionOf: ConnectionOf) =>
  ({
    async customers({ viewer, params }) {
      const connectionId = await connectionOf(viewer, params.connectionId)
      const { rows } = await sql<{ number: string; name: string; lastAt: string | null }>`
        select c.number, c.name, (select max(m.at) from sandbox_message m where m.connection_id = ${connectionId} and m.phone = c.number) as last_at
        from contact c where c.company_id = ${viewer.companyId} and c.deleted_at is null and not c.is_group
        order by last_at desc nulls last, c.id desc limit 100`.execute(db)
      return rows
    },

    async phone({ viewer, params }) {
      const connectionId = await connectionOf(viewer, params.connectionId)
      const rows = await db
        .selectFrom('sandboxMessage')
        .selectAll()
        .where('connectionId', '=', connectionId)
        .where('phone', '=', bareNumber(params.number))
        .orderBy('n', 'desc')
        .limit(200)
        .execute()
      return rows.reverse().map((row) => ({
        ...{ id: row.id, mine: row.fromPhone, kind: row.kind, body: row.body, quotedId: row.quotedId, mark: row.mark, at: row.at },
        ...{
          interactive: row.interactive,
          removed: row.removed,
          edited: row.edited,
          mime: row.media?.mime ?? null,
          mediaUrl: row.media && media.url(viewer.companyId, row.media),
        },
        reactions: [...(row.ours ? [{ emoji: row.ours, mine: false }] : []), ...(row.theirs ? [{ emoji: row.theirs, mine: true }] : [])],
      }))
    },

    async outbox({ viewer, params, query: { after = 0, to, limit = 200 } }) {
      const connectionId = await connectionOf(viewer, params.connectionId)
      let rows = db
        .selectFrom('sandboxMessage')
        .selectAll()
        .where('connectionId', '=', connectionId)
        .where('fromPhone', '=', false)
        .where('n', '>', after)
      if (to !== undefined) rows = rows.where('phone', '=', bareNumber(to))
      return (await rows.orderBy('n').limit(limit).execute()).map(
        ({ n, id, phone, kind, body, at, media: attachment, quotedId, interactive }): PhoneRow => ({
          ...{ n, id, to: phone, kind, body, at, quotedId, interactive, mime: attachment?.mime ?? null },
          mediaUrl: attachment && media.url(viewer.companyId, attachment),
        }),
      )
    },
  }) satisfies Partial<Handlers<typeof sandbox>>

function createReceiver({ db, clock, wakeWorker }: Deps) {
  const written = createBatchLoader((messages: Written[]) => storeMessages(db, messages))
  /** Answers once the phone entry and the inbound event are stored together. */
  async function receive(companyId: number, connectionId: number, body: Inbound, kept: StoredFile | null): Promise<{ duplicate: boolean }> {
    const payload = eventFrom(body, kept, clock)
    const phone = body.group?.id ?? body.from
    if (payload.type === 'message' || payload.type === 'call') {
      const entry = { companyId, connectionId, externalId: body.id, conversation: phone, payload }
      const { kind, body: text } =
        payload.type === 'call' ? { kind: 'call_log' as const, body: '' } : { ...payload, ...(body.undecryptable && body) }
      const line = { id: body.id, author: body.name, mine: !body.fromMe, kind, text: text ?? '' }
      const taken = await written({ ...entry, ...line, externalId: idOf(entry) })
      if (taken) wakeWorker(connectionId)
      return { duplicate: !taken }
    }
    const answer = await db.transaction().execute(async (tx) => {
      const taken = await recordInbound(tx, [{ companyId, connectionId, externalId: body.id, conversation: phone, payload }])
      if (!taken.has(body.id)) return { duplicate: true }
      const line = tx.updateTable('sandboxMessage').where('connectionId', '=', connectionId).where('phone', '=', phone)
      if (payload.type === 'reaction')
        await line
          .set({ [payload.fromMe ? 'ours' : 'theirs']: payload.emoji || null })
          .where('id', '=', payload.externalId)
          .execute()
      else if (payload.type === 'removal')
        await line.set({ removed: true, body: '', media: null, interactive: null }).where('id', '=', payload.externalId).execute()
      else if (payload.type === 'edit') await line.set({ body: payload.body, edited: true }).where('id', '=', payload.externalId).execute()
      return { duplicate: false }
    })
    if (!answer.duplicate) wakeWorker(connectionId)
    return answer
  }
  return receive
}

function createFileStore({ media, uploadDir }: Deps) {
  return async function file(companyId: number, { mediaUrl }: Inbound, [upload]: Upload[]): Promise<StoredFile | null> {
    if (upload) return media.store(companyId, upload, 'customer')
    const data = /^data:([\w/+.-]+)(?:;[\w=-]+)*;base64,([A-Za-z0-9+/=]+)$/.exec(mediaUrl ?? '')
    if (data) {
      await mkdir(uploadDir, { recursive: true })
      const bytes = Buffer.from(data[2]!, 'base64')
      const at = path.join(uploadDir, randomUUID())
      try {
        await writeFile(at, bytes)
        return await media.store(companyId, { field: 'medias', name: 'file', path: at, size: bytes.length, claims: data[1]! }, 'customer')
      } finally {
        await rm(at, { force: true }) // a refused upload
      }
    }
    return mediaUrl === undefined ? null : refuse('ERR_INVALID_INPUT', { field: 'mediaUrl' })
  }
}

function inboundRoutes(deps: Deps, connectionOf: ConnectionOf) {
  const { media } = deps
  const file = createFileStore(deps)
  const receive = createReceiver(deps)
  return {
    async inbound({ viewer, params, body: given, files }) {
      const body = { ...given, from: bareNumber(given.from) }
      const connectionId = await connectionOf(viewer, params.connectionId)
      const kept = await file(viewer.companyId, body, files)
      const uploadHold = kept && { id: kept.hold, companyId: viewer.companyId, key: kept.media.key }
      try {
        const answer = await receive(viewer.companyId, connectionId, body, kept)
        if (uploadHold) await (answer.duplicate ? media.release(uploadHold) : media.settle(uploadHold))
        return answer
      } catch (error) {
        if (uploadHold && error instanceof Refusal) await media.release(uploadHold) // after any other error the outcome is unknown
        throw error
      }
    },
  } satisfies Partial<Handlers<typeof sandbox>>
}

const faultRoutes = ({ db, wakeWorker }: Deps, connectionOf: ConnectionOf) =>
  ({
    async marks({ viewer, params, body: { id, mark } }) {
      const connectionId = await connectionOf(viewer, params.connectionId)
      const row = await db
        .selectFrom('sandboxMessage')
        .select('phone')
        .where('connectionId', '=', connectionId)
        .where('id', '=', id)
        .where('fromPhone', '=', false)
        .executeTakeFirst()
      const number = row?.phone ?? refuse('ERR_FETCH_WAPP_MSG')
      await db.transaction().execute(async (tx) => {
        await recordInbound(tx, [marked({ companyId: viewer.companyId, connectionId, number }, id, mark)])
        await tx.updateTable('sandboxMessage').set({ mark }).where('connectionId', '=', connectionId).where('id', '=', id).execute()
      })
      wakeWorker(connectionId)
    },

    async faults({ viewer, params, body }) {
      const connectionId = await connectionOf(viewer, params.connectionId)
      const { loseAnswers = false, delayMs = 0, laterMs = null, failCode = null, afterwards = false, duplicate = false, count } = body
      const row = { companyId: viewer.companyId, loseAnswers, delayMs, laterMs, failCode, afterwards, duplicate, remaining: count }
      await db
        .insertInto('sandboxFault')
        .values({ connectionId, ...row })
        .onConflict((known) => known.column('connectionId').doUpdateSet(row))
        .execute()
    },
  }) satisfies Partial<Handlers<typeof sandbox>>

/** A customer's file is never refused because of the quota. */
export const beforeCustomersFiles = ({ db }: Pick<Deps, 'db'>): UploadGuard<typeof sandbox> => {
  const connectionOf = sandboxConnections(db)
  return {
    async inbound({ viewer, params }) {
      await connectionOf(viewer, params.connectionId!)
      return {}
    },
  }
}

function eventFrom(body: Inbound, kept: StoredFile | null, clock: AppContext['clock']): InboundEvent {
  const {
    id,
    from,
    name,
    group = null,
    body: text = '',
    quotedId = null,
    mediaType,
    reaction,
    deletes,
    edits,
    fromMe,
    undecryptable,
    call,
  } = body
  const ids: Identity[] = [{ kind: 'phone', id: from }]
  const at = body.at ?? clock.iso()
  if (call) return { type: 'call', externalId: id, from: ids, name, video: call === 'video', at }
  const who = { from: ids, group: group?.id ?? null, ...(fromMe && { fromMe }), ...(body.at && { at: body.at }) }
  if (deletes !== undefined) return { type: 'removal', ...who, externalId: deletes }
  if (edits !== undefined)
    return text.trim() === '' ? refuse('ERR_INVALID_INPUT', { field: 'body' }) : { type: 'edit', ...who, externalId: edits, body: text }
  if (reaction !== undefined) {
    const externalId = quotedId ?? refuse('ERR_INVALID_INPUT', { field: 'quotedId' })
    return { type: 'reaction', ...who, name, externalId, emoji: reaction }
  }
  if (text.trim() === '' && !kept && !undecryptable) refuse('ERR_INVALID_INPUT', { field: 'body' })
  const messageKind: Kind = kept?.kind ?? (mediaType === 'locationMessage' || mediaType === 'contactMessage' ? mediaType : 'chat')
  return {
    ...{ type: 'message', externalId: id, from: ids, name, group, kind: messageKind, body: messageKind === 'contactMessage' ? '' : text },
    ...{
      media: kept?.media ?? null,
      vCard: messageKind === 'contactMessage' ? text : null,
      quotedExternalId: quotedId,
      at,
    },
    ...(fromMe && { fromMe }),
    ...(undecryptable && { undecryptable, body: '', media: null, vCard: null, kind: 'chat' as const }),
  }
}

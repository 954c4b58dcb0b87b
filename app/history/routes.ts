import { type Kysely, sql } from 'kysely'
import PQueue from 'p-queue'
import type { Logger } from 'pino'
import type { Viewer } from '#domain/access.ts'
import { maskEvent, maskHistory } from '#domain/contact/mask.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { type HistoryRow, type history, historyPage } from '#domain/history/contract.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { historyOf, listHistories } from '#projections/history/read.ts'
import { inNameOrder } from '#projections/name-order.ts'
import type { Anchor } from '../anchor/anchor.ts'
import { proofOf } from '../anchor/proof.ts'
import { fingerprint, type SigningKey } from '../anchor/signing-key.ts'
import { countNumber } from '../contact/number-questions.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import type { HandlerContext, Handlers } from '../http/serve.ts'
import { recordSecurity } from '../security/log.ts'
import type { MediaStore } from '../storage/media.ts'
import { recordAccess } from '../ticket/access.ts'
import type { ExecuteTicketCommand } from '../ticket/ticket-repository.ts'
import { type ChainPart, partsOf, verifyTicket } from './chains.ts'
import { exportedTexts, signedFile, withoutNumbers } from './export.ts'
import { isFile } from './files.ts'
import { isOurs } from './findings.ts'
import { historyEvent, readEvents } from './reading.ts'

type Deps = {
  execute: ExecuteTicketCommand
  db: Kysely<Database>
  eventStore: EventStore
  contactKeys: ContactKeys
  eventMacKeys: EventMacKeys & { current: EventMacKey }
  signingKey: SigningKey
  media: MediaStore
  logger: Logger
}

type Reader = Pick<HandlerContext, 'viewer' | 'commandId' | 'wire'>
const again = 10 * minuteMs

/** Exports run one at a time, because a whole ticket is in memory while its file is signed. */
const exportQueue = new PQueue({ concurrency: 1 })

export const historyRoutes = (deps: Deps): Handlers<typeof history> => {
  const parts = createParts(deps)
  return { ...listRoutes(deps), ...showRoutes(deps, parts), ...recordRoutes(deps, parts), ...exportRoutes(deps, parts) }
}

type Parts = ReturnType<typeof createParts>
function createParts({ execute, db, eventStore, contactKeys, eventMacKeys, signingKey, logger }: Deps) {
  /**
   * Finds a ticket of the viewer's company and records the access first: in the ticket's stream, or in the security log if the stream
   * accepts no events.
   */
  async function opened({ viewer, commandId, wire }: Reader, uuid: string, mode: 'replay' | 'export') {
    const { companyId, id: userId } = viewer
    const row = (await historyOf(db, companyId, uuid)) ?? refuse('ERR_NO_TICKET_FOUND')
    // An altered stream may be impossible to fold, so the record may fail.
    const recorded = row.status !== 'deleted' && (await recordAccess(execute, viewer, row.id, mode, commandId).then(yes, no))
    const event = { companyId, userId, address: wire.ip }
    if (mode === 'export') await recordSecurity(db, { ...event, kind: 'exported', detail: { ticket: uuid, format: 'json' } })
    else if (!recorded && !(await replayedLately(viewer, uuid)))
      await recordSecurity(db, { ...event, kind: 'replayed', detail: { ticket: uuid } })
    return row
  }
  const replayedLately = async ({ companyId, id }: Viewer, uuid: string): Promise<boolean> =>
    (await db
      .selectFrom('securityEvent')
      .select('id')
      .where('companyId', '=', companyId)
      .where('kind', '=', 'replayed')
      .where('userId', '=', id)
      .where(sql`detail ->> 'ticket'`, '=', uuid)
      .where('at', '>', new Date(Date.now() - again).toISOString())
      .executeTakeFirst()) !== undefined

  type Opened = Awaited<ReturnType<typeof opened>>
  function headOf({ masked }: Viewer, { id, uuid, status, whatsapp, isGroup, contact: name, number }: Opened) {
    const party = { isGroup, contact: { id, name: name ?? '', number: number ?? '' } }
    const { contact } = masked ? maskHistory(party) : party
    return { id, uuid, status, contact: contact.name, number: contact.number, whatsapp: whatsapp ?? '' }
  }
  async function readFor({ masked }: Viewer, events: StoredEvent[]) {
    const read = await readEvents(events, contactKeys)
    return masked ? read.map((one) => ({ ...one, data: maskEvent(one.data) })) : read
  }
  const walk = ({ companyId }: Viewer, { id, uuid, contactId, revision }: Opened, parts: Parameters<typeof verifyTicket>[2]) =>
    verifyTicket({ db, eventStore, eventMacKeys, signingKey, logger }, { companyId, ticketId: id, uuid, contactId, revision }, parts)

  return { opened, headOf, readFor, walk }
}

const listRoutes = ({ db, eventMacKeys }: Deps) =>
  ({
    async list({ viewer, query, wire }) {
      countNumber(viewer, query.searchParam, wire)
      const { tickets, hasMore } = await listHistories(db, viewer, query)
      const withTrustedFinding = ({ found, ...row }: (typeof tickets)[number]): HistoryRow => {
        const ours = found && isOurs(eventMacKeys.current, { ticketId: row.id, ...found })
        return { ...row, chain: ours ? { holds: found.holds, checkedAt: found.checkedAt } : null }
      }
      return { tickets: tickets.map(withTrustedFinding), hasMore }
    },

    queues: async ({ viewer }) => {
      const queues = await db
        .selectFrom('queue')
        .select(['id', 'name', 'color', 'retiredAt'])
        .where('companyId', '=', viewer.companyId)
        .orderBy('orderQueue')
        .orderBy('id')
        .execute()
      return queues.map(({ retiredAt, ...queue }) => ({ ...queue, retired: retiredAt !== null }))
    },

    people: async ({ viewer }) => {
      const people = await db
        .selectFrom('user')
        .select(['id', 'name', 'retiredAt'])
        .where('companyId', '=', viewer.companyId)
        .orderBy(inNameOrder(viewer.companyLanguage, 'name'))
        .execute()
      return people.map(({ retiredAt, ...person }) => ({ ...person, retired: retiredAt !== null }))
    },
  }) satisfies Partial<Handlers<typeof history>>

function showRoutes({ db, eventStore, media, signingKey }: Deps, { opened, readFor, walk, headOf }: Parts) {
  const named = { publicKey: signingKey.publicKey, fingerprint: fingerprint(signingKey.publicKey) }
  return {
    async key({ viewer }) {
      const newest = await db
        .selectFrom('anchor')
        .select('statement')
        .where('companyId', '=', viewer.companyId)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst()
      const { number, at } = (newest?.statement ?? {}) as Partial<Anchor>
      return { ...named, newest: number === undefined || at === undefined ? null : { number, at } }
    },

    async show({ params, query: { from = 0, most = historyPage }, ...reader }) {
      const { viewer } = reader
      const row = await opened(reader, params.uuid, 'replay')
      const { events } = await eventStore.read(streamName(ticketStream, viewer.companyId, row.id), BigInt(from), most)
      const decoded = await readFor(viewer, events)
      const next = events.length < most ? null : Number(events.at(-1)!.revision) + 1
      const whole = from === 0 && next === null ? await walk(viewer, row, [{ events, decoded }]) : null
      const [users, queues, lanes] = await Promise.all([
        db.selectFrom('user').select(['id', 'name']).where('companyId', '=', viewer.companyId).execute(),
        db.selectFrom('queue').select(['id', 'name', 'color']).where('companyId', '=', viewer.companyId).execute(),
        db.selectFrom('tag').select(['id', 'name']).where('companyId', '=', viewer.companyId).where('kanban', '=', 1).execute(),
      ])
      const names = new Map(users.map(({ id, name }) => [id, name]))
      const ticket = headOf(viewer, row)
      const files = decoded.flatMap(({ data: { media: file } }) => (isFile(file) ? [file] : []))
      return {
        ticket,
        events: decoded.map((one, i) => historyEvent(one, events[i]!, names, ticket.contact)),
        next,
        revision: row.revision,
        chain: whole?.chain ?? null,
        anchored: whole?.anchored ?? null,
        key: named,
        users: Object.fromEntries(users.map(({ id, name }) => [String(id), name])),
        queues: Object.fromEntries(queues.map(({ id, name, color }) => [String(id), { name, color }])),
        lanes: Object.fromEntries(lanes.map(({ id, name }) => [String(id), name])),
        mediaUrls: Object.fromEntries(files.map((file) => [file.key, media.auditUrl(viewer.companyId, file)])),
      }
    },
  } satisfies Partial<Handlers<typeof history>>
}

const recordRoutes = ({ eventStore, contactKeys, media }: Deps, { opened, walk }: Parts) =>
  ({
    async chain({ params, ...reader }) {
      const row = await opened(reader, params.uuid, 'replay')
      return walk(reader.viewer, row, partsOf({ eventStore, contactKeys }, streamName(ticketStream, reader.viewer.companyId, row.id)))
    },

    async files({ params, ...reader }) {
      const { companyId, masked } = reader.viewer
      const row = await opened(reader, params.uuid, 'replay')
      const named = new Map<string, { key: string; name: string; revision: number }>()
      let deleted = false // from the events, because a table could be forged
      for await (const { decoded } of partsOf({ eventStore, contactKeys }, streamName(ticketStream, companyId, row.id)))
        for (const { data, fact } of decoded) {
          deleted ||= fact.type === 'TicketDeleted'
          const { media: file } = masked ? maskEvent(data) : data
          if (isFile(file) && !named.has(file.key)) named.set(file.key, { key: file.key, name: String(file.name), revision: fact.revision })
        }
      const bad = []
      for (const file of named.values()) {
        const fault = await media.fault(companyId, file.key)
        if (fault && !(fault.gone && deleted)) bad.push({ ...file, gone: fault.gone })
      }
      return { files: named.size, bad }
    },

    async record({ params: { uuid, revision }, ...reader }) {
      if (!/^\d{1,9}$/.test(revision)) refuse('ERR_INVALID_INPUT', { field: 'revision' })
      const row = await opened(reader, uuid, 'replay')
      const stream = streamName(ticketStream, reader.viewer.companyId, row.id)
      const [event = refuse('ERR_NOT_FOUND')] = (await eventStore.read(stream, BigInt(revision), 1)).events
      if (event.revision !== BigInt(revision)) refuse('ERR_NOT_FOUND') // the requested event is missing
      const { id, type, data, meta } = reader.viewer.masked ? withoutNumbers(event) : event
      return { stream, revision: Number(revision), id, type, data, meta }
    },
  }) satisfies Partial<Handlers<typeof history>>

const exportRoutes = ({ db, eventStore, contactKeys, signingKey }: Deps, { opened, walk, headOf }: Parts) =>
  ({
    export: ({ params, ...reader }) =>
      exportQueue.add(async () => {
        const { companyId } = reader.viewer
        const row = await opened(reader, params.uuid, 'export')
        const stream = streamName(ticketStream, companyId, row.id)
        const texts: string[] = []
        let next = 0n
        const write = (part: ChainPart) => {
          texts.push(...exportedTexts(part, reader.viewer))
          next = part.events.at(-1)!.revision + 1n
        }
        async function* written() {
          for await (const part of partsOf({ eventStore, contactKeys }, stream)) {
            write(part)
            yield part
          }
        }
        const { chain } = await walk(reader.viewer, row, written())
        // The verification ends at the first failure, so write the rest here.
        for await (const part of partsOf({ eventStore, contactKeys }, stream, next)) write(part)
        const heading = {
          format: 'guiche-ticket-history' as const,
          version: 2 as const,
          stream,
          company: companyId,
          ticket: { ...headOf(reader.viewer, row), contactId: row.contactId },
          exportedAt: new Date().toISOString(),
          chain, // so that our signature never covers a failure without naming it
          publicKey: signingKey.publicKey,
          anchor: await proofOf({ db, eventStore }, { companyId, ticketId: row.id }),
        }
        return signedFile(signingKey.sign, heading, texts)
      }),
  }) satisfies Partial<Handlers<typeof history>>

const yes = () => true
const no = () => false

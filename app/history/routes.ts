import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Actor } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import type { HistoryEvent, history } from '#domain/history/contract.ts'
import type { Media, TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { historyOf, listHistories } from '#projections/history/read.ts'
import type { Recorded } from '#projections/projector.ts'
import { check, hashOf } from '../eventlog/chain.ts'
import type { EventLog, LoggedEvent } from '../eventlog/eventlog.ts'
import { facts } from '../eventlog/facts.ts'
import type { ContactKeys } from '../eventlog/keys.ts'
import { streamOf } from '../eventlog/store.ts'
import type { TicketHistory } from '../eventlog/verify.ts'
import type { MediaStore } from '../http/media.ts'
import type { Handlers } from '../http/serve.ts'

type Deps = { db: Kysely<Database>; log: EventLog; keys: ContactKeys; media: MediaStore }

export const historyRoutes = ({ db, log, keys, media }: Deps): Handlers<typeof history> => {
  /** The whole stream of a ticket of the viewer's company, as stored and as it reads. */
  async function whole(viewer: Viewer, uuid: string) {
    const row = (await historyOf(db, viewer.companyId, uuid)) ?? refuse('ERR_NO_TICKET_FOUND')
    const stream = streamOf(viewer.companyId, row.id)
    const { events } = await log.read(stream)
    const told = await readable(events, keys)
    return { ticket: { ...row, contact: row.contact ?? '', whatsapp: row.whatsapp ?? '' }, stream, events, told }
  }

  return {
    list: ({ viewer, query }) => listHistories(db, viewer, query),

    async show({ viewer, params }) {
      const { ticket, events, told } = await whole(viewer, params.uuid)
      const [users, queues] = await Promise.all([
        db.selectFrom('user').select(['id', 'name']).where('companyId', '=', viewer.companyId).execute(),
        db.selectFrom('queue').select(['id', 'name', 'color']).where('companyId', '=', viewer.companyId).execute(),
      ])
      const names = new Map(users.map(({ id, name }) => [id, name]))
      const broken = check(events)
      const files = told.flatMap((fact) => ('media' in fact && fact.media ? [fact.media as Media] : []))
      return {
        ticket,
        events: told.map((fact, i) => shown(fact, events[i]!, names, ticket.contact)),
        chain: { holds: broken === null, brokenAt: broken ? Number(broken.revision) : null, reason: broken?.reason ?? null },
        users: Object.fromEntries(users.map(({ id, name }) => [String(id), name])),
        queues: Object.fromEntries(queues.map(({ id, name, color }) => [String(id), { name, color }])),
        mediaUrls: Object.fromEntries(files.map((file) => [file.key, media.auditUrl(viewer.companyId, file)])),
      }
    },

    async export({ viewer, params }) {
      const { ticket, stream, events, told } = await whole(viewer, params.uuid)
      return {
        ...{ format: 'guiche-ticket-history', version: 1, stream, company: viewer.companyId, ticket, exportedAt: new Date().toISOString() },
        events: events.map(({ revision, id, type, data, meta }, i) => ({
          revision: String(revision),
          id,
          type,
          data,
          meta,
          plain: dataOf(told[i]!),
        })),
      } satisfies TicketHistory
    },
  }
}

/** All at once; where a field does not open (somebody changed it), that must not hide the rest: the chain tells where. */
async function readable(events: LoggedEvent[], keys: ContactKeys): Promise<Recorded<TicketEvent>[]> {
  const one = (event: LoggedEvent) => facts([event], keys).catch(() => facts([{ ...event, data: {} }], keys))
  return facts(events, keys).catch(async () => (await Promise.all(events.map(one))).flat())
}

function dataOf({
  type: _,
  companyId: _c,
  by: _b,
  at: _a,
  ticketId: _t,
  revision: _r,
  position: _p,
  eventId: _e,
  ...data
}: Recorded<TicketEvent>) {
  return data as unknown as Record<string, never>
}

function shown(fact: Recorded<TicketEvent>, event: LoggedEvent, names: Map<number, string>, contact: string): HistoryEvent {
  const { revision, eventId: id, type, at, by } = fact
  return { revision, id, type, at, by: actor(by, names, contact), hash: hashOf(event.meta), data: dataOf(fact) }
}

function actor(by: Actor, names: Map<number, string>, contact: string): HistoryEvent['by'] {
  if (by.kind === 'user') return { kind: 'user', id: by.id, name: names.get(by.id) ?? '' }
  if (by.kind === 'contact') return { kind: 'contact', id: by.id, name: contact }
  return { kind: by.kind, id: null, name: '' }
}

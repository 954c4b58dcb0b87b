import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { masked, maskedName } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { history } from '#domain/history/contract.ts'
import type { Media } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { historyOf, listHistories } from '#projections/history/read.ts'
import { check } from '../eventlog/chain.ts'
import type { EventLog } from '../eventlog/eventlog.ts'
import type { ContactKeys } from '../eventlog/keys.ts'
import { streamOf } from '../eventlog/store.ts'
import type { TicketHistory } from '../eventlog/verify.ts'
import type { MediaStore } from '../http/media.ts'
import type { Handlers } from '../http/serve.ts'
import { readEvents, shown, sound } from './reading.ts'

type Deps = { db: Kysely<Database>; log: EventLog; keys: ContactKeys; media: MediaStore }

export const historyRoutes = ({ db, log, keys, media }: Deps): Handlers<typeof history> => {
  /** The whole stream of a ticket of the viewer's company, as stored and as it reads. */
  async function whole(viewer: Viewer, uuid: string) {
    const row = (await historyOf(db, viewer.companyId, uuid)) ?? refuse('ERR_NO_TICKET_FOUND')
    const stream = streamOf(viewer.companyId, row.id)
    const { events } = await log.read(stream)
    const told = await readEvents(events, keys)
    const { id, status, contact, number, whatsapp, isGroup } = row
    const reached = number ?? ''
    const ticket = {
      ...{ id, uuid, status, contact: viewer.masked && !isGroup ? maskedName(contact ?? '') : (contact ?? ''), whatsapp: whatsapp ?? '' },
      number: viewer.masked && !isGroup ? masked(reached) : reached,
    }
    return { ticket, stream, events, told }
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
      const broken = check(events.map(sound))
      const files = told.flatMap(({ data: { media: file } }) => (isFile(file) ? [file] : []))
      return {
        ticket,
        events: told.map((one, i) => shown(one, events[i]!, names, ticket.contact)),
        chain: { holds: broken === null, brokenAt: broken ? Number(broken.revision) : null, reason: broken?.reason ?? null },
        users: Object.fromEntries(users.map(({ id, name }) => [String(id), name])),
        queues: Object.fromEntries(queues.map(({ id, name, color }) => [String(id), { name, color }])),
        mediaUrls: Object.fromEntries(files.map((file) => [file.key, media.auditUrl(viewer.companyId, file)])),
      }
    },

    async record({ viewer, params: { uuid, revision } }) {
      if (!/^\d{1,9}$/.test(revision)) refuse('ERR_INVALID_INPUT', { field: 'revision' })
      const row = (await historyOf(db, viewer.companyId, uuid)) ?? refuse('ERR_NO_TICKET_FOUND')
      const stream = streamOf(viewer.companyId, row.id)
      const { events } = await log.read(stream, BigInt(revision))
      const event = events.find((one) => String(one.revision) === revision) ?? refuse('ERR_NOT_FOUND')
      return { stream, revision: Number(revision), id: event.id, type: event.type, data: event.data, meta: event.meta }
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
          plain: told[i]!.data,
        })),
      } satisfies TicketHistory
    },
  }
}

const isFile = (value: unknown): value is Media => typeof (value as Partial<Media> | null)?.key === 'string'

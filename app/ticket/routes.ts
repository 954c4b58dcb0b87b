import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Stamp } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import { sees, type TicketChange, type TicketRow, type ticketLogs, type tickets } from '#domain/ticket/contract.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Database } from '#projections/database.ts'
import {
  inSight,
  listTickets,
  queueBefore,
  type Standing,
  standing,
  ticketById,
  ticketIdOf,
  ticketLog,
  veiled,
} from '#projections/ticket/read.ts'
import { idFrom } from '../eventlog/facts.ts'
import type { AskTicket, SeeTicket } from '../eventlog/store.ts'
import type { Reached } from '../http/reached.ts'
import type { Handlers } from '../http/serve.ts'
import type { NextId } from '../ids.ts'
import { externalIdFrom } from '../message/external-id.ts'
import { settingsOf } from '../session/viewers.ts'
import type { Active, Who } from './active.ts'

export type Deps = {
  db: Kysely<Database>
  ask: AskTicket
  see: SeeTicket
  active: Active
  reached: Reached
  head: () => Promise<bigint | null>
  nextTicketId: NextId
  nextMessageId: NextId
}

export const stamp = ({ id, companyId }: Viewer): Stamp => ({ companyId, by: { kind: 'user', id }, at: new Date().toISOString() })
export const isAdmin = ({ profile }: Viewer): boolean => profile === 'admin'

/** What waited in their sight a moment ago: whoever comes second is told who has it (A-TICKET-04). */
async function waitedInSight(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Standing> {
  const row = await standing(db, viewer.companyId, id)
  if (!row) refuse('ERR_NO_TICKET_FOUND')
  if (row.status === 'closed') return sees(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND') // nobody comes second to what is over
  const waited = (queueId: number | null) => sees(viewer, { ...row, userId: null, queueId })
  return waited(row.queueId) || waited(await queueBefore(db, row)) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** A ticket that this viewer may see; any other does not exist. */
export async function sighted(db: Kysely<Database>, viewer: Viewer, id: number | undefined): Promise<Standing> {
  const row = id === undefined ? undefined : await standing(db, viewer.companyId, id)
  return row && sees(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND')
}

export const ticketRoutes = (deps: Deps): Handlers<typeof tickets> => {
  const { db, ask, see, active, reached } = deps

  async function tell(viewer: Viewer, id: number, command: TicketCommand, commandId: string): Promise<void> {
    const { position } = await ask(id, { ...command, ...stamp(viewer) }, commandId)
    await reached(position) // the caller reads what it wrote
  }
  const answer = async (viewer: Viewer, id: number) =>
    veiled(viewer, (await ticketById(db, viewer.companyId, id)) ?? refuse('ERR_NO_TICKET_FOUND'))

  /** Accepts or reopens; where another ticket has the contact's place, that one is the answer (A-TICKET-05, A-TICKET-11). */
  async function take(viewer: Viewer, id: number, body: TicketChange, commandId: string): Promise<TicketRow> {
    const [row, now] = await Promise.all([waitedInSight(db, viewer, id), see(viewer.companyId, id)])
    const userId = body.userId ?? viewer.id
    if (userId !== viewer.id && !isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
    if (userId !== viewer.id) await userOf(viewer, userId)
    const queueId = body.queueId ?? null
    if (queueId !== null) await queueOf(viewer, queueId)
    if (queueId === null && row.queueId === null) refuse('ERR_QUEUE_REQUIRED')
    const who = { companyId: viewer.companyId, connectionId: row.whatsappId, contactId: row.contactId }
    const holder = now.status === 'closed' ? await retake(who, row, now.revision) : ((await active.find(who))?.ticketId ?? row.id)
    const held = holder === row.id ? undefined : await ticketById(db, viewer.companyId, holder)
    if (held && held.status !== 'closed') return sees(viewer, held) ? veiled(viewer, held) : busy(db, viewer.companyId, holder)
    await tell(viewer, row.id, { type: 'Take', userId, queueId }, commandId)
    return answer(viewer, row.id)
  }

  async function retake(who: Who, { id: ticketId, uuid }: Standing, since: number): Promise<number> {
    const holder = await active.retake(who, { ticketId, uuid }, since)
    if (holder === ticketId) return ticketId
    const { status } = await see(who.companyId, holder)
    return status === 'closed' || status === 'deleted' ? active.retake(who, { ticketId, uuid }, since, holder) : holder
  }

  async function transfer(viewer: Viewer, row: Standing, body: TicketChange, commandId: string): Promise<TicketRow> {
    const queueId = body.queueId ?? refuse('ERR_QUEUE_REQUIRED')
    await queueOf(viewer, queueId)
    const userId = body.userId ?? null
    const suits = userId === null || (await servesQueue(await userOf(viewer, userId), queueId))
    const settings = await settingsOf(db, viewer.companyId)
    const uuid = idFrom(`${commandId}/successor`)
    const successor = on(settings, 'closeTicketOnTransfer') ? { ticketId: await deps.nextTicketId(), uuid } : null
    const note = body.msgTransfer?.trim()
    const { facts, position } = await ask(row.id, { type: 'Transfer', userId, queueId, suits, successor, ...stamp(viewer) }, commandId)
    const closing = facts.find((fact) => fact.type === 'TicketClosed')
    const { contactId, whatsappId: connectionId, channel, isGroup: group } = row
    if (closing?.successor) {
      const opening = { ...closing.successor, contactId, connectionId, channel, group, follows: row.id }
      await ask(opening.ticketId, { type: 'Open', ...opening, ...stamp(viewer) }, `open-${opening.uuid}`) // it stands before it has the place
      await active.passOn({ companyId: viewer.companyId, connectionId, contactId }, row.id, closing.successor)
    }
    if (note) await tell(viewer, row.id, await privately(note, `${commandId}-note`), `${commandId}-note`) // A-TRANSFER-01
    await reached(position)
    if (!closing?.successor) return answer(viewer, row.id)
    await reached(await deps.head())
    return answer(viewer, closing.successor.ticketId)
  }
  async function privately(body: string, clientId: string): Promise<TicketCommand> {
    const content = { messageId: await deps.nextMessageId(), kind: 'chat' as const, body, media: null, vCard: null, quotedId: null }
    const rest = { private: true, forwarded: false, seen: null, anyway: true, admin: false }
    return { type: 'Send', clientId, externalId: externalIdFrom(clientId), ...content, ...rest }
  }

  async function close(viewer: Viewer, row: Standing, body: TicketChange, commandId: string): Promise<TicketRow> {
    const ignoring = body.sendFarewellMessage === false && body.amountUsedBotQueues === 0 // A-TICKET-08
    const mayCloseWaiting = isAdmin(viewer) || (ignoring ? viewer.flags.userClosePendingTicket : viewer.flags.showDashboard)
    const reason = ignoring && row.status === 'pending' ? 'ignored' : 'agent'
    const tagMissing = on(await settingsOf(db, viewer.companyId), 'requiredTag') && !(await labelled(row))
    const farewell = body.sendFarewellMessage !== false
    await tell(viewer, row.id, { type: 'Close', reason, farewell, mayCloseWaiting, tagMissing }, commandId)
    return answer(viewer, row.id)
  }

  /** A lane is no label (A-TICKET-09). */
  const labelled = ({ contactId }: Standing) =>
    db
      .selectFrom('contactTag')
      .innerJoin('tag', 'tag.id', 'contactTag.tagId')
      .select('tag.id')
      .where('contactTag.contactId', '=', contactId)
      .where('tag.kanban', '=', 0)
      .executeTakeFirst()
  const queueOf = async ({ companyId }: Viewer, id: number) =>
    (await db.selectFrom('queue').select('id').where('id', '=', id).where('companyId', '=', companyId).executeTakeFirst()) ??
    refuse('ERR_NO_QUEUE_FOUND')
  const userOf = async ({ companyId }: Viewer, id: number) =>
    (await db.selectFrom('user').select(['id', 'profile']).where('id', '=', id).where('companyId', '=', companyId).executeTakeFirst()) ??
    refuse('ERR_NO_USER_FOUND')
  const servesQueue = async ({ id, profile }: { id: number; profile: string }, queueId: number) =>
    profile === 'admin' ||
    (await db.selectFrom('userQueue').select('userId').where('userId', '=', id).where('queueId', '=', queueId).executeTakeFirst()) !==
      undefined

  return {
    list: ({ viewer, query }) => listTickets(db, viewer, query),

    async byUuid({ viewer, params, commandId }) {
      const row = await sighted(db, viewer, await ticketIdOf(db, viewer.companyId, params.uuid))
      await tell(viewer, row.id, { type: 'Access', userId: viewer.id }, commandId)
      return answer(viewer, row.id)
    },

    /** A-TICKET-01, A-TICKET-02. */
    async open({ viewer, body, commandId }) {
      const { companyId } = viewer
      const contact =
        (await db
          .selectFrom('contact')
          .select(['id', 'channel', 'isGroup', 'active'])
          .where('id', '=', body.contactId)
          .where('companyId', '=', companyId)
          .where('deletedAt', 'is', null)
          .executeTakeFirst()) ?? refuse('ERR_NO_CONTACT_FOUND')
      if (!contact.active) refuse('ERR_CREATING_TICKET')
      const connection = await connectionFor(db, viewer, body.whatsappId ?? null)
      const queueId = body.queueId ?? null
      if (queueId !== null) await queueOf(viewer, queueId)
      const userId = body.status === 'pending' ? null : (body.userId ?? viewer.id)
      if (userId !== null && userId !== viewer.id) {
        if (!isAdmin(viewer)) refuse('ERR_NO_PERMISSION')
        await userOf(viewer, userId)
      }
      if (userId !== null && queueId === null) refuse('ERR_QUEUE_REQUIRED')
      const who = { companyId, connectionId: connection.id, contactId: contact.id }
      let claim = await active.claim(who)
      const now = await see(companyId, claim.ticketId)
      if (now.status === 'closed' || now.status === 'deleted') claim = await active.replace(who, claim.ticketId)
      else if (now.status !== 'absent') return busy(db, companyId, claim.ticketId)
      const { ticketId, uuid } = claim
      const opening = {
        ticketId,
        uuid,
        contactId: contact.id,
        connectionId: connection.id,
        channel: connection.channel,
        group: contact.isGroup,
        queueId,
        follows: null,
      }
      const { facts, position } = await ask(ticketId, { type: 'Open', userId, ...opening, ...stamp(viewer) }, commandId)
      if (facts.length === 0) return busy(db, companyId, ticketId) // somebody opened it in between
      await reached(position)
      return answer(viewer, ticketId)
    },

    async change({ viewer, params, body, commandId }) {
      const meant = intent(body)
      if (meant === 'take') return take(viewer, params.id, body, commandId)
      const row = await sighted(db, viewer, params.id)
      switch (meant) {
        case 'transfer':
          return transfer(viewer, row, body, commandId)
        case 'close':
          return close(viewer, row, body, commandId)
        case 'return':
          await tell(viewer, row.id, { type: 'Return', userId: viewer.id, admin: isAdmin(viewer) }, commandId)
          return answer(viewer, row.id)
        case 'switch':
          await tell(viewer, row.id, { type: 'SwitchIntegration', on: body.useIntegration === true }, commandId)
          return answer(viewer, row.id)
      }
    },

    async remove({ viewer, params, commandId }) {
      await sighted(db, viewer, params.id)
      await tell(viewer, params.id, { type: 'Delete' }, commandId)
    },

    /** One command a ticket, each on its own; nothing is said to the contacts (A-TICKET-13). */
    async closeAll({ viewer, body: { status, selectedQueueIds }, commandId }) {
      if (status === 'closed') refuse('ERR_INVALID_INPUT', { field: 'status' })
      const rows = await db
        .selectFrom('ticket')
        .select('ticket.id')
        .where(inSight(viewer, 'ticket'))
        .where('ticket.status', '=', status)
        .where((eb) =>
          eb.or([
            ...(selectedQueueIds.length > 0 ? [eb('ticket.queueId', 'in', selectedQueueIds)] : []),
            ...(selectedQueueIds.length > 0 && viewer.flags.allTicket ? [eb('ticket.queueId', 'is', null)] : []),
          ]),
        )
        .limit(5000)
        .execute()
      let count = 0
      let last: bigint | null = null
      const next = rows.values()
      const close = async () => {
        for (const { id } of next) {
          const command = { type: 'Close', reason: 'closeAll', farewell: false, mayCloseWaiting: true, tagMissing: false } as const
          const { facts, position } = await ask(id, { ...command, ...stamp(viewer) }, `${commandId}-${id}`).catch(nothing)
          if (facts.length > 0) count++
          if (position !== null && (last === null || position > last)) last = position
        }
      }
      await Promise.all(Array.from({ length: 8 }, close))
      await reached(last)
      return { count }
    },
  }
}

/** A ticket that went away meanwhile is no fault of the others. */
function nothing(error: unknown): { facts: never[]; position: null } {
  if (error instanceof Refusal) return { facts: [], position: null }
  throw error
}

type Intent = 'transfer' | 'close' | 'return' | 'take' | 'switch'
/** The published call says which fields to set; the domain wants to know what the agent meant. This is the one place that translates. */
export function intent({ isTransfered, status, useIntegration }: TicketChange): Intent {
  if (isTransfered) return 'transfer'
  if (status === 'closed') return 'close'
  if (status === 'pending') return 'return'
  if (status === 'open' || status === 'group') return 'take'
  return useIntegration === undefined ? refuse('ERR_INVALID_INPUT', { field: 'status' }) : 'switch'
}

/** The one that is named, else the user's, else the company's default (A-TICKET-01). */
export async function connectionFor(db: Kysely<Database>, { companyId, id }: Viewer, whatsappId: number | null) {
  const mine = db.selectFrom('connection').select(['id', 'channel']).where('companyId', '=', companyId)
  if (whatsappId !== null) return (await mine.where('id', '=', whatsappId).executeTakeFirst()) ?? refuse('ERR_NO_WAPP_FOUND')
  const user = await db.selectFrom('user').select('whatsappId').where('id', '=', id).executeTakeFirst()
  const own = user?.whatsappId ? await mine.where('id', '=', user.whatsappId).executeTakeFirst() : undefined
  return own ?? (await mine.where('isDefault', '=', true).executeTakeFirst()) ?? refuse('ERR_NO_DEF_WAPP_FOUND')
}

async function busy(db: Kysely<Database>, companyId: number, ticketId: number): Promise<never> {
  const row = await ticketById(db, companyId, ticketId)
  refuse('ERR_OTHER_OPEN_TICKET', {
    userId: row?.userId ?? null,
    user: row?.user ? { id: row.user.id, name: row.user.name } : null,
    queue: row?.queue ?? null,
    ticket: row ? { id: row.id, uuid: row.uuid } : null,
  })
}

export const ticketLogRoutes = ({ db }: Pick<Deps, 'db'>): Handlers<typeof ticketLogs> => ({
  list: async ({ viewer, params }) => ticketLog(db, (await sighted(db, viewer, params.ticketId)).id),
})

import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { TicketChange, TicketRow, tickets } from '#domain/ticket/contract.ts'
import type { ticketLogs } from '#domain/ticket-log/contract.ts'
import { listTickets, ticketById, ticketIdOf, ticketLog } from '#projections/ticket/read.ts'
import { notifiedTickets, unreadTickets } from '#projections/ticket/unread.ts'
import { countWaitingElsewhere } from '#projections/ticket/waiting-elsewhere.ts'
import { countNumber } from '../contact/number-questions.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'
import { accept } from './accept.ts'
import { close, closeAll, countAll } from './close.ts'
import { type Deps, executeAndWait, toTicketResponse } from './execute.ts'
import { open } from './open.ts'
import { successorOf, transfer } from './transfer.ts'
import { undo, undoAll } from './undo.ts'
import { findVisibleTicket, isAdmin, toCommandMetadata } from './visibility.ts'

export const ticketRoutes = (deps: Deps): Handlers<typeof tickets> => {
  const { db } = deps
  /** Returns null if this same call, now repeated, moved the ticket out of the viewer's sight. */
  const sightedOrDone = (viewer: Viewer, id: number, commandId: string) =>
    findVisibleTicket(db, viewer, id).catch(async (error) => {
      if (await deps.wasExecuted(viewer.companyId, id, viewer.id, commandId)) return null
      throw error
    })
  return {
    async list({ viewer, query, wire }) {
      countNumber(viewer, query.searchParam, wire)
      return listTickets(db, viewer, query)
    },

    async byUuid({ viewer, params, commandId }) {
      const row = await findVisibleTicket(db, viewer, await ticketIdOf(db, viewer.companyId, params.uuid))
      const { position } = await deps.execute(row.id, { type: 'Access', userId: viewer.id, ...toCommandMetadata(viewer) }, commandId)
      await deps.waitForProjection(position) // after a timeout the ticket is returned anyway
      return toTicketResponse(deps, viewer, row.id)
    },

    async seen({ viewer, params, body, commandId }) {
      const { id } = await findVisibleTicket(db, viewer, params.id)
      const { state } = await deps.execute(id, { type: 'Read', userId: viewer.id, ...body, ...toCommandMetadata(viewer) }, commandId)
      return { unreadMessages: 'unread' in state ? state.unread : 0 }
    },

    unread: async ({ viewer }) => ({ ids: await unreadTickets(db, viewer, await notifiesWaiting(db, viewer)) }),

    notifications: async ({ viewer, query: { pageNumber = 1 } }) =>
      notifiedTickets(db, viewer, await notifiesWaiting(db, viewer), pageNumber),

    waitingElsewhere: ({ viewer }) => countWaitingElsewhere(db, viewer),

    open: open(deps),

    async change({ viewer, params, body, commandId }) {
      const given = isRow(body)
      const change = given ? differing(body, await ticketById(db, viewer.companyId, params.id)) : body
      const intended = given && Object.keys(change).length === 0 ? 'nothing' : intent(change)
      if (intended === 'accept') return accept(deps, viewer, params.id, change, commandId)
      const row = await sightedOrDone(viewer, params.id, commandId)
      if (!row) return toTicketResponse(deps, viewer, (await successorOf(deps, viewer, params.id, commandId)) ?? params.id)
      switch (intended) {
        case 'transfer':
          return transfer(deps, viewer, row, change, commandId)
        case 'close':
          return close(deps, viewer, row, change, commandId)
        case 'return':
          await executeAndWait(deps, viewer, row.id, { type: 'Return', userId: viewer.id, admin: isAdmin(viewer) }, commandId)
          return toTicketResponse(deps, viewer, row.id)
        case 'switch':
          await executeAndWait(deps, viewer, row.id, { type: 'SwitchIntegration', on: change.useIntegration === true }, commandId)
          return toTicketResponse(deps, viewer, row.id)
        case 'amount':
          await executeAndWait(deps, viewer, row.id, { type: 'SetAmount', amount: cents(change.amount ?? null) }, commandId)
          return toTicketResponse(deps, viewer, row.id)
        case 'nothing':
          return toTicketResponse(deps, viewer, row.id)
      }
    },

    async remove({ viewer, params, commandId }) {
      const row = await sightedOrDone(viewer, params.id, commandId)
      if (row) await executeAndWait(deps, viewer, row.id, { type: 'Delete' }, commandId)
    },

    undo: ({ viewer, params, body, commandId }) => undo(deps, viewer, params.id, body.seen ?? null, commandId),
    closeAll: closeAll(deps),
    countAll: countAll(deps),
    undoAll: undoAll(deps),
  }
}

const notifiesWaiting = async (db: Deps['db'], { companyId }: Viewer) => on(await settingsOf(db, companyId), 'showNotificationPending')

const cents = (amount: number | null) => amount && Math.round(amount * 100) / 100

const named = ['status', 'userId', 'queueId', 'isTransfered', 'useIntegration'] as const
const settable = [...named, 'amount'] as const
/** A client may send back the whole row. Then only the changed fields count. */
const isRow = (body: TicketChange) => named.every((field) => body[field] !== undefined)
function differing(body: TicketChange, row: TicketRow | undefined): TicketChange {
  const same = row ? settable.filter((field) => body[field] === undefined || body[field] === row[field]) : []
  if (same.length === settable.length) return {}
  const moved = ['status', 'userId', 'queueId'].some((field) => !same.includes(field as 'status'))
  const kept = moved ? ['status', 'userId', 'queueId'] : [] // status, user and queue belong together
  return Object.fromEntries(Object.entries(body).filter(([field]) => kept.includes(field) || !same.includes(field as 'status')))
}

type Intent = 'transfer' | 'close' | 'return' | 'accept' | 'switch' | 'amount'
/** Translates the published fields into the agent's intent. This is the only place that does so. */
export function intent({ isTransfered, status, useIntegration, amount }: TicketChange): Intent {
  if (amount !== undefined)
    return isTransfered || status || useIntegration !== undefined ? refuse('ERR_INVALID_INPUT', { field: 'amount' }) : 'amount'
  if (isTransfered) return 'transfer'
  if (status === 'closed') return 'close'
  if (status === 'pending') return 'return'
  if (status === 'open' || status === 'group') return 'accept'
  return useIntegration === undefined ? refuse('ERR_INVALID_INPUT', { field: 'status' }) : 'switch'
}

export const ticketLogRoutes = ({ db }: Pick<Deps, 'db'>): Handlers<typeof ticketLogs> => ({
  list: async ({ viewer, params }) => ticketLog(db, (await findVisibleTicket(db, viewer, params.ticketId)).id),
})

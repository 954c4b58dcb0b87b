import type { Viewer } from '#domain/access.ts'
import { ids } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import { closing, type TicketChange, type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { ratingScales } from '#domain/ticket/rules.ts'
import { shownFor } from '#projections/contact/person.ts'
import { listed, type TicketSummary, whereVisibleTo } from '#projections/ticket/read.ts'
import { type LongWork, startWork } from '../bulk-operation/bulk-operations.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import type { AppContext } from '../context.ts'
import { idFrom } from '../event-store/event-codec.ts'
import { commandOf, executeForMany } from '../http/idempotency.ts'
import type { Command, Handlers } from '../http/serve.ts'
import { importReopened } from '../inbound/reopened.ts'
import { settingsOf } from '../setting/read.ts'
import { type Deps, executeAndWait, toTicketResponse } from './execute.ts'
import { ignoreRefusal } from './ignore-refusal.ts'
import { isAdmin, toCommandMetadata } from './visibility.ts'

export async function close(deps: Deps, viewer: Viewer, row: TicketSummary, body: TicketChange, commandId: string): Promise<TicketRow> {
  const ignoring = body.sendFarewellMessage === false && body.amountUsedBotQueues === 0 // A-TICKET-08
  const mayCloseWaiting = isAdmin(viewer) || (ignoring ? viewer.flags.userClosePendingTicket : viewer.flags.showDashboard)
  const waits = row.status === 'pending' || row.status === 'lgpd'
  const reason = ignoring && waits ? 'ignored' : 'agent'
  const tagMissing = on(await settingsOf(deps.db, viewer.companyId), 'requiredTag') && !(await selectLabels(deps, row))
  const farewell = body.sendFarewellMessage !== false
  const rates = await ratingRequestFor(deps, row, body, farewell)
  await executeAndWait(deps, viewer, row.id, { type: 'Close', reason, farewell, mayCloseWaiting, tagMissing, ...rates }, commandId)
  return toTicketResponse(deps, viewer, row.id)
}

/** A rating is requested by the call or by the company setting, if the connection has a text for it (A-NPS-02). */
async function ratingRequestFor(
  { db }: Deps,
  row: TicketSummary,
  { ratingId }: TicketChange,
  farewell: boolean,
): Promise<{ rates?: true }> {
  if (ratingId !== undefined && !ratingScales.some(({ id }) => id === ratingId)) refuse('ERR_RATING_REQUIRED', { field: 'ratingId' })
  const wanted = ratingId !== undefined || (farewell && on(await settingsOf(db, row.companyId), 'userRating'))
  if (!wanted) return {}
  const connection = db.selectFrom('connection').select('ratingMessage').where('id', '=', row.whatsappId)
  return (await connection.executeTakeFirst())?.ratingMessage?.trim() ? { rates: true } : {}
}

/** A lane is not a label (A-TICKET-09). */
const selectLabels = ({ db }: Deps, { contactId }: TicketSummary) =>
  db
    .selectFrom('contactTag')
    .innerJoin('tag', 'tag.id', 'contactTag.tagId')
    .select('tag.id')
    .where('contactTag.contactId', '=', shownFor(contactId))
    .where('tag.kanban', '=', 0)
    .executeTakeFirst()

/**
 * Selects the tickets that close-all closes: those in the given queues, and tickets without a queue if the
 * viewer sees them (A-TICKET-13).
 */
function selectTickets({ db }: Deps, viewer: Viewer, status: string, queueIds: number[]) {
  return db
    .selectFrom('ticket')
    .where(whereVisibleTo(viewer, 'ticket'))
    .where('ticket.status', '=', status as 'open')
    .where((eb) =>
      eb.or([
        ...(queueIds.length > 0 ? [eb('ticket.queueId', 'in', queueIds)] : []),
        ...(queueIds.length > 0 && viewer.flags.allTicket ? [eb('ticket.queueId', 'is', null)] : []),
      ]),
    )
}

export const countAll =
  (deps: Deps): Handlers<typeof tickets>['countAll'] =>
  async ({ viewer, query: { status, selectedQueueIds } }) => {
    const counted = selectTickets(deps, viewer, status, ids(selectedQueueIds)).select((eb) => eb.fn.countAll<number>().as('count'))
    return { count: Number((await counted.executeTakeFirstOrThrow()).count) }
  }

export const closeAll =
  (deps: Deps): Handlers<typeof tickets>['closeAll'] =>
  async (asking) => {
    const { viewer, body } = asking
    const { status, selectedQueueIds } = body
    if (status === 'closed') refuse('ERR_INVALID_INPUT', { field: 'status' })
    const all = selectTickets(deps, viewer, status, selectedQueueIds).select('ticket.id').orderBy('ticket.id')
    return closeEach(deps, viewer, commandOf(tickets.closeAll, asking), () => all.execute())
  }

export const closingRoutes = (deps: Deps & Pick<AppContext, 'enqueue'>): Handlers<typeof closing> => ({
  async asked({ viewer, query }) {
    const all = await listed(deps.db, viewer, query)
    const of = Map.groupBy(all, ({ userId }) => userId)
    const served = [...of.keys()].filter((id) => id !== null)
    const users = deps.db.selectFrom('user').select(['id', 'name']).where('companyId', '=', viewer.companyId)
    const named = new Map((served.length > 0 ? await users.where('id', 'in', served).execute() : []).map((user) => [user.id, user]))
    const holders = [...of].map(([id, { length: count }]) => ({ user: id === null ? null : (named.get(id) ?? null), count }))
    return { count: all.length, holders: holders.toSorted((a, b) => b.count - a.count) }
  },
  close: async (asking) => {
    const { viewer, body } = asking
    return closeEach(deps, viewer, commandOf(closing.close, asking), () => listed(deps.db, viewer, body))
  },
  async begin({ viewer, body, commandId }) {
    const items = (await listed(deps.db, viewer, body)).map(({ id }) => id)
    const of = { companyId: viewer.companyId, userId: viewer.id, commandId }
    return startWork(deps, { ...of, kind: 'closeTickets', items, args: { batch: batchOf(viewer, commandId) } })
  },
})

/** Closes many tickets as a bulk operation, one command each. */
export const closeTickets: LongWork = {
  async each(id, { companyId, userId, commandId, args }, { execute }) {
    const metadata = { companyId, by: { kind: 'user', id: userId } } as const
    const { events, isDuplicate } = await execute(id, { ...closeListed, batch: args.batch!, ...metadata }, `${commandId}-${id}`)
    return events.length > 0 || isDuplicate
  },
  async end({ companyId }, { db, waitForProjection, readHeadPosition }) {
    await waitForProjection(await readHeadPosition())
    await importReopened(db, companyId)
  },
}
const closeListed = { type: 'Close', reason: 'closeAll', farewell: false, mayCloseWaiting: true, tagMissing: false } as const
const batchOf = ({ companyId, id }: Viewer, commandId: string) => idFrom(`${companyId}/${id}/${commandId}`)

const atOnce = 8
/** Executes one command per ticket. The contacts receive no message (A-TICKET-13). */
async function closeEach(
  deps: Deps,
  viewer: Viewer,
  command: Command,
  meant: () => Promise<{ id: number }[]>,
): Promise<{ count: number; batch: string }> {
  const batch = batchOf(viewer, command.id)
  const each = { ...closeListed, batch, ...toCommandMetadata(viewer) }
  const closed = async (all: number[]): Promise<number> => {
    let count = 0
    await forEachConcurrently(all, atOnce, async (id) => {
      const done = await deps.execute(id, each, `${command.id}-${id}`).catch(ignoreRefusal) // the other tickets still count
      if (done && (done.events.length > 0 || done.isDuplicate)) count++
    })
    await deps.waitForProjection(await deps.readHeadPosition())
    return count
  }
  const ids = async () => (await meant()).map(({ id }) => id)
  return { count: await executeForMany(deps.db, viewer, command, ids, closed), batch }
}

import type { Viewer } from '#domain/access.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { TicketChange, TicketRow, tickets } from '#domain/ticket/contract.ts'
import { inSight, type Standing } from '#projections/ticket/read.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from '../session/viewers.ts'
import { isAdmin, stamp } from './sight.ts'
import { answer, type Deps, tell } from './tell.ts'

export async function close(deps: Deps, viewer: Viewer, row: Standing, body: TicketChange, commandId: string): Promise<TicketRow> {
  const ignoring = body.sendFarewellMessage === false && body.amountUsedBotQueues === 0 // A-TICKET-08
  const mayCloseWaiting = isAdmin(viewer) || (ignoring ? viewer.flags.userClosePendingTicket : viewer.flags.showDashboard)
  const reason = ignoring && row.status === 'pending' ? 'ignored' : 'agent'
  const tagMissing = on(await settingsOf(deps.db, viewer.companyId), 'requiredTag') && !(await labelled(deps, row))
  const farewell = body.sendFarewellMessage !== false
  await tell(deps, viewer, row.id, { type: 'Close', reason, farewell, mayCloseWaiting, tagMissing }, commandId)
  return answer(deps, viewer, row.id)
}

/** A lane is no label (A-TICKET-09). */
const labelled = ({ db }: Deps, { contactId }: Standing) =>
  db
    .selectFrom('contactTag')
    .innerJoin('tag', 'tag.id', 'contactTag.tagId')
    .select('tag.id')
    .where('contactTag.contactId', '=', contactId)
    .where('tag.kanban', '=', 0)
    .executeTakeFirst()

/** One command a ticket, each on its own; nothing is said to the contacts (A-TICKET-13). */
export const closeAll =
  (deps: Deps): Handlers<typeof tickets>['closeAll'] =>
  async ({ viewer, body: { status, selectedQueueIds }, commandId }) => {
    const { db, ask, reached } = deps
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
  }

/** A ticket that went away meanwhile is no fault of the others. */
function nothing(error: unknown): { facts: never[]; position: null } {
  if (error instanceof Refusal) return { facts: [], position: null }
  throw error
}

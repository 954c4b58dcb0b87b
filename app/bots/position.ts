import { type Kysely, sql } from 'kysely'
import type { Actor } from '#domain/decider.ts'
import { on } from '#domain/setting/contract.ts'
import type { AutomationAction } from '#domain/ticket/automation.ts'
import type { Database } from '#projections/database.ts'
import type { NextId } from '../ids.ts'
import type { Due } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import { ticketOf } from '../ticket/system-messages.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { type BotConversation, createMessageBuilder } from './acts.ts'
import { loadBotContext } from './setup.ts'

export type Deps = { db: Kysely<Database>; execute: ExecuteTicketCommand; load: LoadTicket; nextMessageId: NextId }
export const bot: Actor = { kind: 'bot', flowId: null }

/**
 * Returns the contact's position in the queue (A-POS-01). For a delayed message, `came` is the revision at
 * which the ticket entered, so that later arrivals do not count.
 */
export async function positionAct(
  { db }: Pick<Deps, 'db'>,
  conversation: BotConversation,
  at: { companyId: number; ticketId: number; queueId: number | null; came?: number },
  messageBuilder: ReturnType<typeof createMessageBuilder>,
): Promise<AutomationAction[]> {
  const { companyId, ticketId, queueId, came: entered = null } = at
  const { settings, setup } = conversation
  if (queueId === null || setup.group || !on(settings, 'sendQueuePosition')) return []
  const { n } = await db
    .selectFrom('ticket as t')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('companyId', '=', companyId)
    .where('queueId', '=', queueId)
    .where('status', '=', 'pending')
    .where('isBot', '=', false)
    .where('id', '!=', ticketId)
    // a chat known only from imported history is not waiting
    .where(sql<boolean>`(t.unread_messages > 0 or not exists (select from import_chat i where i.ticket_id = t.id))`)
    .where(sql<boolean>`not exists (
      select from ticket_log own where own.ticket_id = ${ticketId} and own.revision = ${entered}
        and (t.waiting_since > own.created_at or exists (
          select from ticket_log l where l.ticket_id = t.id and l.created_at > own.created_at
            and l.type in ('queue', 'redirect') and l.queue_id = ${queueId})))`) // after an undo, the ticket keeps its earlier waiting time
    .executeTakeFirstOrThrow()
  const position = String(Number(n) + 1)
  const set = settings.sendQueuePositionMessage
  const text = /\{\s*position\s*\}/i.test(set) ? set : `${set} ${position}`
  return [{ rule: 'A-POS-01', reason: 'position', effects: await messageBuilder.text(text, queueId, { position }) }]
}

/** After a transfer or a redirection to a queue. */
export async function sendQueuePosition({ companyId, aggregateId, kind, cause = null }: Due, deps: Deps): Promise<void> {
  const revision = Number(kind.split('/')[1])
  if (!on(await settingsOf(deps.db, companyId), 'sendQueuePosition')) return
  const ticket = await ticketOf({ companyId, aggregateId }, deps)
  if (ticket?.status !== 'pending' || ticket.group || ticket.userId !== null || ticket.undone.includes(revision)) return
  const { connectionId, contactId, queueId, waitingSince } = ticket
  const entered = await deps.db
    .selectFrom('ticketLog')
    .select(['queueId', 'createdAt'])
    .where('ticketId', '=', aggregateId)
    .where('revision', '=', revision)
    .where('type', 'in', ['receivedTransfer', 'redirect'])
    .executeTakeFirst()
  // the ticket entered a queue again and is sent that position
  if (entered && (entered.queueId !== queueId || new Date(waitingSince ?? 0) > new Date(entered.createdAt))) return
  const set = await loadBotContext(deps.db, { companyId, connectionId, contactId })
  if (!set) return
  const conversation = { ...set, queueId, name: `position/${companyId}/${aggregateId}/${revision}` }
  const [act] = await positionAct(
    deps,
    conversation,
    { companyId, ticketId: aggregateId, queueId, came: revision },
    createMessageBuilder(conversation, deps.nextMessageId),
  )
  if (!act) return
  const remark = { type: 'Remark' as const, answers: null, act, afterMs: 0 }
  await deps.execute(aggregateId, { ...remark, companyId, by: bot }, `position-${aggregateId}-${revision}`, cause ?? undefined)
}

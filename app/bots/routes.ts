import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type AutomationStep, type automation, stepsEdge } from '#domain/automation/contract.ts'
import { reasonOf, type ScheduledRuleId } from '#domain/automation/rules.ts'
import { maskMentions } from '#domain/contact/mask.ts'
import type { Actor } from '#domain/decider.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { type ScheduledRule, scheduledRules } from '#domain/ticket/timeouts.ts'
import type { Database } from '#projections/database.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import type { Handlers } from '../http/serve.ts'
import { nextTurn } from '../ticket/assignment.ts'
import { timeoutPolicyFor, type Deps as WaitingDeps } from '../ticket/timeouts.ts'
import { findVisibleTicket } from '../ticket/visibility.ts'

type Deps = WaitingDeps & { db: Kysely<Database>; eventStore: EventStore }

/** Maximum events per read. */
const eventLimit = 1000

export const automationRoutes = (deps: Deps): Handlers<typeof automation> => ({
  async show({ viewer, params, query }) {
    const { db, eventStore, load } = deps
    const { companyId } = viewer
    const { id } = await findVisibleTicket(db, viewer, params.id)
    const ticket = await load(companyId, id)
    const known = 'revision' in ticket ? ticket.revision + 1 : 0
    const to = Math.min(query.before ?? known, known)
    const from = Math.min(Math.max(query.from ?? 0, to - eventLimit), to)
    const read = Math.max(0, from - stepsEdge) // includes an append that began before the page
    const { events } = await eventStore.read(streamName(ticketStream, companyId, id), BigInt(read), to - read + stepsEdge)
    const steps = stepsOf(events).filter(({ revision }) => revision >= from && revision < to)
    const next: { rule: ScheduledRuleId; dueAt: string }[] =
      'connectionId' in ticket ? scheduledRules(ticket, await timeoutPolicyFor(companyId, ticket, deps)).map(moment) : []
    const turn = await nextTurn(companyId, ticket, deps)
    if (turn !== null) next.push({ rule: 'A-ROT-01', dueAt: turn })
    return {
      steps: await withNames(db, viewer, id, steps),
      ...{ from, to },
      next: next.toSorted((a, b) => a.dueAt.localeCompare(b.dueAt)),
    }
  },
})

const moment = ({ rule, dueAt }: ScheduledRule) => ({ rule, dueAt: new Date(dueAt).toISOString() })

/** The rule and reason of a system message, by the type of the event that caused it. */
const ruleByCause: Partial<Record<string, { rule: string; reason: string }>> = {
  TicketAccepted: { rule: 'A-TICKET-03', reason: 'greetingAccepted' },
  TicketClosed: { rule: 'A-TICKET-07', reason: 'farewell' },
  TicketTransferred: { rule: 'A-TRANSFER-01', reason: 'transferText' },
  TicketOpened: { rule: 'A-TRANSFER-01', reason: 'transferText' },
  MessageReceived: { rule: 'A-CALL-01', reason: 'call' },
}

/** Unsealed fields of the events that make up a step. */
type Data = {
  rule?: string
  reason?: string
  why?: string
  answers?: number | null
  choice?: { number: number; name: string }
  text?: string
  queueId?: number | null
  userId?: number | null
  tagId?: number
}
type Meta = { at: string; commandId: string; by: Actor; $causationId?: string }
type Step = { eventId: string } & Pick<AutomationStep, 'revision' | 'at' | 'rule' | 'reason' | 'choice' | 'text'> & {
    answers: number | null
    sent: number[]
    queueId: number | null
    userId: number | null
    tagId: number | null
  }

/**
 * An event with a rule begins a step. The step includes the rest of that append and the messages that it
 * caused.
 */
function stepsOf(events: StoredEvent[]): Step[] {
  const steps: Step[] = []
  let of = ''
  let lastInbound = { commandId: '', revision: -1 }
  const before = new Map<string, { type: string; revision: number }>()
  for (const { id: eventId, type, data, meta, revision } of events) {
    const { at, by, commandId, $causationId: cause = '' } = meta as unknown as Meta
    const { rule, reason, why, answers = null, choice = null, text = null, queueId = null, userId = null, tagId = null } = data as Data
    if (type === 'MessageReceived') lastInbound = { commandId, revision: Number(revision) }
    before.set(eventId, { type, revision: Number(revision) })
    const follows = before.get(cause)
    const step = of === commandId ? steps.at(-1) : undefined
    const blank = { eventId, revision: Number(revision), at, choice, text, tagId, queueId: null, userId: null }
    if (type === 'MessageSent') {
      const because = step ?? steps.findLast((one) => one.eventId === cause)
      const own = by.kind === 'system' ? ruleByCause[follows?.type ?? ''] : undefined
      if (because) because.sent.push(Number(revision))
      else if (own) steps.push({ ...blank, ...own, answers: null, sent: [Number(revision)] })
    } else if (type === 'AutomationActed' || (rule !== undefined && (!step || type === 'LaneEntered'))) {
      of = commandId
      const answered = follows?.type === 'MessageReceived' ? follows.revision : null
      steps.push({
        ...blank,
        rule: rule!,
        reason: reasonOf(type, { rule, reason, why }) ?? type,
        answers: answers ?? (lastInbound.commandId === commandId ? lastInbound.revision : answered),
        sent: [],
        ...(type !== 'AutomationActed' && { queueId, userId }),
      })
    } else if (type === 'TicketQueued' && step) step.queueId = queueId
    else if (type === 'TicketAssigned' && step) step.userId = userId
  }
  return steps
}

/** Adds the current text. Deleted or erased messages show none. */
async function withNames(db: Kysely<Database>, { companyId, masked }: Viewer, ticketId: number, steps: Step[]): Promise<AutomationStep[]> {
  const ids = (key: 'queueId' | 'userId' | 'tagId') => [0, ...steps.flatMap((step) => step[key] ?? [])]
  const revisions = [-1, ...steps.flatMap(({ answers, sent }) => [...sent, ...(answers === null ? [] : [answers])])]
  const coloured = (table: 'queue' | 'user' | 'tag', key: 'queueId' | 'userId' | 'tagId') =>
    db.selectFrom(table).select(['id', 'name', 'color']).where('companyId', '=', companyId).where('id', 'in', ids(key)).execute()
  const [messages, queues, users, lanes] = await Promise.all([
    db
      .selectFrom('message')
      .select(['id as messageId', 'revision', 'mediaType as kind', 'body', 'deletedBy'])
      .where('ticketId', '=', ticketId)
      .where('revision', 'in', revisions)
      .execute(),
    coloured('queue', 'queueId'),
    coloured('user', 'userId'),
    coloured('tag', 'tagId'),
  ])
  const shown = (body: string) => (masked ? maskMentions(body) : body)
  const words = new Map(
    messages.map(({ revision, body, ...one }) => [revision, { ...one, body: one.deletedBy === null ? shown(body) : '' }]),
  )
  return steps.map(({ eventId: _, answers, sent, queueId, userId, tagId, ...step }) => ({
    ...step,
    answers: (answers !== null && words.get(answers)) || null,
    said: sent.flatMap((revision) => words.get(revision) ?? []),
    queue: queues.find(({ id }) => id === queueId) ?? null,
    user: users.find(({ id }) => id === userId) ?? null,
    lane: lanes.find(({ id }) => id === tagId) ?? null,
  }))
}

import type { Asker } from '#domain/decider.ts'
import { audioPauseMs, audioRefusal, decided, ledByPeople } from '#domain/flow/order.ts'
import type { Effect } from '#domain/ticket/automation.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { undoWindow } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Recorded } from '#projections/projector.ts'
import { causeOf } from '../eventlog/facts.ts'
import type { Reactor } from '../eventlog/reactor.ts'
import { ticketOf } from '../ticket/say.ts'
import { setDeadline } from '../work/deadlines.ts'
import { actsOf, speaker } from './acts.ts'
import { bot, type Deps, positionAct } from './position.ts'
import { ledBy } from './setup.ts'

type Received = Recorded<Extract<TicketEvent, { type: 'MessageReceived' }>>

/** Answers what contacts write by what their company has set: one command a message, whose id derives from it, so that twice is once. */
export const bots: Reactor<TicketEvent, Deps> = {
  name: 'bots',
  of: ticketStream,
  on: {
    MessageReceived: answered,
    TicketTransferred: async ({ userId, companyId, aggregateId, revision, at, ...event }, { db }) => {
      const dueAt = new Date(Date.parse(at) + undoWindow).toISOString()
      if (userId === null) await setDeadline(db, { companyId, aggregateId, kind: `position/${revision}`, dueAt, cause: causeOf(event) })
    },
  },
}

async function answered(event: Received, deps: Deps): Promise<void> {
  const { companyId, aggregateId: ticketId, revision: answers, kind, body, at, eventId } = event
  const ticket = await ticketOf(event, deps, {}, answers) // what came since, the ticket itself minds
  if (!ticket || ticket.group || ticket.status === 'closed' || kind === 'call_log') return
  const { connectionId, contactId, queueId } = ticket
  const { dealt } = ticket.bot
  const first = answers === 1 // it opened the ticket
  const led = ledByPeople(ticket) || answers <= dealt || (!first && dealt < 0) // the last waited for people before there was a bot
  if (led && kind !== 'audio') return
  const set = await ledBy(deps.db, { companyId, connectionId, contactId })
  if (!set) return
  const situation = { ticket, message: { kind, body, at }, setup: set.setup }
  const by: Asker = { companyId, by: bot }
  const talk = (what: string) => ({ ...set, queueId, name: `${what}/${eventId}` })

  const remark = talk('audio')
  const [refusal] = await actsOf(audioRefusal(situation), remark, speaker(remark, deps.nextMessageId))
  if (refusal)
    await deps.ask(ticketId, { type: 'Remark', answers, act: refusal, afterMs: audioPauseMs, ...by }, `audio-${eventId}`, causeOf(event))
  if (led) return

  const answer = talk('bot')
  const speak = speaker(answer, deps.nextMessageId)
  const acts = await actsOf(decided(situation).outputs, answer, speak)
  const last = acts.at(-1)
  if (!last) return
  const all = acts.flatMap(({ effects }) => effects)
  if (last.reason !== 'outOfHours' && last.effects.some(ends))
    acts.push(...(await positionAct(deps, answer, { companyId, ticketId, queueId: all.findLast(chooses)?.queueId ?? queueId }, speak)))
  await deps.ask(ticketId, { type: 'Automate', answers, from: dealt, acts, ...by }, `bot-${eventId}`, causeOf(event))
}

const ends = ({ does }: Effect) => does === 'end'
const chooses = (effect: Effect): effect is Extract<Effect, { does: 'queue' }> => effect.does === 'queue'

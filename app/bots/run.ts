import type { Kysely } from 'kysely'
import type { Asker } from '#domain/decider.ts'
import { audioPauseMs, audioRefusal, decided, ledByPeople } from '#domain/flow/order.ts'
import type { Output } from '#domain/flow/step.ts'
import type { Act, Effect, Said } from '#domain/ticket/automation.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { Recorded } from '#projections/projector.ts'
import { causeOf, idFrom } from '../eventlog/facts.ts'
import type { Reactor } from '../eventlog/reactor.ts'
import type { NextId } from '../ids.ts'
import { externalIdFrom } from '../message/external-id.ts'
import { ticketOf, worded } from '../ticket/say.ts'
import type { AskTicket, SeeTicket } from '../ticket/store.ts'
import { type Led, ledBy } from './setup.ts'

type Deps = { db: Kysely<Database>; ask: AskTicket; see: SeeTicket; nextMessageId: NextId }
type Received = Recorded<Extract<TicketEvent, { type: 'MessageReceived' }>>

/** Answers what contacts write by what their company has set: one command a message, whose id derives from it, so that twice is once. */
export const bots: Reactor<TicketEvent, Deps> = {
  name: 'bots',
  of: ticketStream,
  on: { MessageReceived: answered },
}

async function answered(event: Received, deps: Deps): Promise<void> {
  const { companyId, aggregateId, revision: answers, kind, body, at, eventId } = event
  const ticket = await ticketOf(event, deps)
  if (!ticket || ticket.group || ticket.status === 'closed' || kind === 'call_log') return
  const { bot, connectionId, contactId, queueId } = ticket
  const first = answers === 1 // it opened the ticket
  const led = ledByPeople(ticket) || answers <= bot.dealt || (!first && bot.dealt < 0) // the last waited for people before there was a bot
  if (led && kind !== 'audio') return
  const set = await ledBy(deps.db, { companyId, connectionId, contactId })
  if (!set) return
  const situation = { ticket, message: { kind, body, at }, setup: set.setup }
  const by: Asker = { companyId, by: { kind: 'bot', flowId: null } }
  const [refusal] = await actsOf(audioRefusal(situation), { ...set, queueId, name: `audio/${eventId}` }, deps)
  if (refusal)
    await deps.ask(aggregateId, { type: 'Remark', answers, act: refusal, afterMs: audioPauseMs, ...by }, `audio-${eventId}`, causeOf(event))
  if (led) return
  const { outputs } = decided(situation)
  const acts = await actsOf(outputs, { ...set, queueId, name: `bot/${eventId}` }, deps)
  if (acts.length > 0)
    await deps.ask(aggregateId, { type: 'Automate', answers, from: bot.dealt, acts, ...by }, `bot-${eventId}`, causeOf(event))
}

type Talk = Led & { queueId: number | null; name: string }

/** What is asked for, with its texts as they are sent: one act for each rule and reason in a row. */
async function actsOf(outputs: Output[], talk: Talk, deps: Deps): Promise<Act[]> {
  const acts: Act[] = []
  let { queueId } = talk
  let n = 0
  async function message(text: string): Promise<Effect[]> {
    if (text.trim() === '') return []
    const clientId = idFrom(`${talk.name}/${n++}`)
    const body = worded(text, { ...talk.contact, queue: talk.queueName(queueId) }, talk.settings)
    const said: Said = {
      messageId: await deps.nextMessageId(),
      kind: 'chat',
      body,
      media: null,
      vCard: null,
      clientId,
      externalId: externalIdFrom(clientId),
    }
    return [{ does: 'say', message: said }]
  }
  async function effects(output: Output): Promise<Effect[]> {
    switch (output.does) {
      case 'say':
        return message(output.text)
      case 'wait':
        return [...(await message(output.text)), { does: 'stand', node: output.node, menus: output.menus }]
      case 'setQueue':
        queueId = output.queueId
        return [{ does: 'queue', queueId }]
      case 'handOver':
        return [{ does: 'end', userId: output.userId }]
      case 'integration':
        return [{ does: 'end', userId: null }] // there are none yet: people answer
      case 'close':
        return [...(await message(output.farewell ? (talk.farewell ?? '') : '')), { does: 'close' }]
      case 'chose':
      case 'pause':
      case 'files': // there are no lists yet
        return []
    }
  }
  for (const output of outputs) {
    const last = acts.at(-1)
    const { rule, reason } = output
    const same = last?.rule === rule && last.reason === reason && output.does !== 'chose'
    const act: Act = same
      ? last
      : { rule, reason, effects: [], ...(output.does === 'chose' && { choice: { number: output.number, name: output.name } }) }
    act.effects.push(...(await effects(output)))
    if (!same) acts.push(act)
  }
  return acts
}

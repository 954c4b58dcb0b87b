import { idFrom } from '#app/event-store/event-codec.ts'
import { externalIdFrom } from '#app/message/external-id.ts'
import { decide, type EventMetadata, fold, type WithMetadata } from '#domain/decider.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { evictOld } from '#domain/ticket/message-window.ts'
import type { BenchPlace } from './place.ts'
import { type Dice, dice, sentence } from './words.ts'

/** The history of one ticket: the events of each command, and the command's id, from which event ids derive. */
export type Conversation = {
  ticketId: number
  contactId: number
  uuid: string
  steps: { commandId: string; facts: WithMetadata<TicketEvent>[] }[]
}
type End = 'closed' | 'open' | 'waiting'

const day = 24 * 3600_000
/** The data set ends at a fixed moment, so that the same seed gives the same log. */
const lastDay = Date.UTC(2026, 0, 31, 12)
export const messagesOf = (i: number) => 10 + (((i * 7) % 13) - 6)
export const contactOf = (i: number, { size }: BenchPlace) => (i % size.contacts) + 1

export function endOf(i: number, { size: { tickets, open, waiting } }: BenchPlace): End {
  if (i > tickets - waiting) return 'waiting'
  return i > tickets - waiting - open ? 'open' : 'closed'
}

/** The i-th ticket, decided by the real decider from commands. Its message ids start at `firstMessageId`. */
export function talk(i: number, place: BenchPlace, words: string[], firstMessageId: number, messages = messagesOf(i)): Conversation {
  const chance = dice(place.size.seed * 1_000_003 + i)
  const end = i > place.size.tickets + 1 ? 'open' : i > place.size.tickets ? 'closed' : endOf(i, place)
  const contactId = contactOf(i, place)
  const queueId = place.queueIds[i % 4]!
  const able = place.agents.filter((agent) => agent.queueIds.includes(queueId))
  const userId = able[Math.floor(i / 4) % able.length]!.userId
  const uuid = idFrom(`bench/${place.size.seed}/${i}`)
  const steps: Conversation['steps'] = []
  let state = ticket.initial
  let at = lastDay - Math.floor(((place.size.tickets - i) / place.size.tickets) * 365 * day) - 4 * 3600_000
  let messageId = firstMessageId

  const ask = (command: TicketCommand, by: EventMetadata['by']) => {
    at += 1000 + chance.int(90_000)
    const facts = decide(ticket, state, { ...command, companyId: place.companyId, by, at: new Date(at).toISOString() })
    state = evictOld(fold(ticket, facts, state))
    if (facts.length > 0) steps.push({ commandId: `bench-${i}-${steps.length}`, facts })
  }
  const customer: EventMetadata['by'] = { kind: 'contact', id: contactId }
  const agent: EventMetadata['by'] = { kind: 'user', id: userId }
  const ids = { ticketId: i, uuid, contactId, connectionId: place.connectionId, channel: 'whatsapp' as const, group: false }
  const opening = { ...ids, queueId, predecessorId: null }
  const text = () => ({ kind: 'chat' as const, body: sentence(words, chance), media: null, vCard: null })
  const receive = () => {
    const id = messageId++
    ask({ type: 'Receive', messageId: id, externalId: `in-${id}`, participant: null, quotedExternalId: null, opening, ...text() }, customer)
  }
  const send = (read: boolean) => {
    const id = messageId++
    const clientId = idFrom(`bench-sent/${id}`)
    const externalId = externalIdFrom(clientId)
    const options = { private: false, forwarded: false, seen: null, anyway: true, admin: false, quotedId: null }
    ask({ type: 'Send', messageId: id, clientId, externalId, ...options, ...text() }, agent)
    ask({ type: 'Dispatch', messageId: id, attempt: 1 }, { kind: 'system' })
    ask({ type: 'Accepted', messageId: id }, { kind: 'system' })
    ask({ type: 'Mark', mark: 'delivered', externalIds: [externalId] }, customer)
    if (read) ask({ type: 'Mark', mark: 'read', externalIds: [externalId] }, customer)
  }

  const waiting = end === 'waiting' ? messages : 1 + chance.int(2)
  for (let said = 0; said < waiting; said++) receive()
  if (end === 'waiting') return { ticketId: i, contactId, uuid, steps }
  ask({ type: 'Accept', userId, queueId }, agent)
  for (let said = waiting; said < messages; said++) turn(chance, receive, send)
  if (end === 'closed') ask({ type: 'Close', reason: 'agent', farewell: false, mayCloseWaiting: true, tagMissing: false }, agent)
  return { ticketId: i, contactId, uuid, steps }
}

function turn({ int }: Dice, receive: () => void, send: (read: boolean) => void): void {
  if (int(2) === 0) receive()
  else send(int(2) === 0)
}

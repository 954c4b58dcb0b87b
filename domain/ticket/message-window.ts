import { inboundMessagesAtOnce, noReferences, type Past, type PastReferences, type StateWindow } from '#domain/state-window.ts'
import type { TicketCommand } from './decide.ts'
import type { TicketEvent } from './events.ts'
import type { TicketMessage } from './message.ts'
import type { Present, Ticket } from './ticket.ts'

/** How many messages the state keeps. */
export const recent = 200
type Message = TicketCommand | TicketEvent
/** Fields of commands and events that reference earlier messages. */
type Names = Partial<{
  messageId: number
  messageIds: number[]
  quotedId: number | null
  again: number
  externalId: string
  externalIds: string[]
  quotedExternalId: string | null
  clientId: string
  seen: number | null
}>
/** Events that create a message; their message id references nothing earlier. */
const begun = ['MessageReceived', 'MessageSentExternally', 'MessageSent', 'MessageImported'] as const
const brought = new Set<Message['type']>(begun)
const bring = new Set<Message['type']>(['Receive', 'SendExternally', 'Send', 'Import', ...begun])
const known = <T>(...list: (T | null | undefined)[]): T[] => list.filter((one) => one !== null && one !== undefined)

export function needs(message: Message): PastReferences {
  const { messageId, messageIds = [], quotedId, again, externalId, externalIds = [], quotedExternalId, clientId, seen } = message as Names
  const decided = brought.has(message.type) // the decision has already resolved the quoted message
  return {
    messages: [...messageIds, ...known(bring.has(message.type) ? null : messageId, decided ? null : quotedId, again)],
    ids: decided ? [] : [...externalIds, ...known(externalId, quotedExternalId, clientId)],
    at: message.type === 'Send' || message.type === 'MessageSent' ? known(seen) : [],
    inboundUpTo: [],
  }
}

/** Returns the references that this state does not contain. A state that evicted nothing contains everything. */
export function missing(ticket: Ticket, { messages, ids, at, inboundUpTo }: PastReferences): PastReferences {
  if (!('since' in ticket) || ticket.since === 0) return noReferences
  return {
    messages: messages.filter((id) => !ticket.messages.has(id)),
    ids: ids.filter((id) => !ticket.usedIds.has(id)),
    at: at.filter((revision) => revision < ticket.since),
    inboundUpTo: inboundUpTo.filter((revision) => lastInboundMessages(ticket, revision, ticket.since).length < inboundMessagesAtOnce),
  }
}

/** The contact's last messages up to a revision, oldest first. `from`: the oldest allowed revision. */
export function lastInboundMessages({ messages }: Present, revision: number, from = 0): (TicketMessage & { messageId: number })[] {
  const all = [...messages].map(([messageId, message]) => ({ ...message, messageId }))
  return all
    .filter((message) => message.from === 'contact' && message.revision <= revision && message.revision >= from)
    .toSorted((a, b) => a.revision - b.revision)
    .slice(-inboundMessagesAtOnce)
}

/** Adds past messages to the state. A message that the state already contains is newer and stays. */
export function withPastReferences<T extends Ticket>(ticket: T, past: Past[]): T {
  if (!('since' in ticket) || past.length === 0) return ticket
  const fresh = past.filter(({ messageId }) => !ticket.messages.has(messageId))
  return {
    ...ticket,
    messages: new Map([...ticket.messages, ...fresh.map(({ messageId, message }) => [messageId, message as TicketMessage] as const)]),
    usedIds: new Map([...ticket.usedIds, ...fresh.flatMap(({ messageId, ids }) => ids.map((id) => [id, messageId] as const))]),
  }
}

/** Returns every message that the state contains. */
export function entries(ticket: Ticket): Past[] {
  if (!('since' in ticket)) return []
  const ids = Map.groupBy(ticket.usedIds, ([, messageId]) => messageId)
  return [...ticket.messages].map(([messageId, message]) => ({ messageId, message, ids: (ids.get(messageId) ?? []).map(([id]) => id) }))
}

/** Reduces the state to its newest messages and to those that changed since the state `kept`. */
export function evictOld<T extends Ticket>(ticket: T, kept: Ticket = ticket, most = recent): T {
  if (!('since' in ticket)) return ticket
  const known = 'since' in kept ? kept.messages : new Map<number, TicketMessage>()
  const newest = [...ticket.messages].toSorted(([, a], [, b]) => a.revision - b.revision).slice(-most)
  const messages = new Map([...[...ticket.messages].filter(([id, message]) => known.get(id) !== message), ...newest])
  const oldest = newest.length < ticket.messages.size || ticket.since > 0 ? newest[0]?.[1].revision : undefined
  return {
    ...ticket,
    messages,
    since: Math.max(ticket.since, oldest ?? 0),
    usedIds: new Map([...ticket.usedIds].filter(([, messageId]) => messages.has(messageId))),
  }
}

/** Estimated bytes, from measured sizes of a message, an id and a note. */
const weight = (now: Ticket): number => ('messages' in now ? now.messages.size * 240 + now.usedIds.size * 50 + now.notes.size * 100 : 0)

export const ticketStateWindow: StateWindow<Ticket, Message> = {
  needs,
  missing,
  withPastReferences,
  entries,
  evictOld,
  weight,
}

import type { Evolve, WithMetadata } from '#domain/decider.ts'
import { type Bot, initialBot, nextBotState } from './bot.ts'
import { type ConsentAsked, nextConsent } from './consent.ts'
import type { AccessMode, Channel, Side, TicketEvent } from './events.ts'
import { newMessage, reacted, type TicketMessage } from './message.ts'
import { reactor } from './rules.ts'
import { nextUndoableAction, type UndoableAction } from './undo.ts'

/** The ticket state for decisions. Screens use the read models instead. */
export type Ticket =
  | { status: 'absent' }
  | { status: 'deleted' /** The ticket that became active again when the transfer was undone. */; back?: number }
  | Present

export type Present = {
  status: 'pending' | 'open' | 'group' | 'closed' | 'nps' | 'lgpd'
  ticketId: number
  uuid: string
  contactId: number
  /** The contact who wrote last and gets the answers, if it is another one that was merged with the ticket's (A-MERGE-01). */
  writerId: number | null
  connectionId: number
  channel: Channel
  group: boolean
  queueId: number | null
  userId: number | null
  unread: number
  /** The number of messages that the contact has written. */
  inboundCount: number
  /** How many of them an agent has seen or answered. */
  readCount: number
  waitingSince: string | null
  openedAt: string
  /** When the current or last user began to serve it. */
  servedSince: string | null
  /** When it was last closed, also after a later reopening. */
  closedAt: string | null
  /** The pending rating request. `actionRevision`: the revision of the resolving action; messages after the revision `asked` are answers. */
  rating: { resolvedAt: string; askedAt: string; times: number; actionRevision: number; asked: number | null } | null
  consent: ConsentAsked | null
  /** The contact got the inactivity warning and has not written since. */
  warned: boolean
  transferred: boolean
  /** The kanban lane, and since when the ticket is in it. */
  lane: { tagId: number; since: string } | null
  amount: number | null
  /** The newest action that can still be undone (A-TICKET-07). */
  undoableAction: UndoableAction | null
  /** Revisions of undone actions; their messages are no longer sent. */
  undone: readonly number[]
  /** The ticket that continues this one after a transfer. */
  successor: { ticketId: number; uuid: string } | null
  /** The revision of the stream: the number of events minus one. */
  revision: number
  /** Our newest answer to the contact, for the stale-reply guard. */
  answered: { revision: number; userId: number | null } | null
  /** The last message between us and the contact, without private messages. */
  last: { from: Side; at: string } | null
  /** When the contact last wrote, by the provider's clock. */
  lastInboundAt: string | null
  /** When the contact's last message was recorded, by our clock. */
  lastInboundRecordedAt: string | null
  /** When each user last read it: user id to ISO times by mode. */
  accessed: ReadonlyMap<number, { [_ in AccessMode | 'open']?: string }>
  bot: Bot
  /** Every message from `since` on, and the referenced older ones (message-window.ts). */
  messages: ReadonlyMap<number, TicketMessage>
  /** The revision from which on `messages` is complete. */
  since: number
  /** Used provider and client ids with their messages; complete from `since` on. */
  usedIds: ReadonlyMap<string, number>
  notes: ReadonlyMap<number, { userId: number | null }>
}

/** Copies the state with its maps, once per fold instead of once per event. */
export const cloneTicket = (ticket: Ticket): Ticket =>
  present(ticket, ({ accessed, messages, usedIds, notes, ...now }) => ({
    ...now,
    accessed: new Map(accessed),
    messages: new Map(messages),
    usedIds: new Map(usedIds),
    notes: new Map(notes),
  }))

/** Rows may mutate the maps of the given state, because `cloneTicket` has copied them. */
const rows: Evolve<Ticket, TicketEvent> = {
  TicketOpened: (_, { ticketId, uuid, contactId, connectionId, channel, group, queueId, predecessorId, at, imported, ...event }) => ({
    status: imported ? 'closed' : group ? 'group' : 'pending', // A-BOT-01: a group is not pending
    ticketId,
    uuid,
    contactId,
    writerId: null,
    connectionId,
    channel,
    group,
    queueId,
    userId: null,
    unread: 0,
    inboundCount: 0,
    readCount: 0,
    waitingSince: group || imported ? null : at,
    openedAt: at,
    servedSince: null,
    closedAt: imported ? (event.occurredAt ?? at) : null,
    rating: null,
    consent: null,
    warned: false,
    transferred: predecessorId !== null,
    lane: null,
    amount: null,
    undoableAction: null,
    undone: [],
    successor: null,
    revision: -1,
    answered: null,
    last: null,
    lastInboundAt: null,
    lastInboundRecordedAt: null,
    accessed: new Map(),
    bot: initialBot({ ...event, group, predecessorId } as Parameters<typeof initialBot>[0]),
    messages: new Map(),
    since: 0,
    usedIds: new Map(),
    notes: new Map(),
  }),
  TicketImported: (t, { queueId }) =>
    present(t, (now) => ({ ...now, status: now.group ? 'group' : 'pending', queueId, waitingSince: null })),
  TicketQueued: (t, { queueId }) => change(t, { queueId }),
  TicketAssigned: (t, { userId }) => change(t, { userId }),
  TicketAccepted: (t, { userId, queueId, at }) => serve(t, userId, queueId, at),
  TicketReopened: (t, { userId, queueId, at }) => serve(t, userId, queueId, at),
  TicketResumed: (t, { queueId, at }) =>
    present(t, (now) => ({
      ...now,
      ...{ status: now.group ? 'group' : 'pending', userId: null, queueId, successor: null },
      waitingSince: now.group ? null : at,
    })),
  TicketRedirected: (t, { queueId }) => change(t, { queueId }),
  ConsentRequested: (t) => change(t, { status: 'lgpd', waitingSince: null }),
  ConsentGiven: (t, { at }) => present(t, (now) => (now.status === 'lgpd' ? { ...now, status: 'pending', waitingSince: at } : now)),
  ConsentRefused: (t) => t,
  RatingRequested: (t, { times, at }) =>
    present(t, (now) => {
      const here = now.revision + 1
      const { resolvedAt, actionRevision } = now.rating ?? { resolvedAt: at, actionRevision: here }
      const asked = times > 1 ? here : null // the first request is not sent while the closing can be undone
      return {
        ...now,
        status: 'nps',
        ...(now.rating === null && { unread: 0 }),
        rating: { resolvedAt, askedAt: at, times, actionRevision, asked },
      }
    }),
  TicketRated: (t) => t,
  RatingMissed: (t) => t,
  InactivityWarned: (t) => change(t, { warned: true }),
  TicketReturned: (t, { at }) =>
    present(t, (now) => ({ ...now, status: 'pending', userId: null, waitingSince: now.status === 'pending' ? now.waitingSince : at })),
  TicketTransferred: (t, { userId, queueId, at }) => {
    const to = userId === null ? change(t, { status: 'pending', userId: null, queueId, waitingSince: at }) : serve(t, userId, queueId, at)
    return change(to, { transferred: true })
  },
  TicketClosed: (t, { successor, at }) =>
    change(t, { status: 'closed', unread: 0, waitingSince: null, successor, closedAt: at, rating: null }),
  ActionUndone: (t, { actionRevision, status, userId, queueId, unread, waitingSince, transferred }) =>
    present(t, (now) => {
      const before = { status, userId, queueId, unread, waitingSince, transferred }
      return { ...now, ...before, rating: null, successor: null, undone: [...now.undone, actionRevision] }
    }),
  TicketDeleted: (_, { back }) => ({ status: 'deleted', ...(back && { back: back.ticketId }) }),
  TicketAccessed: (t, { userId, mode = 'open', at }) =>
    present(t, (now) => ({ ...now, accessed: put(now.accessed, userId, { ...now.accessed.get(userId), [mode]: at }) })),
  TicketRead: (t, { left, messageId }) =>
    present(t, (now) => ({ ...now, unread: left, readCount: now.messages.get(messageId)?.inboundCount ?? 0 })),
  IntegrationSwitched: (t) => t,
  AmountSet: (t, { amount }) => change(t, { amount }),

  MessageReceived: (t, { messageId, externalId, author, kind, undecryptable, by, at, occurredAt }) =>
    present(t, ({ writerId: _, ...before }) => {
      const now = { ...before, writerId: by.kind === 'contact' && by.id !== before.contactId ? by.id : null }
      return {
        ...now,
        unread: now.unread + 1,
        inboundCount: now.inboundCount + 1,
        last: { from: 'contact', at },
        lastInboundAt: occurredAt ?? at,
        lastInboundRecordedAt: at,
        warned: false,
        waitingSince: now.status === 'pending' ? (now.waitingSince ?? at) : now.waitingSince,
        messages: put(now.messages, messageId, {
          ...newMessage(now, 'contact', null, at, kind, false, externalId),
          ...{ author, ...(undecryptable && { undecryptable }) },
        }),
        usedIds: put(now.usedIds, externalId, messageId),
      }
    }),
  MessageDecrypted: (t, { messageId, kind }) => remark(t, messageId, ({ undecryptable: _, ...message }) => ({ ...message, kind })),
  MessageSentExternally: (t, { messageId, externalId, kind, at }) =>
    present(t, (now) => ({
      ...now,
      ...{ unread: 0, readCount: now.inboundCount }, // the writer has read the messages on the phone
      answered: { revision: now.revision + 1, userId: null },
      last: { from: 'us', at },
      messages: put(now.messages, messageId, { ...newMessage(now, 'us', null, at, kind, false, externalId), ack: 1 }),
      usedIds: put(now.usedIds, externalId, messageId),
    })),
  MessageImported: (t, { messageId, externalId, from, author, kind, at, occurredAt }) =>
    present(t, (now) => ({
      ...now,
      closedAt: now.closedAt && (occurredAt ?? at),
      messages: put(now.messages, messageId, {
        ...{ ...newMessage(now, from, null, at, kind, false, externalId), inboundCount: now.inboundCount }, // imported messages are not unread
        ...(from === 'us' ? { ack: 1 } : { author }),
      }),
      usedIds: put(now.usedIds, externalId, messageId),
    })),
  MessageSent: (
    t,
    { messageId, externalId, clientId, kind, private: hidden, aside, again, seen, left = 0, reads, actionRevision, by, at },
  ) =>
    present(again === undefined ? t : remark(t, again, (message) => ({ ...message, sentAgain: messageId })), (now) => {
      const userId = by.kind === 'user' ? by.id : null
      const read = userId !== null && !hidden && !aside && reads !== false // a system message reads nothing
      return {
        ...now,
        ...(read && { unread: left, readCount: left === 0 ? now.inboundCount : inboundCountAt(now, seen ?? 0) }),
        answered: hidden || aside ? now.answered : { revision: now.revision + 1, userId },
        last: hidden || aside ? now.last : { from: 'us', at },
        ...(now.rating && actionRevision === now.rating.actionRevision && { rating: { ...now.rating, asked: now.revision + 1 } }),
        messages: put(now.messages, messageId, newMessage(now, 'us', userId, at, kind, hidden, externalId)),
        usedIds: put(put(now.usedIds, externalId, messageId), clientId, messageId),
      }
    }),
  MessageDispatched: (t) => t,
  MessageAccepted: (t, { messageId, providerId }) =>
    present(marked(t, [messageId], 1), (now) => (providerId ? { ...now, usedIds: put(now.usedIds, providerId, messageId) } : now)),
  MessagesDelivered: (t, { messageIds }) => marked(t, messageIds, 2),
  MessagesRead: (t, { messageIds }) => marked(t, messageIds, 3),
  MessagesPlayed: (t, { messageIds }) => marked(t, messageIds, 5),
  MessageFailed: (t, { messageId }) => remark(t, messageId, (message) => ({ ...message, ack: 0, failed: true })),
  MessageUncertain: (t) => t,
  MessageEdited: (t, { messageId, occurredAt: editedAt }) => (editedAt ? remark(t, messageId, (message) => ({ ...message, editedAt })) : t),
  MessageRemoved: (t, { messageId }) => remark(t, messageId, (message) => ({ ...message, removed: true })),
  MessageReacted: (t, { messageId, emoji, occurredAt, ...who }) =>
    remark(t, messageId, (message) => reacted(message, reactor(who), emoji, occurredAt)),
  ReactionRemoved: (t, { messageId, occurredAt, ...who }) =>
    remark(t, messageId, (message) => reacted(message, reactor(who), null, occurredAt)),

  LaneEntered: (t, { tagId, at }) => change(t, { lane: { tagId, since: at } }),
  LaneLeft: (t) => change(t, { lane: null }),
  AutomationActed: (t) => t,
  BotMoved: (t) => t,
  BotEnded: (t) => t,

  NoteAdded: (t, { noteId, by }) =>
    present(t, (now) => ({ ...now, notes: put(now.notes, noteId, { userId: by.kind === 'user' ? by.id : null }) })),
  NoteRemoved: (t, { noteId }) => present(t, (now) => ({ ...now, notes: without(now.notes, noteId) })),
}

/** Every event increases the revision by one. */
export const evolve = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [
    name,
    (ticket: Ticket, event: WithMetadata<TicketEvent>) =>
      present((row as (t: Ticket, e: WithMetadata<TicketEvent>) => Ticket)(ticket, event), (now) => {
        const next = { ...now, revision: now.revision + 1 }
        return {
          ...next,
          undoableAction: nextUndoableAction('unread' in ticket ? ticket : null, next, event),
          bot: nextBotState(next.bot, event),
          consent: nextConsent(next, event),
        }
      }),
  ]),
) as Evolve<Ticket, TicketEvent>

/** The number of messages that the contact had written up to a revision. */
export function inboundCountAt({ messages }: Present, revision: number): number {
  let last: TicketMessage | undefined
  for (const message of messages.values()) if (message.revision <= revision && message.revision >= (last?.revision ?? 0)) last = message
  return last?.inboundCount ?? 0
}

const present = (ticket: Ticket, next: (ticket: Present) => Ticket): Ticket =>
  ticket.status === 'absent' || ticket.status === 'deleted' ? ticket : next(ticket)
const change = (ticket: Ticket, to: Partial<Present>): Ticket => present(ticket, (now) => ({ ...now, ...to }))
function serve(ticket: Ticket, userId: number, queueId: number, at: string): Ticket {
  return present(ticket, (now) => ({
    ...now,
    status: now.group ? 'group' : 'open',
    userId,
    queueId,
    waitingSince: null,
    servedSince: at,
    rating: null,
  }))
}
function remark(ticket: Ticket, messageId: number, next: (message: TicketMessage) => TicketMessage): Ticket {
  return present(ticket, (now) => {
    const message = now.messages.get(messageId)
    return message ? { ...now, messages: put(now.messages, messageId, next(message)) } : now
  })
}
function marked(ticket: Ticket, messageIds: number[], ack: number): Ticket {
  return messageIds.reduce(
    (now, id) => remark(now, id, ({ failed: _, ...message }) => (message.ack < ack ? { ...message, ack } : message)),
    ticket,
  )
}
const put = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => (map as Map<K, V>).set(key, value)
function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  ;(map as Map<K, V>).delete(key)
  return map
}

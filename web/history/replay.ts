import type { HistoryEvent } from '#domain/history/contract.ts'
import { isTicketEvent, traitsOf } from '#domain/ticket/event-catalogue.ts'
import type { About, Participant, Quote, TicketEvent } from '#domain/ticket/events.ts'
import { reactor } from '#domain/ticket/rules.ts'
import { before, type Lost, type NoteLine, type ReplayEntry, type ReplayedTicket, type ReplayLine, type Side } from './then.ts'

/** All fields of all events. A missing field reads as undefined. */
type Data = {
  [_ in 'messageId' | 'noteId' | 'rating' | 'times']: number
} & {
  messageIds: number[]
  left: number | undefined
  unread: number
  imported: true | undefined
  status: ReplayedTicket['status']
  userId: number | null
  queueId: number | null
  group: boolean
  from: Side
  private: boolean
  forwarded: boolean
  aside: true | undefined
  undecryptable: true | undefined
  reads: false | undefined
  author: string | null
  participant: Participant | null | undefined
} & {
  [_ in 'kind' | 'note' | 'emoji' | 'code']: string
} & {
  body: string | null
  vCard: string | null | undefined
  media: ReplayLine['media']
  quotedId: number | null
  quote: Quote | null | undefined
  about: About | null | undefined
}

/** The ticket during a fold: copied once, then changed in place, so 100,000 events fold in one pass. */
type Draft = Omit<ReplayedTicket, 'entries'> & { entries: ReplayEntry[] }
type Change = Partial<Omit<ReplayedTicket, 'entries'>>
type Rule = (then: Draft, data: Data, event: HistoryEvent) => Change | undefined

/** Searches from the end, because most changes affect recent messages. */
const placeOf = ({ entries }: Draft, type: 'message' | 'note', id: number) =>
  entries.findLastIndex((entry) => entry.type === type && entry.id === id)

type Served = { userId: number | null; queueId: number | null }
const served = ({ group }: Draft, { userId, queueId }: Served): Change => ({ status: group ? 'group' : 'open', userId, queueId })

const lostOf = (text: unknown, { fault, erased }: HistoryEvent): Lost =>
  fault === 'words' || fault === 'key' ? fault : erased ? 'erased' : typeof text === 'string' ? null : 'words'

const wordsOf = ({ body, vCard }: Pick<Data, 'body' | 'vCard'>, event: HistoryEvent): Pick<ReplayLine, 'body' | 'lost'> => ({
  body: typeof body === 'string' ? body || (vCard ?? '') : null, // the text of a contact card is its vCard
  lost: lostOf(body, event),
})
const quoteIn = ({ quote }: Pick<Data, 'quote'>): Quote | null => (typeof quote?.body === 'string' ? quote : null)

/**
 * Whether sending this message marks inbound ones as read: the ticket's agent sent it to the contact from here
 * (A-TICKET-06).
 */
const readsWith = (data: Data, { by }: HistoryEvent) => by.kind === 'user' && data.private !== true && !data.aside && data.reads !== false

const messageRule =
  (from: Side, elsewhere = false): Rule =>
  (then, data, event) => {
    const { by, at, occurredAt } = event
    const { messageId: id, kind, quotedId = null } = data
    const media = typeof data.media?.key === 'string' ? data.media : null
    const line: ReplayLine = {
      ...{
        type: 'message',
        id,
        from,
        by,
        at: occurredAt ?? at,
        kind,
        ...wordsOf(data, event),
        media,
        quotedId,
        quote: quoteIn(data),
        about: typeof data.about?.of === 'string' ? data.about : null,
        private: data.private === true,
        forwarded: data.forwarded === true,
      },
      ...{ ack: elsewhere ? 1 : 0, failed: null, uncertain: false, before: [], removed: null, reactions: {} },
      ...{ elsewhere, undecryptable: data.undecryptable === true },
    }
    const unread = from === 'contact' ? then.unread + 1 : elsewhere ? 0 : readsWith(data, event) ? (data.left ?? 0) : then.unread
    then.entries.push(line)
    return { unread }
  }

function lines(then: Draft, ids: number[], next: (line: ReplayLine) => ReplayLine): undefined {
  const changed = ids.flatMap((id): [number, ReplayLine][] => {
    const place = placeOf(then, 'message', id)
    const entry = then.entries[place]
    return entry?.type === 'message' ? [[place, next(entry)]] : []
  })
  for (const [place, one] of changed) then.entries[place] = one
  return undefined
}
const line =
  (next: (line: ReplayLine, data: Data, event: HistoryEvent) => Partial<ReplayLine>): Rule =>
  (then, data, event) =>
    lines(then, [data.messageId], (one) => ({ ...one, ...next(one, data, event) }))
/** A receipt never lowers the state, whatever order the channel reports. */
const marked =
  (ack: number): Rule =>
  (then, { messageIds, messageId }) =>
    lines(then, messageIds ?? [messageId], (one) => (one.ack < ack ? { ...one, ack, failed: null, uncertain: false } : one))

/** The change by each event. An event without a row changes nothing but its line (`inReplay`). */
const rules: { [_ in TicketEvent['type']]?: Rule } = {
  TicketOpened: (_, { group, queueId = null, imported }) => ({ status: imported ? 'closed' : group ? 'group' : 'pending', group, queueId }),
  TicketImported: ({ group }, { queueId }) => ({ status: group ? 'group' : 'pending', queueId: queueId ?? null }),
  TicketQueued: (_, { queueId }) => ({ queueId }),
  TicketAssigned: (_, { userId }) => ({ userId }),
  TicketAccepted: served,
  TicketReopened: served,
  ConsentRequested: () => ({ status: 'lgpd' }),
  ConsentGiven: ({ status }) => (status === 'lgpd' ? { status: 'pending' } : {}),
  RatingRequested: (_, { times }) => ({ status: 'nps', ...(times === 1 && { unread: 0 }) }),
  TicketRated: (_, { rating }) => ({ nps: rating }),
  TicketResumed: ({ group }, { queueId }) => ({ status: group ? 'group' : 'pending', userId: null, queueId }),
  TicketRedirected: (_, { queueId }) => ({ queueId }),
  TicketReturned: () => ({ status: 'pending', userId: null }),
  TicketTransferred: (then, { userId, queueId }) =>
    userId === null ? { status: 'pending', userId, queueId } : served(then, { userId, queueId }),
  TicketClosed: () => ({ status: 'closed', unread: 0 }),
  ActionUndone: (_, { status, userId, queueId, unread }) => ({ status, userId, queueId, unread }),
  TicketDeleted: () => ({ status: 'deleted' }),
  TicketRead: (_, { left = 0 }) => ({ unread: left }),

  MessageReceived: messageRule('contact'),
  MessageSent: messageRule('us'),
  MessageSentExternally: messageRule('us', true),
  MessageImported: (then, data, event) => ({ ...messageRule(data.from, data.from === 'us')(then, data, event), unread: then.unread }),
  MessageDecrypted: line((now, { kind, media, quotedId, ...data }, event) => ({
    ...{ kind, quotedId, quote: quoteIn(data), ...wordsOf(data, event), forwarded: data.forwarded === true, undecryptable: false },
    media: typeof media?.key === 'string' ? media : now.media,
  })),
  MessageAccepted: marked(1),
  MessagesDelivered: marked(2),
  MessagesRead: marked(3),
  MessagesPlayed: marked(5),
  MessageFailed: line((_, { code }) => ({ failed: code })),
  MessageUncertain: line(() => ({ uncertain: true })),
  MessageEdited: line((now, data, event) => ({
    ...wordsOf(data, event),
    ...(now.kind === 'chat' && { media: typeof data.media?.key === 'string' ? data.media : null }),
    before: [...now.before, now.body],
  })),
  MessageRemoved: line((_, { from }) => ({ removed: from })),
  MessageReacted: line(({ reactions }, { emoji, ...who }, { by }) => {
    const name = who.from === 'us' ? by.name : (who.participant?.name ?? '')
    return { reactions: { ...reactions, [reactor(who)]: { emoji, name } } }
  }),
  ReactionRemoved: line(({ reactions: { ...rest } }, who) => {
    delete rest[reactor(who)]
    return { reactions: rest }
  }),

  NoteAdded: (then, { noteId: id, note }, event) => {
    const { by, at } = event
    const line: NoteLine = {
      type: 'note',
      id,
      by,
      at,
      note: typeof note === 'string' ? note : '',
      lost: lostOf(note, event),
      removed: false,
    }
    then.entries.push(line)
    return undefined
  },
  NoteRemoved: (then, { noteId }) => {
    const place = placeOf(then, 'note', noteId)
    const entry = then.entries[place]
    if (entry?.type === 'note') then.entries[place] = { ...entry, removed: true }
    return undefined
  },
}

/** Unknown event types change nothing that is shown. */
function take(draft: Draft, events: readonly HistoryEvent[]): void {
  for (const event of events)
    try {
      if (!isTicketEvent(event.type)) continue
      Object.assign(draft, rules[event.type]?.(draft, event.data as unknown as Data, event))
      if (traitsOf(event.type).inReplay) draft.entries.push({ type: 'turn', revision: event.revision })
    } catch {
      draft.stuckAt ??= event.revision // an altered record may contain anything
    }
}
const copy = (then: ReplayedTicket): Draft => ({ ...then, entries: [...then.entries] })

/** Folds these events into the ticket. */
export function advance(then: ReplayedTicket, events: readonly HistoryEvent[]): ReplayedTicket {
  const draft = copy(then)
  take(draft, events)
  return draft
}

/**
 * Returns a function that gives the ticket after the first `n` events. It starts from kept states, at most about
 * 64, at least 100 events apart.
 */
export function replay(events: readonly HistoryEvent[]): (n: number) => ReplayedTicket {
  const every = Math.max(100, Math.ceil(events.length / 64))
  const kept: ReplayedTicket[] = [before]
  const front = copy(before)
  return (n) => {
    const wanted = Math.max(0, Math.min(n, events.length))
    for (let at = kept.length; at * every <= wanted; at += 1) {
      take(front, events.slice((at - 1) * every, at * every))
      kept.push(copy(front))
    }
    const from = Math.floor(wanted / every)
    return advance(kept[from]!, events.slice(from * every, wanted))
  }
}

const short = 3000
const longest = 6000
/**
 * Duration of a pause in the replay, in milliseconds. Short pauses are real; each doubling beyond that adds the
 * same amount.
 */
export function pause(from: string, to: string, speed: number): number {
  const real = Math.max(0, Date.parse(to) - Date.parse(from))
  const felt = real <= short ? real : short + (short / 2) * Math.log2(real / short)
  return Math.min(Math.max(felt / speed, 40), longest)
}
export const speeds = [1, 2, 5, 10, 30, 60] as const

import type { TicketEvent, UndoableKind } from './events.ts'

/** The entry types of the published ticket log (R-TICKET-21). `true`: the thread also shows them between the messages. */
export const logTypes = {
  create: false,
  chatBot: false,
  queue: false,
  access: false,
  delete: false,
  laneLeft: false,
  amount: false,
  open: true,
  transfered: true,
  receivedTransfer: true,
  pending: true,
  closed: true,
  reopen: true,
  redirect: true,
  undone: true,
  queueDeleted: true,
  warned: true,
  consentAsked: true,
  consentTold: true,
  consentGiven: true,
  consentRefused: true,
  ratingAsked: true,
  rated: true,
  unrated: true,
  lane: true,
  imported: true,
  missed: true,
} as const
export type LogType = keyof typeof logTypes

export type EventTraits<Field extends string = string> = {
  /** The type of its entry in the ticket log; absent: no entry. `projections/ticket/log.ts` adds values and exceptions. */
  log?: LogType
  /** An action that its agent can undo as this kind, or an event that ends the undo of an earlier action (A-TICKET-07). */
  undo?: UndoableKind | 'ends'
  /** The ticket moves up in the lists. */
  isActivity?: true
  /** People serve the ticket from here on (A-BOT-08). */
  endsBot?: true
  /** The replay shows a line between the messages. Its text is in `web/history/fact-words.ts`, or that of the log entry. */
  inReplay?: true
  /** Fields that identify a person or contain their text; the event store keeps them sealed only. */
  personal?: Field[]
}
type FieldsOf<N> = Exclude<keyof Extract<TicketEvent, { type: N }>, 'type'> & string

/** What the ticket log, the lists, the undo, the bot, the replay and the event store derive from an event type. */
export const ticketEvents: { [N in TicketEvent['type']]: EventTraits<FieldsOf<N>> } = {
  TicketOpened: { log: 'create', inReplay: true, personal: ['note'] },
  TicketImported: { log: 'queue', inReplay: true },
  TicketQueued: { log: 'queue', undo: 'ends', isActivity: true, inReplay: true },
  TicketAssigned: { log: 'queue', isActivity: true, endsBot: true, inReplay: true },
  TicketAccepted: { log: 'open', isActivity: true, endsBot: true, inReplay: true },
  TicketReturned: { log: 'pending', undo: 'returned', isActivity: true, endsBot: true, inReplay: true },
  TicketTransferred: { log: 'transfered', undo: 'transferred', isActivity: true, endsBot: true, inReplay: true, personal: ['note'] },
  TicketClosed: { log: 'closed', undo: 'closed', isActivity: true, endsBot: true, inReplay: true, personal: ['note'] },
  TicketReopened: { log: 'reopen', undo: 'ends', isActivity: true, endsBot: true, inReplay: true },
  TicketResumed: { log: 'reopen', undo: 'ends', isActivity: true, endsBot: true, inReplay: true },
  TicketRedirected: { log: 'redirect', undo: 'ends', isActivity: true, endsBot: true, inReplay: true },
  ConsentRequested: { log: 'consentAsked', isActivity: true, inReplay: true },
  ConsentGiven: { log: 'consentGiven', isActivity: true, inReplay: true },
  ConsentRefused: { log: 'consentRefused', inReplay: true },
  RatingRequested: { log: 'ratingAsked', isActivity: true, inReplay: true },
  TicketRated: { log: 'rated', inReplay: true },
  RatingMissed: { log: 'unrated', inReplay: true },
  InactivityWarned: { log: 'warned', inReplay: true },
  ActionUndone: { log: 'undone', undo: 'ends', inReplay: true },
  TicketDeleted: { inReplay: true },
  TicketAccessed: { log: 'access' },
  TicketRead: {},
  IntegrationSwitched: { inReplay: true },
  AmountSet: { log: 'amount', inReplay: true },
  MessageReceived: {
    undo: 'ends',
    isActivity: true,
    personal: ['body', 'media', 'vCard', 'quote', 'about', 'participant'],
  },
  MessageDecrypted: { personal: ['body', 'media', 'vCard', 'quote'] },
  MessageSentExternally: {
    undo: 'ends',
    isActivity: true,
    endsBot: true,
    personal: ['body', 'media', 'vCard', 'quote', 'about'],
  },
  MessageImported: { personal: ['body', 'media', 'vCard', 'quote', 'participant'] },
  MessageSent: { isActivity: true, personal: ['body', 'media', 'vCard', 'quote', 'template', 'interactive'] },
  MessageDispatched: {},
  MessageAccepted: {},
  MessagesDelivered: {},
  MessagesRead: {},
  MessagesPlayed: {},
  MessageFailed: {},
  MessageUncertain: {},
  MessageEdited: { personal: ['body', 'media'] },
  MessageRemoved: {},
  MessageReacted: { personal: ['participant'] },
  ReactionRemoved: {},
  AutomationActed: { inReplay: true },
  BotMoved: { log: 'chatBot' },
  BotEnded: { endsBot: true },
  LaneEntered: { log: 'lane', inReplay: true },
  LaneLeft: { log: 'laneLeft', inReplay: true },
  NoteAdded: { personal: ['note'] },
  NoteRemoved: {},
}

export const traitsOf = (type: TicketEvent['type']): EventTraits => ticketEvents[type]
export const isTicketEvent = (type: string): type is TicketEvent['type'] => Object.hasOwn(ticketEvents, type)
export const ticketEventTypes = Object.keys(ticketEvents) as TicketEvent['type'][]
/** The personal fields by event type. */
export const personal: { [N in TicketEvent['type']]?: string[] } = Object.fromEntries(
  ticketEventTypes.map((type) => [type, traitsOf(type).personal ?? []]),
)

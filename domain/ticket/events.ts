import type { Channel } from '#domain/channel/channels.ts'
import type { Interactive } from '#domain/interactive/rules.ts'

/**
 * All events of a ticket, in one stream `ticket-<companyId>-<ticketId>`, which auditors read.
 * Each event has one meaning; a renamed event is a new event. The event metadata contains actor, time and company.
 */
export type TicketEvent = Attendance | Conversation | Automation | Lane | Note

export type Attendance =
  | {
      type: 'TicketOpened'
      ticketId: number
      uuid: string
      contactId: number
      connectionId: number
      channel: Channel
      group: boolean
      queueId: number | null
      /** The previous ticket, which a transfer closed (A-TRANSFER-02). */
      predecessorId: number | null
      /** That transfer, with its note. */
      transfer: Transfer | null
      note: string | null
      /** The ticket contains messages from before the number was linked. It begins closed and triggers nothing (A-IMP-04). */
      imported?: true
    }
  /** The import is complete, and the ticket waits for people. */
  | { type: 'TicketImported'; queueId: number | null }
  /** `retiredQueueId`: the deleted queue, if that caused the move (A-QUEUE-01); also in a transfer. */
  | { type: 'TicketQueued'; queueId: number; retiredQueueId?: number }
  /** The ticket waits for this user, chosen by the bot's menu or by a rule of the queue. */
  | { type: 'TicketAssigned'; userId: number; why: AssignmentReason; rule: string }
  /** `waited`: the ticket was pending; a new ticket of an agent was not. */
  | { type: 'TicketAccepted'; userId: number; queueId: number; waited: boolean }
  /** `rule`: the rule that returned the ticket automatically; `why`: the assigned user is unavailable, and so is every other. */
  | { type: 'TicketReturned'; retiredUserId?: number; rule?: string; why?: 'unavailable' }
  /** `note`: the internal note of the transferring agent (A-TRANSFER-01). */
  | {
      type: 'TicketTransferred'
      userId: number | null
      queueId: number
      fromUserId: number | null
      fromQueueId: number | null
      note: string | null
      retiredQueueId?: number
    }
  /** `waited`: no agent served the ticket when it was closed. `note`: the note of the transfer that closed it. */
  | {
      type: 'TicketClosed'
      reason: CloseReason
      farewell: boolean
      waited: boolean
      userId: number | null
      successor: Successor | null
      /** The queue at closing. */
      queueId: number | null
      note?: string | null
      /** The id of the close-all. */
      batch?: string
      /** The rule that closed the ticket automatically. */
      rule?: string
      /** When the agent resolved the ticket, if a rating was requested first. */
      resolvedAt?: string
    }
  /** `rule`: the rule that reopened the ticket for its user because the contact wrote. */
  | { type: 'TicketReopened'; userId: number; queueId: number; rule?: string }
  /** The contact wrote soon after closing, so the ticket waits again, unassigned. */
  | { type: 'TicketResumed'; queueId: number | null; rule: string }
  /** The ticket waited too long without a queue and moves to this one. */
  | { type: 'TicketRedirected'; queueId: number; rule: string }
  /** The contact gets the privacy text with this SHA-256. `asks`: consent is required; `times`: the number of requests. */
  | { type: 'ConsentRequested'; times: number; asks: boolean; text: string; rule: string }
  /** `answered`: the contact accepted; otherwise the text alone counts as consent. */
  | { type: 'ConsentGiven'; text: string; answered: boolean; rule: string }
  | { type: 'ConsentRefused'; text: string; rule: string }
  /** The agent resolved the ticket, and a rating is requested. `times`: the number of requests. */
  | { type: 'RatingRequested'; times: number; rule: string }
  | { type: 'TicketRated'; rating: number }
  /** No rating: too many answers were not understood, or no answer came. */
  | { type: 'RatingMissed'; why: 'answers' | 'expired'; rule: string }
  /** The contact has not answered for a while and gets a warning. */
  | { type: 'InactivityWarned'; rule: string }
  /** The agent undid a close, return or transfer. `actionRevision`: the revision of that event; the other fields restore the state before. */
  | ({ type: 'ActionUndone'; actionRevision: number; what: UndoableKind } & StateBefore)
  /** `back`: the command that undid the transfer that opened this ticket, and the ticket that becomes active again. */
  | { type: 'TicketDeleted'; back?: Back }
  /** Without `mode`: the ticket was opened on screen (A-TICKET-06). */
  | { type: 'TicketAccessed'; userId: number; mode?: AccessMode }
  /** Read up to this message, with `left` unread messages after it. */
  | { type: 'TicketRead'; userId: number; messageId: number; left: number }
  | { type: 'IntegrationSwitched'; on: boolean }
  /** The amount of the ticket, in the company's currency; null: removed. */
  | { type: 'AmountSet'; amount: number | null }

export type Conversation =
  /** `undecryptable`: the content is missing and follows in a MessageDecrypted event. */
  | ({ type: 'MessageReceived'; externalId: string; participant: Participant | null; undecryptable?: true; about?: About } & Forwarded &
      Author &
      Content &
      QueuePlacement)
  /** The content of a message that could not be decrypted before. */
  | ({ type: 'MessageDecrypted' } & Forwarded & Content)
  /** An external message, written on the company's own phone or in the provider's own inbox; it is sent already. */
  | ({ type: 'MessageSentExternally'; externalId: string; about?: About } & Forwarded & Content & QueuePlacement)
  /** A message of either side from before the number was linked (A-IMP-04). */
  | ({ type: 'MessageImported'; externalId: string; from: Side; participant: Participant | null } & Author & Content & QueuePlacement)
  /** The intent to send, by an agent, the system or the API. `externalId`: the provider's id, which we create before the call. */
  | ({
      type: 'MessageSent'
      externalId: string
      clientId: string
      private: boolean
      forwarded: boolean
      /** The revision of the ticket that the agent had on screen. */
      seen: number | null
      /** The revision of the action that sends this message, such as a farewell or a transfer text (A-TICKET-07). */
      actionRevision?: number
      /** A forward from another ticket (A-MSG-08) or an inactivity text (A-EXP-03): it neither reads nor answers this ticket. */
      aside?: true
      /** The failed message that this one resends. */
      again?: number
      /** How many of the contact's messages are newer than the agent's screen and stay unread; absent: none (A-TICKET-06). */
      left?: number
      /** The sender does not serve the ticket, so sending reads nothing (A-TICKET-06). */
      reads?: false
      /** The approved template with which it is sent; `body` contains the text that the customer sees. */
      template?: TemplateSent
      /** The interactive part; `body` contains the same as text. */
      interactive?: Interactive
      /** The delay after its action in milliseconds, because the files of a list are sent one by one (A-BOT-03). */
      afterMs?: number
    } & Content &
      QueuePlacement)
  | { type: 'MessageDispatched'; messageId: number; attempt: number }
  /** `providerId`: the provider's own id of the message, if it creates one. */
  | { type: 'MessageAccepted'; messageId: number; providerId?: string }
  | { type: 'MessagesDelivered'; messageIds: number[] }
  | { type: 'MessagesRead'; messageIds: number[] }
  | { type: 'MessagesPlayed'; messageIds: number[] }
  | { type: 'MessageFailed'; messageId: number; code: string }
  | { type: 'MessageUncertain'; messageId: number }
  /** `media`: the full text as a file, if it is too long for an event. */
  | { type: 'MessageEdited'; messageId: number; body: string; media?: Media }
  /** `emptied`: its text and its file are removed everywhere except in the event store (A-LGPD-03). */
  | { type: 'MessageRemoved'; messageId: number; from: Side; emptied?: true }
  /** `participant`: who reacted, in a group. */
  | ({ type: 'MessageReacted'; messageId: number; emoji: string; from: Side; participant?: Participant } & Partial<Author>)
  | ({ type: 'ReactionRemoved'; messageId: number; from: Side } & Partial<Author>)

export type Automation =
  /**
   * A rule acted automatically; its effects follow in the same append. `answers`: the revision of the contact's message
   * that caused it; null: a timeout caused it. `choice`: the menu choice that the message was understood as.
   */
  | {
      type: 'AutomationActed'
      rule: string
      reason: string
      answers: number | null
      choice?: { number: number; name: string }
      /** The text of this notice was empty, so nothing was sent. */
      silent?: true
    }
  /** The bot sent a menu and waits. `menus`: the number of menus sent in this queue; `begins`: the first menu of the ticket. */
  | { type: 'BotMoved'; node: string; menus: number; answers: number; begins?: true }
  /** People answer from now on. */
  | { type: 'BotEnded'; why: string }

export type Lane =
  /**
   * The ticket moved to this lane (A-LANE-02). `fromTagId`: the previous lane; null: none. `why`: its time in the lane was
   * over, or the contact wrote. `answers`: the revision of that message.
   */
  | { type: 'LaneEntered'; tagId: number; fromTagId: number | null; why?: 'laneTime' | 'laneBack'; rule?: string; answers?: number }
  | { type: 'LaneLeft'; tagId: number }

export type Note = { type: 'NoteAdded'; noteId: number; note: string } | { type: 'NoteRemoved'; noteId: number }

export type { Channel }
export type Side = 'us' | 'contact'
export const closeReasons = [
  'agent',
  'ignored',
  'closeAll',
  'transfer',
  'expired',
  'connectionRemoved',
  'bot',
  'rated',
  'unrated',
  'consentRefused',
] as const
export type CloseReason = (typeof closeReasons)[number]
export type AssignmentReason = 'bot' | 'wallet' | 'random' | 'rotation'
/** How a ticket was read without being opened: its messages only, a document, an exported file, or its history. */
export type AccessMode = 'peek' | 'print' | 'export' | 'replay'
export type UndoableKind = 'closed' | 'returned' | 'transferred'
/** The ticket state that an undo restores. */
export type StateBefore = {
  status: 'pending' | 'open' | 'group' | 'closed' | 'nps' | 'lgpd'
  userId: number | null
  queueId: number | null
  unread: number
  waitingSince: string | null
  transferred: boolean
}
/** The transfer that opened a ticket: to whom, from whom and from which queue. */
export type Transfer = { userId: number | null; fromUserId: number | null; fromQueueId: number | null }
export type Back = { ticketId: number; command: string }
export type Successor = { ticketId: number; uuid: string; userId: number | null; queueId: number }

/** `unsupported`: the channel does not give the content to other programs. */
export type Kind =
  | 'chat'
  | 'image'
  | 'audio'
  | 'video'
  | 'application'
  | 'locationMessage'
  | 'contactMessage'
  | 'call_log'
  | 'interactiveMessage'
  | 'unsupported'
/** A reference to a stored file, with what a screen needs before it loads. Seconds and pixels if known. */
export type Media = {
  key: string
  mime: string
  name: string
  size: number
  width: number | null
  height: number | null
  seconds: number | null
}
export type Content = {
  messageId: number
  kind: Kind
  body: string
  /** The file of the message, or the full text or cards if they are too long for an event. */
  media: Media | null
  vCard: string | null
  quotedId: number | null
  /** A copy of the quoted message, if it belongs to an earlier ticket. */
  quote?: Quote
}
export type Quote = { from: Side; kind: Kind; body: string }
/**
 * The origin or subject of a contact's message, if that is not a message: an answered story, a mention in a story, an ad,
 * a link or an opt-in. `kind`: an unknown message kind, with its name as the title. The other values: a quoted message or
 * status that is not stored here. `url`: where to see it; a story's picture is the file of the message.
 */
export type About = {
  of: 'story' | 'mention' | 'ad' | 'link' | 'optin' | 'kind' | 'quote' | 'ourQuote' | 'contactQuote' | 'status'
  title: string
  text: string
  url: string | null
}
/** A template with its filled fields, in the provider's format. */
export type TemplateSent = { name: string; language: string; category: string; components: object[] }
/** The queue of the ticket when the message was written. */
export type QueuePlacement = { queueId: number | null }

/** The author in a group, with the provider's id and name. */
export type Participant = { id: string; name: string }
/** A pseudonym of the group participant, which decisions compare without unsealing; null outside groups. */
export type Author = { author: string | null }
/** The channel reports that the message was forwarded (A-MSG-08). */
type Forwarded = { forwarded?: true }

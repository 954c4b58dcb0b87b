import type { Interactive } from '#domain/interactive/rules.ts'

/**
 * What can have happened to a ticket, in one stream `ticket-<companyId>-<ticketId>`: the auditor's page.
 * Past facts with one meaning each; a renamed fact is a new fact. Who, when and for whom is the stamp's business.
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
      /** The ticket this one goes on from, where a transfer closed it (A-TRANSFER-02). */
      follows: number | null
      /** That transfer; absent in facts written before transfers were told here. */
      transfer?: { userId: number | null; fromUserId: number | null; fromQueueId: number | null } | null
      note?: string | null
      /** For what was said before its number was linked: closed from its beginning on, and nothing follows from it (A-IMP-04). */
      imported?: true
    }
  /** All of that is in it, and it waits for people. */
  | { type: 'TicketImported'; queueId: number | null }
  /** `retiredQueueId`: the queue that was deleted under it, which is why it moved (A-QUEUE-01); of a transfer the same. */
  | { type: 'TicketQueued'; queueId: number; retiredQueueId?: number }
  /** It waits for this user: the bot's menu led there, or a rule of its queue chose so. */
  | { type: 'TicketAssigned'; userId: number; why: Assigning; rule: string }
  /** `waited`: it stood in the waiting list; an agent's own new ticket did not. */
  | { type: 'TicketAccepted'; userId: number; queueId: number; waited: boolean }
  /** `rule`: by which it waits for people by itself; `why`: for whom it waited is not there, nor anybody else of the queue's rotation. */
  | { type: 'TicketReturned'; retiredUserId?: number; rule?: string; why?: 'unavailable' }
  /** `note`: what the transferring agent says to us alone (A-TRANSFER-01). */
  | {
      type: 'TicketTransferred'
      userId: number | null
      queueId: number
      fromUserId: number | null
      fromQueueId: number | null
      note?: string | null
      retiredQueueId?: number
    }
  /** `waited`: nobody served it when it was closed. `note`: of the transfer that closed it. */
  | {
      type: 'TicketClosed'
      reason: CloseReason
      farewell: boolean
      waited: boolean
      userId: number | null
      successor: Successor | null
      /** Where it stood; absent in facts written before logs named it. */
      queueId?: number | null
      note?: string | null
      /** Which close-all it was part of. */
      batch?: string | null
      /** By which rule of the house it was closed by itself. */
      rule?: string
      /** When the agent had resolved it, where the contact was asked for a rating first. */
      resolvedAt?: string
    }
  /** `rule`: by which it goes on with whoever serves it, for the contact wrote. */
  | { type: 'TicketReopened'; userId: number; queueId: number; rule?: string }
  /** The contact wrote again so soon after it was closed that it goes on: it waits once more, for nobody in particular. */
  | { type: 'TicketResumed'; queueId: number | null; rule: string }
  /** It waited in no queue for too long, and goes on in this one. */
  | { type: 'TicketRedirected'; queueId: number; rule: string }
  /** Before anything else the contact is told about their data, in the text of this sha256; `asks`: and is to accept it; `times`: how often by now. */
  | { type: 'ConsentRequested'; times: number; asks: boolean; text: string; rule: string }
  /** `answered`: they accepted it; else they were told, which is taken for it. */
  | { type: 'ConsentGiven'; text: string; answered: boolean; rule: string }
  | { type: 'ConsentRefused'; text: string; rule: string }
  /** The agent resolved it, and the contact is asked for a rating; `times`: how often by now. */
  | { type: 'RatingRequested'; times: number; rule: string }
  | { type: 'TicketRated'; nps: number }
  /** It ends without one: too many answers were none, or none came. */
  | { type: 'RatingMissed'; why: 'answers' | 'expired'; rule: string }
  /** The contact has not answered us for so long that they were told. */
  | { type: 'InactivityWarned'; rule: string }
  /** The agent who closed, returned or transferred it took that back: `act` is that fact's revision, and the rest is as it stood before. */
  | ({ type: 'ActUndone'; act: number; what: UndoableKind } & Before)
  /** `back`: the transfer that made it was undone, by that command, and its contact goes back to this ticket. */
  | { type: 'TicketDeleted'; back?: Back }
  /** Without a way it was opened on screen (A-TICKET-06). */
  | { type: 'TicketAccessed'; userId: number; way?: Way }
  /** Up to this message, with so many unread behind it; in facts written before that was told, all of it. */
  | { type: 'TicketRead'; userId: number; messageId?: number; left?: number }
  | { type: 'IntegrationSwitched'; on: boolean }
  /** What it may be worth, in the company's currency; null: nobody says any more. */
  | { type: 'AmountSet'; amount: number | null }

export type Conversation =
  /** `undecryptable`: there is nothing to read yet; what it says is told when it comes. */
  | ({ type: 'MessageReceived'; externalId: string; participant: Participant | null; undecryptable?: true; about?: About } & Forwarded &
      Author &
      Content &
      Place)
  /** What a message says that nobody could read before. */
  | ({ type: 'MessageDecrypted' } & Forwarded & Content)
  /** Written on the company's own phone, or in the provider's own inbox: it has left already. */
  | ({ type: 'MessageSentElsewhere'; externalId: string; about?: About } & Forwarded & Content & Place)
  /** Said on either side before the number was linked (A-IMP-04). */
  | ({ type: 'MessageImported'; externalId: string; from: Side; participant: Participant | null } & Author & Content & Place)
  /** The intent to send: an agent's, the system's or the API's. `externalId` is the provider's id, made before the call (events.md 7). */
  | ({
      type: 'MessageSent'
      externalId: string
      clientId: string
      private: boolean
      forwarded: boolean
      /** The revision of the ticket that the agent had on screen. */
      seen: number | null
      /** The revision of the act that says this to the contact: a farewell, a transfer's text (A-TICKET-07). */
      act?: number
      /** Forwarded into it from elsewhere (A-MSG-08), or said of somebody's silence (A-EXP-03): nobody here has read or answered anything with it. */
      aside?: true
      /** The message that did not leave and is sent once more with this one. */
      again?: number
      /** How many of the contact's came behind what the agent had on screen and stay unread; absent: none (A-TICKET-06). */
      left?: number
      /** Who sent it does not serve the ticket: nothing was read with it (A-TICKET-06). */
      reads?: false
      /** It goes as this template, which the provider approved; the body is what the customer sees of it. */
      template?: TemplateSent
      /** What its reader chooses or touches; `body` says the same in words. */
      interactive?: Interactive
      /** How long behind its act it leaves: the files of a list go one by one (A-BOT-03). */
      afterMs?: number
    } & Content &
      Place)
  | { type: 'MessageDispatched'; messageId: number; attempt: number }
  /** `providerId`: the provider's own id of it, where it makes one. */
  | { type: 'MessageAccepted'; messageId: number; providerId?: string }
  | { type: 'MessagesDelivered'; messageIds: number[] }
  | { type: 'MessagesRead'; messageIds: number[] }
  | { type: 'MessagesPlayed'; messageIds: number[] }
  | { type: 'MessageFailed'; messageId: number; code: string }
  | { type: 'MessageUncertain'; messageId: number }
  /** `media`: the whole of its words, where they are more than an event holds. */
  | { type: 'MessageEdited'; messageId: number; body: string; media?: Media }
  /** `emptied`: its words and its file left everything but the log with it (A-LGPD-03). */
  | { type: 'MessageRemoved'; messageId: number; from: Side; emptied?: true }
  /** `participant`: who it was, in a group. */
  | ({ type: 'MessageReacted'; messageId: number; emoji: string; from: Side; participant?: Participant } & Partial<Author>)
  | ({ type: 'ReactionRemoved'; messageId: number; from: Side } & Partial<Author>)

export type Automation =
  /**
   * Something acted by itself, by this rule and for this reason; what it did stands behind it in the same append. `answers`: the revision of
   * the contact's message that it follows; null: time had passed. `choice`: what that message was taken for.
   */
  | { type: 'AutomationActed'; rule: string; reason: string; answers: number | null; choice?: { number: number; name: string } }
  /** The bot showed a menu and waits there; `menus`: so many were shown in this queue. `begins`: it is the first of this ticket. */
  | { type: 'BotMoved'; node: string; menus: number; answers: number; begins?: true }
  /** From here on people answer. */
  | { type: 'BotEnded'; why: string }

export type Lane =
  /**
   * It stands in this lane of the board from now on, and in no other (A-LANE-02); `fromTagId`: where it stood, null: in none. By a rule of
   * the house its time there was over, or the contact wrote: `answers`, the revision of that message.
   */
  | { type: 'LaneEntered'; tagId: number; fromTagId: number | null; why?: 'laneTime' | 'laneBack'; rule?: string; answers?: number }
  | { type: 'LaneLeft'; tagId: number }

export type Note = { type: 'NoteAdded'; noteId: number; note: string } | { type: 'NoteRemoved'; noteId: number }

export type Channel = 'whatsapp' | 'whatsappapi' | 'facebook' | 'instagram'
export type Side = 'us' | 'contact'
export type CloseReason =
  | 'agent'
  | 'ignored'
  | 'closeAll'
  | 'transfer'
  | 'expired'
  | 'connectionRemoved'
  | 'bot'
  | 'rated'
  | 'unrated'
  | 'consentRefused'
export type Assigning = 'bot' | 'wallet' | 'random' | 'rotation'
/** How a ticket was read beside being opened: its messages alone, as a document, as a file, or as its history. */
export type Way = 'peek' | 'print' | 'export' | 'replay'
export type UndoableKind = 'closed' | 'returned' | 'transferred'
/** What an act changes of a ticket. */
export type Before = {
  status: 'pending' | 'open' | 'group' | 'closed' | 'nps' | 'lgpd'
  userId: number | null
  queueId: number | null
  unread: number
  waitingSince: string | null
  transferred: boolean
}
export type Back = { ticketId: number; command: string }
export type Successor = { ticketId: number; uuid: string; userId: number | null; queueId: number }

/** `unsupported`: the channel does not show other programs what it says. */
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
/** Where a file lies and what a screen must know before it loads: never the file itself. Seconds and pixels where known. */
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
  /** The file of the message; of words or of cards that are more than an event holds, the whole of them. */
  media: Media | null
  vCard: string | null
  quotedId: number | null
  /** What it quotes, as it read then, where that stands in an earlier ticket. */
  quote?: Quote
}
export type Quote = { from: Side; kind: Kind; body: string }
/**
 * What a contact’s message came by or is about, which is no message: a story of ours that it answers, one of theirs that names us, an
 * advertisement or a link that led them here, a consent to be written to; or the kind of a message that nobody here understands, by its name
 * as the title; or a message or a status that it quotes and that does not stand here. `url`: where that is seen; a story’s picture is the message’s file.
 */
export type About = {
  of: 'story' | 'mention' | 'ad' | 'link' | 'optin' | 'kind' | 'quote' | 'ourQuote' | 'contactQuote' | 'status'
  title: string
  text: string
  url: string | null
}
/** A template as its provider takes it, its fields filled in. */
export type TemplateSent = { name: string; language: string; category: string; components: object[] }
/** The queue of the ticket when the message was written. */
export type Place = { queueId: number | null }

/** Who wrote in a group, as the provider names them. */
export type Participant = { id: string; name: string }
/** The same participant of a group again, without saying who: what a decision may compare without opening a seal. null outside groups. */
export type Author = { author: string | null }
/** It was said to somebody else before, by its channel's word (A-MSG-08). */
type Forwarded = { forwarded?: true }

/** Which fields identify a person or carry their words: they stand in the log only sealed (events.md 3). */
export const personal: { [N in TicketEvent['type']]?: string[] } = {
  TicketOpened: ['note'],
  TicketTransferred: ['note'],
  TicketClosed: ['note'],
  MessageReceived: ['body', 'media', 'vCard', 'quote', 'about', 'participant', 'senderName'], // the last stands in old facts
  MessageDecrypted: ['body', 'media', 'vCard', 'quote'],
  MessageSent: ['body', 'media', 'vCard', 'quote', 'template', 'interactive'],
  MessageSentElsewhere: ['body', 'media', 'vCard', 'quote', 'about'],
  MessageImported: ['body', 'media', 'vCard', 'quote', 'participant'],
  MessageEdited: ['body', 'media'],
  MessageReacted: ['participant'],
  NoteAdded: ['note'],
}

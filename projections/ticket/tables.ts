import type { Channel } from '#domain/channel/channels.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { LogType } from '#domain/ticket/event-catalogue.ts'
import type { About, AccessMode, AssignmentReason, Media, TemplateSent, UndoableKind } from '#domain/ticket/events.ts'

/** The tables of the ticket projector; their content comes only from events. */
export type TicketTable = {
  id: number
  uuid: string
  companyId: number
  status: 'pending' | 'open' | 'closed' | 'group' | 'lgpd' | 'nps'
  channel: Channel
  isGroup: boolean
  isBot: boolean
  contactId: number
  whatsappId: number
  queueId: number | null
  userId: number | null
  lastMessage: string
  lastMessageId: number | null
  lastMessageFromMe: boolean
  lastMessageAt: string | null
  lastMessageKind: string | null
  lastMessageDeleted: boolean
  lastMessageUserId: number | null
  lastMessageSender: string | null
  lastMessageElsewhere: boolean
  lastMessageSeconds: number | null
  lastMessageFile: string | null
  failedIds: number[]
  batch: string | null
  unreadMessages: number
  isTransfered: boolean
  transfer: { userId: number | null; at: string; note: string | null } | null
  useIntegration: boolean
  laneId: number | null
  amount: number | null
  revision: number
  createdAt: string
  updatedAt: string
  waitingSince: string | null
  openedAt: string | null
  closedAt: string | null
  /** The contact's rating, from 0 to 10. */
  nps: number | null
}
export type TicketLogTable = {
  id: string
  companyId: number
  ticketId: number
  revision: number
  type: LogType
  userId: number | null
  queueId: number | null
  fromUserId: number | null
  note: string | null
  /** For an undo: the kind of action. */
  undone: UndoableKind | null
  /** For an access: how, if not on screen. For a closing: that its connection was removed. */
  way: AccessMode | AssignmentReason | 'laneTime' | 'laneBack' | 'connectionRemoved' | null
  /** The rule by which it happened automatically. */
  rule: string | null
  /** The rating. */
  nps: number | null
  laneId: number | null
  amount: number | null
  createdAt: string
}
/** A deletion removes no row, and it contains people only by id (A-AUDIT-01). */
export type TicketHistoryTable = {
  id: number
  uuid: string
  companyId: number
  contactId: number
  connectionId: number
  isGroup: boolean
  status: 'pending' | 'open' | 'group' | 'closed' | 'lgpd' | 'nps' | 'deleted'
  queueId: number | null
  userId: number | null
  /** All users who served the ticket or acted in it. */
  userIds: number[]
  revision: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}
export type MessageTable = {
  id: number
  companyId: number
  ticketId: number
  queueId: number | null
  body: string
  /** The normalised text for search. */
  words: string
  fromMe: boolean
  userId: number | null
  senderName: string | null
  deletedBy: 'us' | 'contact' | null
  isEdited: boolean
  isForwarded: boolean
  isPrivate: boolean
  ack: number
  /** Inbound messages: an agent has read it. */
  read: boolean
  failed: string | null
  uncertain: boolean
  elsewhere: boolean
  undecryptable: boolean
  sentAgain: number | null
  /** Outbound messages: the template that was sent. */
  template: TemplateSent | null
  mediaType: string
  media: Media | null
  vCard: string | null
  interactive: Interactive | null
  about: About | null
  quotedId: number | null
  /** `name`: the member of a group. */
  reactions: { emoji: string; from: 'us' | 'contact'; author?: string | null; name?: string }[]
  revision: number
  createdAt: string
}
export type NoteTable = { id: number; companyId: number; ticketId: number; userId: number | null; note: string; createdAt: string }
export type CounterTable = {
  companyId: number
  status: string
  isGroup: boolean
  queueId: number
  userId: number
  tickets: number
  unread: number
}

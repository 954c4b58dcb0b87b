import type { HistoryRow } from '#domain/history/contract.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { LogType } from '#domain/ticket/event-catalogue.ts'
import type { AccessMode, AssignmentReason, Media, Side, TemplateSent, UndoableKind } from '#domain/ticket/events.ts'

/** Fields of the published row that are related rows, or computed when the row is read (`projections/ticket/rows.ts`). */
type ComputedField =
  | ('contact' | 'whatsapp' | 'queue' | 'user' | 'tags' | 'heardAt' | 'failedMessages')
  | ('transfer' | 'msgTransfer' | 'turnEndsAt' | 'userRating')

/** The tables of the ticket projector; their content comes only from events. Every other field of the published row is a column. */
export type TicketTable = Omit<TicketRow, ComputedField> & {
  lastMessageId: number | null
  failedIds: number[]
  /** The id of the close-all that closed the ticket. */
  batch: string | null
  transfer: { userId: number | null; at: string; note: string | null } | null
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
  way: AccessMode | AssignmentReason | 'laneTime' | 'laneBack' | 'connectionRemoved' | 'ignored' | null
  /** The rule by which it happened automatically. */
  rule: string | null
  /** The rating. */
  nps: number | null
  laneId: number | null
  amount: number | null
  createdAt: string
}
/** A deletion removes no row, and it contains people only by id (A-AUDIT-01). */
export type TicketHistoryTable = Omit<HistoryRow, 'contact' | 'whatsapp' | 'queue' | 'user' | 'chain'> & {
  contactId: number
  connectionId: number
  queueId: number | null
  userId: number | null
  /** All users who served the ticket or acted in it. */
  userIds: number[]
}
/** Fields of the published message that are related rows, or computed when the message is read. */
type ComputedMessageField = 'ticket' | 'user' | 'contact' | 'isDeleted' | 'mediaUrl' | 'quotedMsg'
export type MessageTable = Omit<MessageRow, ComputedMessageField | 'media' | 'template' | 'interactive' | 'reactions'> & {
  /** The normalised text for search. */
  words: string
  userId: number | null
  senderName: string | null
  quotedId: number | null
  media: Media | null
  template: TemplateSent | null
  interactive: Interactive | null
  /** `name`: the member of a group. */
  reactions: { emoji: string; from: Side; author?: string | null; name?: string }[]
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

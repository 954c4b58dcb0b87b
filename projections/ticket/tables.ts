import type { Interactive } from '#domain/interactive/rules.ts'
import type { About, AssignmentReason, Media, TemplateSent, UndoableKind, Way } from '#domain/ticket/events.ts'

/** The tables of the ticket's projector: what stands in them comes from events alone. */
export type TicketTable = {
  id: number
  uuid: string
  companyId: number
  status: 'pending' | 'open' | 'closed' | 'group' | 'lgpd' | 'nps'
  channel: 'whatsapp' | 'whatsappapi' | 'facebook' | 'instagram'
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
  /** What the contact said of how they were served, from 0 to 10. */
  nps: number | null
}
export type TicketLogTable = {
  id: string
  companyId: number
  ticketId: number
  revision: number
  type: string
  userId: number | null
  queueId: number | null
  fromUserId: number | null
  note: string | null
  /** Of an undoing: which act it took back. */
  undone: UndoableKind | null
  /** Of an access: how, where it was not opened on screen; of a closing that it went with its connection. */
  way: Way | AssignmentReason | 'laneTime' | 'laneBack' | 'connectionRemoved' | null
  /** By which rule of the house it happened by itself. */
  rule: string | null
  /** Of a rating. */
  nps: number | null
  laneId: number | null
  amount: number | null
  createdAt: string
}
/** No deletion takes a row from it, and no person stands in it but by an id (A-AUDIT-01). */
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
  /** Everyone who served it or acted in it. */
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
  /** The body as it is searched. */
  words: string
  fromMe: boolean
  userId: number | null
  senderName: string | null
  deletedBy: 'us' | 'contact' | null
  isEdited: boolean
  isForwarded: boolean
  isPrivate: boolean
  ack: number
  /** Of a contact's: somebody of ours has seen it. */
  read: boolean
  failed: string | null
  uncertain: boolean
  elsewhere: boolean
  undecryptable: boolean
  sentAgain: number | null
  /** Of ours: as which template it went. */
  template: TemplateSent | null
  mediaType: string
  media: Media | null
  vCard: string | null
  interactive: Interactive | null
  about: About | null
  quotedId: number | null
  /** `name`: of who it was, in a group. */
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

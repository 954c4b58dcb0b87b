import type { Identity } from '#domain/contact/identity.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { Opening } from '#domain/ticket/attendance.ts'
import type { About, Kind, Media, TemplateSent } from '#domain/ticket/events.ts'
import type { LanesBack } from '#domain/ticket/lane.ts'
import type { AutoResetEvent } from '../concurrency/auto-reset-event.ts'
import type { StoredFile } from '../storage/media.ts'

export type Connection = {
  id: number
  companyId: number
  channel: Opening['channel']
  provider: string
  status: string
  /** Why the connection is down; null if it is up, or if a person ended it. */
  reason: string | null
  allowGroup: boolean
  groupAsTicket: string
  queueId: number | null
  /** A contact who writes again within these minutes after a closing continues in the closed ticket (A-EXP-04). */
  timeCreateNewTicket: number
  maxUseBotQueuesNPS: number
  /** A-LANE-01. */
  lanesBack: LanesBack
}
/** A worker's lease of a connection. `number` increases with each lease of that connection. */
export type Lease = { holder: number; number: number }
/** A connection that this process leases. `connection` is its current row. */
export type LeasedConnection = {
  connection: Connection
  lease: Lease
  /** Whether the lease is still valid by this process's clock, so that no other process can have it. */
  isLeaseValid: () => boolean
  /** Set when the journal has new rows. */
  journal: AutoResetEvent
  /** Set when a contact writes who is new to this process. */
  people: AutoResetEvent
  /** Set when the outbox has new rows. */
  outbox: AutoResetEvent
  /** Set when the state of the connection changed. */
  session: AutoResetEvent
}

/**
 * An identifier of a person at a provider. No two kinds share a key. `lid`: WhatsApp's own id of a person. `scoped`: an id that is valid
 * only for this page, Instagram account or WhatsApp business.
 */
export type { Identity } from '#domain/contact/identity.ts'

/** The content of an outbound message, for every channel. */
export type Outgoing = {
  kind: Kind
  body: string
  media: Media | null
  vCard: string | null
  /** Buttons or a list, if the connection sends them. `body` contains the same as text. */
  interactive?: Interactive
  quotedExternalId: string | null
  /** Marks a forwarded message, if the channel shows that (A-MSG-08). */
  forwarded?: true
  /** An agent wrote it. Some channels accept messages of agents for longer. */
  byPerson?: boolean
  /** The message is sent as this template. `body` is the template's text. */
  template?: TemplateSent
}
/** The content without its interactive part, for recipients that cannot show it. */
export const inWords = ({ interactive: _, ...content }: Outgoing): Outgoing => ({ ...content, kind: content.media ? 'image' : 'chat' })
/** `ids`: all identifiers of the contact on this channel. */
export type Recipient = { companyId: number; connectionId: number; contactId: number; number: string; ids: Identity[]; group: boolean }

/** The interface of a channel adapter. Adapters translate for the provider; they make no decisions and know no tickets. */
export type Channel = {
  /** A repeated send with the same id is delivered once (WhatsApp), so an unknown outcome is retried. Otherwise an agent decides. */
  supportsIdempotentSend: boolean
  /** Inbound events arrive by webhook, also while the connection is down. */
  webhooks?: true
  /**
   * Sends a message. Returns the provider's own id if there is one; receipts name that id. After `signal` aborts, the message is either not
   * sent or its outcome is unknown.
   */
  send(to: Recipient, externalId: string, content: Outgoing, signal: AbortSignal): Promise<string | null>
  react(to: Recipient, externalId: string, emoji: string): Promise<void>
  remove(to: Recipient, externalId: string): Promise<void>
  edit(to: Recipient, externalId: string, body: string): Promise<void>
  /** Sends read receipts to the contact. */
  read(to: Recipient, externalIds: string[]): Promise<void>
  /** Shows the contact for some seconds that an agent is typing. `newestInboundId`: the provider's id of the contact's newest message. */
  typing?(to: Recipient, newestInboundId: () => Promise<string | null>): Promise<void>
  /** Returns the name of a person, or an empty string if the provider does not return one. */
  nameOf?(from: Pick<Connection, 'id' | 'companyId'>, who: Identity): Promise<string>
  /** Downloads a person's profile picture. The stored file is reserved until a row refers to it. Null: the person shows none. */
  picture?(at: Pick<Connection, 'id' | 'companyId'>, to: Recipient): Promise<StoredFile | null>
  /** Whether a number is registered on the network, if the provider answers that. */
  isRegistered?(at: { id: number }, number: string): Promise<boolean>
  /** Whether the provider received the message that was sent with this id and text since that time. */
  check?(to: Recipient, sent: { externalId: string; body: string; since: string }): Promise<Checked>
  /** Rejects a call. */
  rejectCall?(to: Recipient, externalId: string): Promise<void>
  /** Parses a webhook payload again that could not be parsed when it arrived. */
  understand?(at: Pick<Connection, 'id'>, part: object): Promise<{ externalId: string; conversation: string; payload: InboundEvent }[]>
  /** Returns the whole text of a message that arrived with only a part of it. Null: it is not available. */
  textOf?(at: Pick<Connection, 'id' | 'companyId'>, externalId: string): Promise<string | null>
  /** Downloads the file of a message. The stored file is reserved until an event refers to it. Null: it is not available. */
  fetch?(at: Pick<Connection, 'id' | 'companyId'>, externalId: string, file?: unknown): Promise<StoredFile | null>
}

/** `silent`: the provider did not confirm the message, although it would have by now. `unknown`: the provider does not answer that. */
export type Checked = { is: 'arrived'; providerId: string } | { is: 'missing' | 'silent' | 'unknown' }

/** The channel refused for good, with a reason. An error that is neither this nor `TransientChannelError` leaves the outcome unknown. */
export class PermanentChannelError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
/** One part was delivered; the other parts failed, or their outcome is unknown. The message counts as failed, also if that part gets receipts. */
export class PartialDeliveryError extends PermanentChannelError {
  constructor(cause: unknown) {
    super('ERR_SENT_IN_PART')
    this.cause = cause
  }
}
/** The channel cannot accept the request now: rate limit, not connected, busy. `afterMs`: the pause that the channel requests. */
export class TransientChannelError extends Error {
  readonly code: string
  readonly afterMs: number | undefined
  constructor(code: string, afterMs?: number) {
    super(code)
    this.code = code
    this.afterMs = afterMs
  }
}

/** An event that a provider delivered, the same for every channel. */
export type InboundEvent =
  | ({
      type: 'message'
      externalId: string
      name: string
      group: { id: string; name: string } | null
      kind: Kind
      body: string
      media: Media | null
      vCard: string | null
      quotedExternalId: string | null
      /** The provider's time, ISO 8601. An event without one happened when it was received. */
      at: string
      /** What the adapter needs to download the file, if the id is not enough. */
      file?: unknown
      /** The provider marks the message as forwarded. */
      forwarded?: true
      /** The content cannot be decrypted yet. The message arrives again under the same id. */
      undecryptable?: true
      /** What the message refers to, such as an advertisement or a product. */
      about?: About
      /** The quoted message as the provider delivers it. Shown if that message is not stored here. */
      quoted?: About
      /** The sender's name of the file. Shown if the file is not available. */
      fileName?: string
      /** The message has a file that is downloaded before processing. `media` is null until then. */
      apart?: true
      /** The whole text is requested before processing. `body` is the part that arrived. */
      isPartial?: true
      /** Reservation of the stored file until an event refers to it. */
      hold?: string
    } & Omit<Origin, 'group' | 'at'>)
  /** `name`: the name of the person who reacts. */
  | ({ type: 'reaction'; externalId: string; emoji: string; name?: string } & Origin)
  | ({ type: 'removal'; externalId: string } & Origin)
  /** `media`: the whole text as a file, if it exceeds the size of an event. `hold`: reservation of that file until an event refers to it. */
  | ({ type: 'edit'; externalId: string; body: string; media?: Media | null; hold?: string } & Origin)
  /**
   * A delivery receipt. `to`: the person of the conversation, if the provider names one. `upTo`: all messages to a person until a time, if the
   * provider names no messages. `andBefore`: earlier messages too, if the provider names only the newest.
   */
  | {
      type: 'receipt'
      externalIds: string[]
      mark: 'delivered' | 'read' | 'played'
      to?: Identity[]
      upTo?: UpTo
      andBefore?: true
      at?: string
    }
  /** The provider accepted our message, even if its answer to the send call was lost. */
  | { type: 'accepted'; externalIds: string[]; providerId: string; at?: string }
  /** An accepted message was not delivered. `partly`: some parts were delivered and may have receipts. */
  | { type: 'failed'; externalIds: string[]; code: string; partly?: true; at?: string }
  /** A person has a new number. The old one may later belong to another person. */
  | { type: 'numberChanged'; from: Identity[]; to: Identity[]; at: string }
  /** A payload that could not be parsed, unchanged. */
  | { type: 'unparsed'; part: object }
  | { type: 'call'; externalId: string; from: Identity[]; name: string; video: boolean; at: string }
type UpTo = { from: Identity[]; at: string }
type Origin = {
  /** All identifiers of one person, the one to reply to first: the contact, or in a group the participant. */
  from: Identity[]
  /** The id of the group, or null. */
  group: string | null
  /** Done on the company's own phone, or in the provider's own inbox. Outside a group, `from` is the recipient. */
  fromMe?: true
  at?: string
}

/** The state of a connection. `reason`: why it is down, as a code. */
export type ConnectionState = {
  status: 'qrcode' | 'OPENING' | 'PAIRING' | 'CONNECTED' | 'DISCONNECTED' | 'TIMEOUT'
  qrcode?: string
  number?: string
  reason?: string | null
}

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
  /** Why it is away by itself; null where it is not, or where somebody ended it. */
  reason: string | null
  allowGroup: boolean
  groupAsTicket: string
  queueId: number | null
  /** A contact who writes again so soon after a closing goes on in that ticket (A-EXP-04), in minutes. */
  timeCreateNewTicket: number
  maxUseBotQueuesNPS: number
  /** A-LANE-01. */
  lanesBack: LanesBack
}
/** Who holds a connection; the number tells one holding from the next. */
export type Lease = { holder: number; number: number }
/** A connection that this process holds; `now` is how it stands. */
export type LeasedConnection = {
  connection: Connection
  lease: Lease
  /** Whether nobody else can hold it yet, as far as a clock tells. */
  isLeaseValid: () => boolean
  /** Rung when something waits in its journal, when somebody was heard who is new to this process, when something waits in its outbox, and when its session stands otherwise than before. */
  journal: AutoResetEvent
  people: AutoResetEvent
  outbox: AutoResetEvent
  session: AutoResetEvent
}

/**
 * By what a provider knows somebody; no two kinds share a key. `lid`: WhatsApp's own id of a person; `scoped`: the id that only this page,
 * Instagram account or WhatsApp business knows a person by.
 */
export type { Identity } from '#domain/contact/identity.ts'

/** What is said to a contact, whatever the channel. */
export type Outgoing = {
  kind: Kind
  body: string
  media: Media | null
  vCard: string | null
  /** What its reader chooses or touches, where the connection sends such; `body` says the same in words. */
  interactive?: Interactive
  quotedExternalId: string | null
  /** It was said to somebody else before, which its reader is shown where the channel does that (A-MSG-08). */
  forwarded?: true
  /** One of our people wrote it, for which some channels leave more time. */
  byPerson?: boolean
  /** It goes as this template, whose words the body is. */
  template?: TemplateSent
}
/** The same in words alone, for who cannot show the rest. */
export const inWords = ({ interactive: _, ...content }: Outgoing): Outgoing => ({ ...content, kind: content.media ? 'image' : 'chat' })
/** `ids`: all that the contact is known by on this channel. */
export type Recipient = { companyId: number; connectionId: number; contactId: number; number: string; ids: Identity[]; group: boolean }

/** What every channel can do. Adapters speak to the outside; they decide nothing and know no ticket. */
export type Channel = {
  /** The same id again reaches the contact once (WhatsApp): an unknown outcome may be tried again. Otherwise it becomes a doubt for a human. */
  supportsIdempotentSend: boolean
  /** What is said there is brought to us whether a session of ours stands or not. */
  webhooks?: true
  /**
   * Answers the provider's own id of it where the provider makes one: its marks come back under that. What is given up by `signal` does not
   * leave any more, or nobody knows whether it did.
   */
  send(to: Recipient, externalId: string, content: Outgoing, signal: AbortSignal): Promise<string | null>
  react(to: Recipient, externalId: string, emoji: string): Promise<void>
  remove(to: Recipient, externalId: string): Promise<void>
  edit(to: Recipient, externalId: string, body: string): Promise<void>
  /** The contact sees that we read. */
  read(to: Recipient, externalIds: string[]): Promise<void>
  /** The contact sees that somebody of ours writes, for some seconds. `lastHeard`: their newest message, by the provider's id. */
  typing?(to: Recipient, lastHeard: () => Promise<string | null>): Promise<void>
  /** What somebody is called; empty where the provider does not say. */
  nameOf?(from: Pick<Connection, 'id' | 'companyId'>, who: Identity): Promise<string>
  /** What somebody looks like, as they show it there: kept, and held until a row names it. null: they show nothing. */
  picture?(at: Pick<Connection, 'id' | 'companyId'>, to: Recipient): Promise<StoredFile | null>
  /** Whether a number is on its network, where it says that. */
  isRegistered?(at: { id: number }, number: string): Promise<boolean>
  /** Whether it has what we sent under this id, with these words, since that moment. */
  check?(to: Recipient, sent: { externalId: string; body: string; since: string }): Promise<Checked>
  /** Where a call can be turned down. */
  rejectCall?(to: Recipient, externalId: string): Promise<void>
  /** What a webhook brought and could not be read then. */
  understand?(at: Pick<Connection, 'id'>, part: object): Promise<{ externalId: string; conversation: string; heard: InboundEvent }[]>
  /** The whole text of a message that came with a part of it; null: it cannot be had. */
  textOf?(at: Pick<Connection, 'id' | 'companyId'>, externalId: string): Promise<string | null>
  /** The file of what was said, where it comes apart from it: kept, and held until a fact names it. null: it cannot be had. */
  fetch?(at: Pick<Connection, 'id' | 'companyId'>, externalId: string, file?: unknown): Promise<StoredFile | null>
}

/** `silent`: the channel would have said so by now, and did not; `unknown`: it does not say. */
export type Checked = { is: 'arrived'; providerId: string } | { is: 'missing' | 'silent' | 'unknown' }

/** The channel said no, and said why: it will not change its mind. What is thrown and is neither this nor `Later` leaves the outcome unknown. */
export class PermanentChannelError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}
/** A part of it is there, and the rest is not, or nobody knows: it stands as not sent, whatever is told of that part. */
export class PartialDeliveryError extends PermanentChannelError {
  constructor(cause: unknown) {
    super('ERR_SENT_IN_PART')
    this.cause = cause
  }
}
/** The channel did not take it, and may do so later: too fast, not connected, busy. `afterMs`: the pause that it asks for. */
export class TransientChannelError extends Error {
  readonly code: string
  readonly afterMs: number | undefined
  constructor(code: string, afterMs?: number) {
    super(code)
    this.code = code
    this.afterMs = afterMs
  }
}

/** What every channel reports. One union, whoever speaks. */
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
      /** The provider's time, ISO 8601; what was told without one happened when it was heard. */
      at: string
      /** What its channel fetches that file by, where the id is not enough. */
      file?: unknown
      /** By its channel's word it was said elsewhere before. */
      forwarded?: true
      /** Its content cannot be read yet; it comes again under the same id. */
      undecryptable?: true
      /** What it came by, or is about. */
      about?: About
      /** What it quotes, as the message itself tells: shown where we do not have that. */
      quoted?: About
      /** What its sender calls that file: shown where the file cannot be had. */
      fileName?: string
      /** There is a file to it, which is fetched before it is taken; `media` is null until then. */
      apart?: true
      /** The provider gives its whole text when asked, before it is taken; `body` is what came with it. */
      isPartial?: true
      /** By what that file is held until a fact names it. */
      hold?: string
    } & Omit<Origin, 'group' | 'at'>)
  /** `name`: what who reacts calls themselves. */
  | ({ type: 'reaction'; externalId: string; emoji: string; name?: string } & Origin)
  | ({ type: 'removal'; externalId: string } & Origin)
  /** `media`: the whole of its words, where an event does not hold them; `hold`: by what that file is held until a fact names it. */
  | ({ type: 'edit'; externalId: string; body: string; media?: Media | null; hold?: string } & Origin)
  /**
   * `to`: in whose conversation, where that is told. `upTo`: all that was sent to somebody until then, where the provider names no messages.
   * `andBefore`: what was said before those too, where it names the newest alone.
   */
  | {
      type: 'mark'
      externalIds: string[]
      mark: 'delivered' | 'read' | 'played'
      to?: Identity[]
      upTo?: UpTo
      andBefore?: true
      at?: string
    }
  /** The provider has what we sent, whatever became of its answer. */
  | { type: 'accepted'; externalIds: string[]; providerId: string; at?: string }
  /** What the provider had taken did not arrive after all; `partly`: some of it is there, and was perhaps told of. */
  | { type: 'failed'; externalIds: string[]; code: string; partly?: true; at?: string }
  /** Somebody is known by another number from now on; the one they had may be another’s one day. */
  | { type: 'moved'; from: Identity[]; to: Identity[]; at: string }
  /** What was told, as it came, by words that nobody here understood. */
  | { type: 'unread'; part: object }
  | { type: 'call'; externalId: string; from: Identity[]; name: string; video: boolean; at: string }
type UpTo = { from: Identity[]; at: string }
type Origin = {
  /** One person, by all that the provider names them by, the one to be answered first: the contact, or in a group the participant. */
  from: Identity[]
  /** In which group's conversation. */
  group: string | null
  /** Done on the company's own phone, or in the provider's own inbox; outside a group `from` is to whom. */
  fromMe?: true
  at?: string
}

/** How a connection stands; `reason`: why it is away, as a code. */
export type ConnectionState = {
  status: 'qrcode' | 'OPENING' | 'PAIRING' | 'CONNECTED' | 'DISCONNECTED' | 'TIMEOUT'
  qrcode?: string
  number?: string
  reason?: string | null
}

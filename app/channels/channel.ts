import type { Opening } from '#domain/ticket/attendance.ts'
import type { Kind, Media } from '#domain/ticket/events.ts'
import type { LanesBack } from '#domain/ticket/lane.ts'
import type { Bell } from '../work/bell.ts'

export type Connection = {
  id: number
  companyId: number
  channel: Opening['channel']
  provider: string
  status: string
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
export type Line = {
  now: Connection
  lease: Lease
  /** Whether nobody else can hold it yet, as far as a clock tells. */
  sure: () => boolean
  /** Rung when something waits in its journal, and in its outbox. */
  journal: Bell
  outbox: Bell
}

/** What is said to a contact, whatever the channel. */
export type Outgoing = { kind: Kind; body: string; media: Media | null; vCard: string | null; quotedExternalId: string | null }
export type Target = { companyId: number; connectionId: number; number: string; group: boolean }

/** What every channel can do. Adapters speak to the outside; they decide nothing and know no ticket. */
export type Channel = {
  /** The same id again reaches the contact once (WhatsApp): an unknown outcome may be tried again. Otherwise it becomes a doubt for a human. */
  sameIdIsSafe: boolean
  /** Answers the provider's own id of it where the provider makes one: its marks come back under that. */
  send(to: Target, externalId: string, content: Outgoing): Promise<string | null>
  react(to: Target, externalId: string, emoji: string): Promise<void>
  remove(to: Target, externalId: string): Promise<void>
  edit(to: Target, externalId: string, body: string): Promise<void>
  /** The contact sees that we read. */
  read(to: Target, externalIds: string[]): Promise<void>
}

/** The channel said no, and said why: it will not change its mind. Anything else that is thrown leaves the outcome unknown. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** What every channel reports. One union, whoever speaks. */
export type Heard =
  | {
      type: 'message'
      externalId: string
      from: string
      name: string
      group: { id: string; name: string } | null
      kind: Kind
      body: string
      media: Media | null
      vCard: string | null
      quotedExternalId: string | null
      /** The provider's time, ISO 8601; what was told without one happened when it was heard. */
      at: string
    }
  | ({ type: 'reaction'; externalId: string; emoji: string } & Origin)
  | ({ type: 'removal'; externalId: string } & Origin)
  | ({ type: 'edit'; externalId: string; body: string } & Origin)
  | { type: 'mark'; externalIds: string[]; mark: 'delivered' | 'read' | 'played'; at?: string }
/** In which conversation, and in a group by which participant. */
type Origin = { from: string; group: boolean; participant?: string; at?: string }

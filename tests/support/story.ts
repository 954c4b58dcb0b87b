import { expect } from 'vitest'
import { type Actor, decide, type EventMetadata, fold } from '#domain/decider.ts'
import { type errors, Refusal } from '#domain/errors.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent, Transfer } from '#domain/ticket/events.ts'
import type { TimeoutPolicy } from '#domain/ticket/timeouts.ts'

export const noon = '2026-01-05T12:00:00.000Z'
const stamp: EventMetadata = { companyId: 1, by: { kind: 'user', id: 7 }, at: noon }

/** An event or command with optional metadata; the default is user 7 at noon. */
export type StoryEvent<M> = M & Partial<EventMetadata>
export type Fact = StoryEvent<TicketEvent>

/** A time this many minutes after noon. */
export const later = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString()
export const by = (actor: Actor) => ({ by: actor })
export const user = (id: number): Actor => ({ kind: 'user', id })
export const contact: Actor = { kind: 'contact', id: 3 }
export const system: Actor = { kind: 'system' }

/** A test of the decider: given events, when a command comes, then events follow, or a refusal, or nothing. */
export const given = (...happened: Fact[]) => ({
  when(command: StoryEvent<TicketCommand>) {
    const decided = () => {
      return decide(ticket, after(happened), { ...stamp, ...command })
    }
    const told = { ...stamp, ...('by' in command && { by: command.by }), ...('at' in command && { at: command.at }) }
    return {
      // biome-ignore lint/suspicious/noThenProperty: given, when, then is how a story goes; nobody awaits one
      then: (...facts: TicketEvent[]) => expect(decided()).toEqual(facts.map((fact) => ({ ...fact, ...told }))), // oxlint-disable-line unicorn/no-thenable
      facts: decided,
      nothing: () => expect(decided()).toEqual([]),
      refused(which: keyof typeof errors, detail: Record<string, unknown> = {}) {
        const refusal = caught(decided)
        expect(refusal).toBeInstanceOf(Refusal)
        expect({ which: refusal.message, detail: refusal.detail }).toEqual({ which, detail })
      },
    }
  },
  /** The folded state, for tests of the state itself. */
  folded: () => after(happened),
})

/**
 * The state after these events, folded in two parts and frozen, because folds and decisions must not change their
 * input.
 */
function after(happened: Fact[]) {
  const facts = happened.map((fact) => ({ ...stamp, ...fact }))
  return frozen(fold(ticket, facts.slice(-1), frozen(fold(ticket, facts.slice(0, -1)))))
}
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const held = value instanceof Map ? [...value.values()] : Object.values(value)
  if (value instanceof Map)
    for (const name of ['set', 'delete', 'clear'])
      Object.defineProperty(value, name, { value: () => expect.unreachable(`${name} of a frozen map`) })
  Object.freeze(value)
  for (const one of held) frozen(one)
  return value
}

function caught(act: () => unknown): Refusal {
  try {
    return expect.unreachable(`decided ${JSON.stringify(act())}`)
  } catch (error) {
    return error as Refusal
  }
}

/** A connection without any waiting rule. */
export const never: TimeoutPolicy = {
  ...{ expiresMs: 0, onlyUnanswered: false, warnMs: 0, autoMs: 0, redirectMs: 0, redirectTo: null, ratingMs: 3_600_000 },
  ...{ closedUntil: null, vacation: null, lane: null },
}

const uuid = '0b1f6d1e-6a0c-4c39-9a55-3f1f5a0c9b11'
export const opening = {
  ticketId: 17,
  uuid,
  contactId: 3,
  connectionId: 4,
  channel: 'whatsapp' as const,
  group: false,
  queueId: 5 as number | null,
  predecessorId: null as number | null,
  transfer: null as Transfer | null,
  note: null as string | null,
}
export const opened = (to: Partial<typeof opening> = {}): Fact => ({ type: 'TicketOpened', ...opening, ...to })

/** The ticket waits in queue 5 without an agent. */
export const waiting = opened()
export const unqueued = opened({ queueId: null })
export const inGroup = opened({ group: true })
export const servedBy = (userId: number, queueId = 5): Fact => ({ type: 'TicketAccepted', userId, queueId, waited: true })
export const closed: Fact = { type: 'TicketClosed', reason: 'agent', farewell: true, waited: false, userId: 7, successor: null, queueId: 5 }
export const deleted: Fact = { type: 'TicketDeleted' }

export const content = { kind: 'chat' as const, body: 'Bom dia', media: null, vCard: null, quotedId: null as number | null }
export const received = (messageId: number, to: object = {}): Fact => ({
  ...{
    type: 'MessageReceived',
    messageId,
    externalId: `in-${messageId}`,
    participant: null,
    author: null,
    queueId: 5,
    ...content,
    by: contact,
  },
  ...to,
})
export const sent = (messageId: number, to: object = {}): Fact => ({
  ...{ type: 'MessageSent', messageId, externalId: `out-${messageId}`, clientId: `client-${messageId}`, queueId: 5, ...content },
  ...{ private: false, forwarded: false, seen: null },
  ...to,
})

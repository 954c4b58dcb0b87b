import { own, step } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { held } from '#domain/ticket/past.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { type Recorded, Unfoldable } from '#projections/projector.ts'
import { hashOf } from './chain.ts'
import type { LoggedEvent, Revision } from './eventlog.ts'
import { fact } from './facts.ts'
import type { Spent } from './snapshots.ts'

/** A ticket as it was folded, and what is needed to go on from there. */
export type Known = {
  ticket: Ticket
  revision: Revision
  position: bigint
  hash: string
  contactId: number | null
  /** The ids of commands that made something; of older ones by key. */
  commands: ReadonlySet<string>
  /** The snapshot that knows what this one has forgotten; null: it has forgotten nothing. */
  base: bigint | null
  /** The revision at which it is worth a snapshot. */
  due: bigint
}

/** As many events as are folded again at most, once there is a snapshot. */
export const snapshotEvery = 500n
const recentCommands = 100

export const unknown: Known = {
  ...{ ticket: ticket.initial, revision: 'none', position: -1n, hash: '', contactId: null },
  ...{ commands: new Set<string>(), base: null, due: snapshotEvery },
}

/** Decisions never look at sealed words, so a fold does not open them. */
export const factsOf = (events: LoggedEvent[]): Recorded<TicketEvent>[] => events.map((event) => fact(event, null))

export function after(from: Known, events: LoggedEvent[], facts: Recorded<TicketEvent>[]): Known {
  const last = events.at(-1)
  if (!last) return from
  let now = own(ticket, from.ticket)
  for (const [i, event] of events.entries()) now = folded(now, event, facts[i]!)
  const made = events.map(({ meta }) => (meta as { commandId: string }).commandId)
  return {
    ...from,
    ticket: now,
    revision: last.revision,
    position: last.position,
    hash: hashOf(last.meta),
    contactId: (last.meta as { contactId: number }).contactId,
    commands: new Set([...from.commands, ...made]),
  }
}

/** A fact that cannot be folded is named: without its place nobody would find it among thousands. */
function folded(now: Ticket, event: LoggedEvent, told: Recorded<TicketEvent>): Ticket {
  try {
    return step(ticket, now, told)
  } catch (cause) {
    throw new Unfoldable(`${event.stream} does not fold at revision ${event.revision}: ${event.type} ${event.id}`, { cause })
  }
}

/** About how many bytes a folded ticket takes; measured on one of 20,000 messages. */
export const weightOf = ({ ticket: now, commands }: Known): number =>
  1000 + commands.size * 100 + ('messages' in now ? now.messages.size * 600 + now.spent.size * 200 + now.notes.size * 100 : 0)

/** A command's id among the ids that are spent. */
export const spentBy = (commandId: string) => `command ${commandId}`
export const spentIn = ({ ticket: now, commands }: Known): Spent[] => [
  ...held(now).flatMap(({ messageId, ids }) => ids.map((id) => ({ id, messageId }))),
  ...[...commands].map((commandId) => ({ id: spentBy(commandId), messageId: null })),
]
/** Whoever asks again asks soon. */
export const latest = (commands: ReadonlySet<string>): Set<string> => new Set([...commands].slice(-recentCommands))

export function contactOf(made: TicketEvent[]): number {
  const opened = made.find((one) => one.type === 'TicketOpened')
  return opened ? opened.contactId : refuse('ERR_NO_TICKET_FOUND')
}

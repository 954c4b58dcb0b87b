import { setTimeout as sleep } from 'node:timers/promises'
import { type Cause, decide, fold, own, type Stamp, step } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { Unfoldable } from '#projections/projector.ts'
import { chained, hashOf } from './chain.ts'
import { Conflict, type EventLog, type LoggedEvent, type Revision, TooLarge } from './eventlog.ts'
import { fact, fieldsOf, stored } from './facts.ts'
import type { ContactKeys } from './keys.ts'
import type { LogKey } from './log-keys.ts'

/** What came of a command: the facts it made, the ticket after them, and the position of its newest fact, to wait for before a row is read back. */
export type Asked = {
  facts: TicketEvent[]
  ticket: Ticket
  position: bigint
  /** The same command was asked before. */
  repeated: boolean
}
/** `commandId`: the provider's message id, the client's uuid, or what derives from a cause. It stands beside every fact of it: asked again, it does nothing. */
export type AskTicket = (ticketId: number, command: TicketCommand & Stamp, commandId: string, cause?: Cause) => Promise<Asked>

/** The ticket as it stands, for reading only. */
export type SeeTicket = (companyId: number, ticketId: number) => Promise<Ticket>

/** Whether a user asked this of a ticket before, among the last that was asked of it. */
export type WasAsked = (companyId: number, ticketId: number, userId: number, commandId: string) => Promise<boolean>

type Known = { ticket: Ticket; revision: Revision; position: bigint; hash: string; contactId: number | null; commands: Set<string> }
const unknown: Known = { ticket: ticket.initial, revision: 'none', position: -1n, hash: '', contactId: null, commands: new Set() }
/** As long as a person would wait. */
const patienceMs = 5000
const mostPauseMs = 50
const mostCommands = 100

export const streamOf = (companyId: number, ticketId: number) => `${ticket.stream}-${companyId}-${ticketId}`

/**
 * read → fold → decide → append. A lost race decides again on the newer state; deciders are pure, so that is safe.
 * Folded tickets are kept under their revision, bounded and never a truth: the append at that revision proves them or fails.
 */
export function ticketStore(
  log: EventLog,
  keys: ContactKeys,
  signer: LogKey,
  mostBytes = 64 * 1024 * 1024,
): { ask: AskTicket; see: SeeTicket; asked: WasAsked } {
  const known = new Map<string, Known>()
  let bytes = 0

  async function newest(stream: string, from: Known): Promise<Known> {
    const { events } = await log.read(stream, from.revision === 'none' ? 0n : from.revision + 1n)
    return after(from, events)
  }

  function keep(stream: string, now: Known): void {
    forget(stream)
    known.set(stream, now)
    bytes += weightOf(now)
    for (const [eldest] of known) {
      if (bytes <= mostBytes || eldest === stream) break
      forget(eldest)
    }
  }
  function forget(stream: string): void {
    const one = known.get(stream)
    if (one && known.delete(stream)) bytes -= weightOf(one)
  }

  async function ask(stream: string, command: TicketCommand & Stamp, commandId: string, cause?: Cause): Promise<Asked> {
    let now = known.get(stream) ?? (await newest(stream, unknown))
    for (const end = performance.now() + patienceMs; ; ) {
      const made = now.commands.has(commandId) ? [] : decided(now.ticket, command) // the same command again does nothing
      if (made instanceof Refusal || made.length === 0) {
        const proven = await newest(stream, now) // a no, or nothing to do, is only believed of the newest state
        keep(stream, proven)
        const moved = proven.revision !== now.revision
        now = proven
        if (moved) continue
        if (made instanceof Refusal) throw made
        return { facts: [], ticket: now.ticket, position: now.position, repeated: now.commands.has(commandId) }
      }
      const contactId = now.contactId ?? contactOf(made)
      const key = made.some(personalIn) ? await keys.of({ companyId: command.companyId, contactId }) : null
      const first = now.revision === 'none' ? 0n : now.revision + 1n
      const ready = made.map((one) => stored(stream, one, contactId, commandId, key, cause))
      const events = chained(now.hash, stream, first, ready, signer)
      forget(stream) // until the answer is there, nothing is known
      try {
        const { position, revision } = await log.append(stream, now.revision, events)
        const after = fold(ticket, made, now.ticket)
        const hash = hashOf(events.at(-1)!.meta)
        keep(stream, { ticket: after, revision, position, hash, contactId, commands: spent(now.commands, [commandId]) })
        return { facts: made, ticket: after, position, repeated: false }
      } catch (error) {
        if (error instanceof TooLarge) refuse('ERR_TOO_LARGE')
        if (!(error instanceof Conflict)) throw error
        if (performance.now() > end) refuse('ERR_BUSY')
        await sleep(Math.random() * mostPauseMs)
        now = await newest(stream, now) // what was known still holds: only what is new is read
        keep(stream, now)
      }
    }
  }

  /* Within this process one at a time writes to a stream: races are left to other processes. */
  const lanes = new Map<string, Promise<unknown>>()
  function inTurn<T>(stream: string, act: () => Promise<T>): Promise<T> {
    const turn = (lanes.get(stream) ?? Promise.resolve()).then(act)
    const settled: Promise<unknown> = turn.catch(() => undefined).then(() => lanes.get(stream) === settled && lanes.delete(stream))
    lanes.set(stream, settled)
    return turn
  }

  function proven(companyId: number, ticketId: number): Promise<Known> {
    const stream = streamOf(companyId, ticketId)
    return inTurn(stream, async () => {
      const now = await newest(stream, known.get(stream) ?? unknown)
      keep(stream, now)
      return now
    })
  }

  return {
    ask: (ticketId, command, named, cause) => {
      const commandId = command.by.kind === 'user' ? `${command.by.id}/${named}` : named // two users may call two acts alike
      const stream = streamOf(command.companyId, ticketId) // another company's ticket does not exist
      return inTurn(stream, () => ask(stream, command, commandId, cause))
    },
    see: async (companyId, ticketId) => (await proven(companyId, ticketId)).ticket,
    asked: async (companyId, ticketId, userId, commandId) => (await proven(companyId, ticketId)).commands.has(`${userId}/${commandId}`),
  }
}

function decided(now: Ticket, command: TicketCommand & Stamp) {
  try {
    return decide(ticket, now, command)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const personalIn = (one: TicketEvent) => fieldsOf(one.type).some((field) => (one as Record<string, unknown>)[field] != null)

/** Decisions never look at sealed words, so a fold does not open them. */
function after(from: Known, events: LoggedEvent[]): Known {
  const last = events.at(-1)
  if (!last) return from
  let now = own(ticket, from.ticket)
  for (const event of events) now = folded(now, event)
  return {
    ticket: now,
    revision: last.revision,
    position: last.position,
    hash: hashOf(last.meta),
    contactId: (last.meta as { contactId: number }).contactId,
    commands: spent(
      from.commands,
      events.map(({ meta }) => (meta as { commandId: string }).commandId),
    ),
  }
}

/** A fact that cannot be folded is named: without its place nobody would find it among thousands. */
function folded(now: Ticket, event: LoggedEvent): Ticket {
  try {
    return step(ticket, now, fact(event, null))
  } catch (cause) {
    throw new Unfoldable(`${event.stream} does not fold at revision ${event.revision}: ${event.type} ${event.id}`, { cause })
  }
}

/** About how many bytes a folded ticket takes; measured on one of 20,000 messages. */
const weightOf = ({ ticket: now, commands }: Known): number =>
  1000 + commands.size * 100 + ('messages' in now ? now.messages.size * 600 + now.spent.size * 200 + now.notes.size * 100 : 0)

/** The last commands of a ticket: whoever asks again asks soon. */
function spent(commands: Set<string>, more: string[]): Set<string> {
  const all = new Set([...commands, ...more])
  for (const one of all) {
    if (all.size <= mostCommands) break
    all.delete(one)
  }
  return all
}

function contactOf(made: TicketEvent[]): number {
  const opened = made.find((one) => one.type === 'TicketOpened')
  return opened ? opened.contactId : refuse('ERR_NO_TICKET_FOUND')
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type Cause, decide, fold, type Stamp } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { forgotten, held, isNothing, missing, type Needs, needs, nothing, recalled, together } from '#domain/ticket/past.ts'
import { streamOf } from '#domain/ticket/rules.ts'
import { readAgain, written } from '#domain/ticket/snapshot.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { chained, hashOf } from './chain.ts'
import { Conflict, type EventLog, type LoggedEvent, TooLarge } from './eventlog.ts'
import { fieldsOf, stored } from './facts.ts'
import type { ContactKeys } from './keys.ts'
import { after, contactOf, factsOf, type Known, latest, snapshotEvery, spentBy, spentIn, unknown, weightOf } from './known.ts'
import type { LogKey } from './log-keys.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'

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

/** The ticket as it stands, for reading only; of what is older than its newest messages, what is named. */
export type SeeTicket = (companyId: number, ticketId: number, named?: Partial<Needs>) => Promise<Ticket>

/** Whether a user asked this of a ticket before. */
export type WasAsked = (companyId: number, ticketId: number, userId: number, commandId: string) => Promise<boolean>

/** As long as a person would wait. */
const patienceMs = 5000
const mostPauseMs = 50
const pageSize = 2000

type Of = { companyId: number; ticketId: number; stream: string }

/**
 * read → fold → decide → append. A lost race decides again on the newer state; deciders are pure, so that is safe.
 * Folded tickets are kept under their revision, bounded and never a truth: the append at that revision proves them or fails. A long ticket
 * is folded on from its snapshot, and what its state has forgotten is looked up there by key: for a command by what that names, for facts
 * before they are folded.
 */
export function ticketStore(
  log: EventLog,
  keys: ContactKeys,
  signer: LogKey,
  snapshots: Snapshots,
  mostBytes = 64 * 1024 * 1024,
): { ask: AskTicket; see: SeeTicket; asked: WasAsked } {
  const known = new Map<string, Known>()
  let bytes = 0

  const newest = (of: Of, from: Known): Promise<Known> => (from.revision === 'none' ? cold(of) : onward(of, from))

  async function onward(of: Of, from: Known): Promise<Known> {
    for (let now = from; ; ) {
      const { events } = await log.read(of.stream, now.revision === 'none' ? 0n : now.revision + 1n, pageSize)
      now = await folded(of, now, events)
      if (events.length < pageSize) return now
    }
  }

  async function folded(of: Of, from: Known, events: LoggedEvent[]): Promise<Known> {
    const facts = factsOf(events)
    const ready = await withPast(of, from, from.base === null ? nothing : together(facts.map(needs)))
    return ready.revision === from.revision ? after(ready, events, facts) : ready
  }

  /** A short ticket is read whole; only one that is long is worth the question whether there is a snapshot. */
  async function cold(of: Of): Promise<Known> {
    const { events } = await log.read(of.stream, 0n, Number(snapshotEvery))
    const short = events.length < snapshotEvery
    const snapshot = short ? null : await snapshots.newest(of)
    const from = (snapshot && (await proven(of, snapshot))) ?? after(unknown, events, factsOf(events))
    return short ? from : onward(of, from)
  }

  /** A snapshot of this very stream: the event at its revision has its hash. */
  async function proven(of: Of, { revision, hash, state }: Snapshot): Promise<Known | null> {
    const { events } = await log.read(of.stream, revision, 1)
    const event = events[0]
    if (event?.revision !== revision || hashOf(event.meta) !== hash) return snapshots.forget(of).then(() => null)
    const { contactId } = event.meta as { contactId: number }
    const { position } = event
    return {
      ticket: readAgain(state),
      revision,
      position,
      hash,
      contactId,
      commands: new Set(),
      base: revision,
      due: revision + snapshotEvery,
    }
  }

  /** With what is named of the past. Where the snapshot went that knew of it, the ticket is folded anew and may be further on. */
  async function withPast(of: Of, now: Known, named: Needs, commandId?: string): Promise<Known> {
    if (now.base === null) return now
    const lacking = missing(now.ticket, named)
    const ids = commandId === undefined || now.commands.has(commandId) ? lacking.ids : [...lacking.ids, spentBy(commandId)]
    if (isNothing({ ...lacking, ids })) return now
    const found = await snapshots.recall(of, now.base, { ...lacking, ids })
    if (!found) return withPast(of, await cold(of), named, commandId)
    const repeated = commandId !== undefined && found.spent.some(({ id }) => id === spentBy(commandId))
    return {
      ...now,
      ticket: recalled(now.ticket, found.past),
      ...(repeated && { commands: new Set([...now.commands, commandId]) }),
    }
  }

  /**
   * What is known is written down, and what is old forgotten. Nobody waits for the writing: what happens meanwhile is kept. Where it fails
   * it is tried later.
   */
  async function settle(of: Of, then: Known, revision: bigint): Promise<void> {
    const snapshot = { revision, hash: then.hash, state: written(forgotten(then.ticket)) }
    const kept = await snapshots.keep(of, then.base, snapshot, held(then.ticket), spentIn(then))
    await inTurn(of.stream, async () => {
      const now = known.get(of.stream)
      if (now?.base !== then.base) return // it was folded anew meanwhile
      if (kept === 'gone') forget(of.stream)
      if (kept !== 'kept') return
      const commands = new Set([...latest(then.commands), ...[...now.commands].filter((id) => !then.commands.has(id))])
      keep(of, { ...now, ticket: forgotten(now.ticket, then.ticket), commands, base: revision })
    })
  }

  function keep(of: Of, now: Known): void {
    const { stream } = of
    forget(stream)
    known.set(stream, now)
    bytes += weightOf(now)
    for (const [eldest] of known) {
      if (bytes <= mostBytes || eldest === stream) break
      forget(eldest)
    }
    if (now.revision === 'none' || now.revision < now.due) return
    now.due = now.revision + snapshotEvery
    void settle(of, now, now.revision).catch(() => forget(stream))
  }
  function forget(stream: string): void {
    const one = known.get(stream)
    if (one && known.delete(stream)) bytes -= weightOf(one)
  }

  async function ask(of: Of, command: TicketCommand & Stamp, commandId: string, cause?: Cause): Promise<Asked> {
    const { stream } = of
    let now = known.get(stream) ?? (await newest(of, unknown))
    for (let pauseMs = 2, end = performance.now() + patienceMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
      now = await withPast(of, now, needs(command), commandId)
      const made = now.commands.has(commandId) ? [] : decided(now.ticket, command) // the same command again does nothing
      if (made instanceof Refusal || made.length === 0) {
        const last = await newest(of, now) // a no, or nothing to do, is only believed of the newest state
        keep(of, last)
        const moved = last.revision !== now.revision
        now = last
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
        const next = fold(ticket, made, now.ticket)
        const { base, due } = now
        const commands = new Set([...now.commands, commandId])
        keep(of, { ticket: next, revision, position, hash: hashOf(events.at(-1)!.meta), contactId, commands, base, due })
        return { facts: made, ticket: next, position, repeated: false }
      } catch (error) {
        if (error instanceof TooLarge) refuse('ERR_TOO_LARGE')
        if (!(error instanceof Conflict)) throw error
        if (performance.now() > end) refuse('ERR_BUSY')
        await sleep(Math.random() * pauseMs)
        now = await newest(of, now) // what was known still holds: only what is new is read
        keep(of, now)
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

  const ofTicket = (companyId: number, ticketId: number): Of => ({ companyId, ticketId, stream: streamOf(companyId, ticketId) })
  function current(of: Of, named: Partial<Needs> = {}, commandId?: string): Promise<Known> {
    return inTurn(of.stream, async () => {
      const last = await newest(of, known.get(of.stream) ?? unknown)
      const now = await withPast(of, last, { ...nothing, ...named }, commandId)
      keep(of, now)
      return now
    })
  }

  return {
    ask: (ticketId, command, named, cause) => {
      const commandId = command.by.kind === 'user' ? `${command.by.id}/${named}` : named // two users may call two acts alike
      const of = ofTicket(command.companyId, ticketId) // another company's ticket does not exist
      return inTurn(of.stream, () => ask(of, command, commandId, cause))
    },
    see: async (companyId, ticketId, named) => (await current(ofTicket(companyId, ticketId), named)).ticket,
    asked: async (companyId, ticketId, userId, named) => {
      const commandId = `${userId}/${named}`
      return (await current(ofTicket(companyId, ticketId), {}, commandId)).commands.has(commandId)
    },
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

import { expect, it } from 'vitest'
import { decide, type EventMetadata, fold } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import { type Past, type PastReferences, together } from '#domain/state-window.ts'
import { type TicketCommand, ticket } from '#domain/ticket/decide.ts'
import { entries, evictOld, lastInboundMessages, missing, needs, withPastReferences } from '#domain/ticket/message-window.ts'
import { deserializeTicket, serializeTicket } from '#domain/ticket/snapshot.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { commandFor } from '#tests/support/history.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { given, later, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

/** Storage for the messages that a state window has evicted, by key. */
function memory() {
  const messages = new Map<number, Past>()
  const spent = new Map<string, number>()
  return {
    keep(past: Past[]) {
      for (const one of past) messages.set(one.messageId, one)
      for (const { messageId, ids } of past) for (const id of ids) spent.set(id, messageId)
    },
    recall({ messages: named, ids, at, inboundUpTo: to }: PastReferences): Past[] {
      const all = [...messages.values()].toSorted((a, b) => a.message.revision - b.message.revision)
      const found = [...named, ...ids.map((id) => spent.get(id))].flatMap((id) => messages.get(id!) ?? [])
      const then = at.flatMap((revision) => all.findLast(({ message }) => message.revision <= revision) ?? [])
      const theirs = to.flatMap((revision) => all.filter(({ message }) => message.from === 'contact' && message.revision <= revision))
      return [...found, ...then, ...theirs]
    },
    messages,
  }
}
const decided = (state: Ticket, command: TicketCommand & EventMetadata) => {
  try {
    return decide(ticket, state, command)
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message, detail: error.detail }
    throw error
  }
}

it.each([1, 2, 3, 4, 5, 6])('a state window decides like a full state (seed %i)', (seed) => {
  const throws = seededRandom(seed)
  const { keep, recall, messages } = memory()
  const withPast = (state: Ticket, ...named: PastReferences[]) => withPastReferences(state, recall(missing(state, together(named))))
  let all: Ticket = ticket.initial
  let small: Ticket = ticket.initial
  let asked = 0
  for (let i = 0; i < 4000; i++) {
    const command = commandFor(throws, 1, i, all)
    if (command.type === 'Delete' || command.type === 'Withdraw') continue
    const stamp: EventMetadata = { companyId: 1, by: user(7 + throws.int(3)), at: later(i) }
    asked += missing(small, needs(command)).messages.length
    small = withPast(small, needs(command))
    const facts = decided(all, { ...command, ...stamp })
    expect(decided(small, { ...command, ...stamp }), `${i}: ${command.type}`).toEqual(facts)
    if (!Array.isArray(facts)) continue
    all = fold(ticket, facts, all)
    small = fold(ticket, facts, withPast(small, ...facts.map(needs)))
    if (throws.chance(0.05)) {
      keep(entries(small))
      small = deserializeTicket(serializeTicket(evictOld(small, small, 10)))
    }
  }
  keep(entries(small))
  if (!('since' in all) || !('since' in small)) return expect.unreachable('it was never opened')
  expect(asked).toBeGreaterThan(100)
  expect(small.messages.size).toBeLessThan(all.messages.size / 4)
  expect(new Map([...messages].map(([id, { message }]) => [id, message]))).toEqual(new Map([...all.messages]))
  const { messages: _m, usedIds: _s, since: _i, ...rest } = all
  expect(small).toMatchObject(rest)
})

it('lastInboundMessages returns the contact’s last messages up to a revision', () => {
  const state = given(waiting, received(1), sent(2), received(3), received(4), servedBy(7)).folded()
  if (!('since' in state)) return expect.unreachable()
  expect(lastInboundMessages(state, 3).map(({ messageId }) => messageId)).toEqual([1, 3])
  expect(lastInboundMessages(state, 3, 2).map(({ messageId }) => messageId)).toEqual([3])
})

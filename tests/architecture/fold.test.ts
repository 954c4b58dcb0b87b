import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { foldFingerprint, serializeTicket } from '#domain/ticket/snapshot.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { frozenEvents } from '#tests/support/golden.ts'

/* Snapshots store states. If a later fold reads the state of an earlier one, a ticket decides on a wrong state. */
it('a changed fold of tickets has a new snapshot version', () => {
  const hash = createHash('sha256')
  const states = new Map<number, Ticket>()
  for (const event of frozenEvents) {
    const state = fold(ticket, [event], states.get(event.aggregateId) ?? ticket.initial)
    states.set(event.aggregateId, state)
    hash.update(serializeTicket(state))
  }
  const reason = 'The fold changed: raise foldVersion in domain/ticket/snapshot.ts, then put this fingerprint beside it'
  expect(hash.digest('hex').slice(0, 16), reason).toBe(foldFingerprint)
})

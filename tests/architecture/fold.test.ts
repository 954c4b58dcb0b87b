import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { foldVersion, serializeTicket } from '#domain/ticket/snapshot.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { goldenEvents } from '#tests/support/golden.ts'

/** The fold of this version, by its outcome over the golden events. Update both values together. */
const known = { version: 18, fingerprint: '21c1bb06416e03ac' }

/** Snapshots store states. One that an earlier fold wrote must not be read by a later one, or a ticket decides on a wrong state. */
it('a changed fold of tickets has a new snapshot version', () => {
  const hash = createHash('sha256')
  const states = new Map<number, Ticket>()
  for (const event of goldenEvents) {
    const state = fold(ticket, [event], states.get(event.aggregateId) ?? ticket.initial)
    states.set(event.aggregateId, state)
    hash.update(serializeTicket(state))
  }
  const now = { version: foldVersion, fingerprint: hash.digest('hex').slice(0, 16) }
  if (now.fingerprint !== known.fingerprint)
    expect(now.version, `the fold changed (${now.fingerprint}): raise foldVersion in domain/ticket/snapshot.ts`).toBeGreaterThan(
      known.version,
    )
  expect(now, 'put this version and this fingerprint into `known`').toEqual(known)
})

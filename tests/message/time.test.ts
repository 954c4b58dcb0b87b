import { expect, it } from 'vitest'
import { decide, fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { normalizeOccurredAt } from '#domain/ticket/rules.ts'
import { content, later, noon, opening, received, waiting } from '#tests/support/story.ts'

/* A-TIME-01: people see the provider's time, limited so that a wrong clock cannot distort it much. */
it.each([
  ['unchanged', later(-90), null, later(-90)],
  ['at most five minutes from now', later(60), null, later(5)],
  ['at most a day before the last message of the contact', later(-3 * 24 * 60), later(-60), later(-60 - 24 * 60)],
  ['however old if there is no earlier message', later(-3 * 24 * 60), null, later(-3 * 24 * 60)],
  ['as now if it is invalid', 'yesterday', later(-60), noon],
])('the provider’s time is taken %s', (_, reported, previous, believed) =>
  expect(normalizeOccurredAt(reported, noon, previous)).toBe(believed),
)

it('the limited time is recorded in every event of the command', () => {
  const stamp = { companyId: 1, by: { kind: 'contact' as const, id: 3 }, at: noon }
  const receivedBefore = received(1, { at: later(-30), occurredAt: later(-40) })
  const now = fold(ticket, [
    { ...stamp, ...waiting },
    { ...stamp, ...receivedBefore },
  ])
  const asked = {
    type: 'Receive' as const,
    messageId: 2,
    externalId: 'in-2',
    participant: null,
    quotedExternalId: null,
    opening,
    ...content,
  }
  const facts = decide(ticket, now, { ...asked, ...stamp, occurredAt: '2001-01-01T00:00:00.000Z' })
  expect(facts).toMatchObject([{ type: 'MessageReceived', at: noon, occurredAt: later(-40 - 24 * 60) }])
  expect(decide(ticket, now, { ...asked, ...stamp })[0]).not.toHaveProperty('occurredAt')
})

import { expect, it } from 'vitest'
import { decide, fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { normalizeOccurredAt } from '#domain/ticket/rules.ts'
import { content, later, noon, opening, received, waiting } from '#tests/support/story.ts'

/* A-TIME-01: the provider's time is what people see, but no clock of theirs is believed without bounds. */
it.each([
  ['as it was told', later(-90), null, later(-90)],
  ['not later than five minutes from now', later(60), null, later(5)],
  ['not earlier than a day before what the contact wrote last', later(-3 * 24 * 60), later(-60), later(-60 - 24 * 60)],
  ['however old, where nothing came before', later(-3 * 24 * 60), null, later(-3 * 24 * 60)],
  ['as now, where it is no time', 'yesterday', later(-60), noon],
])('is believed %s', (_, told, previous, believed) => expect(normalizeOccurredAt(told, noon, previous)).toBe(believed))

it('goes with every fact of the command, bound by what the ticket has heard', () => {
  const stamp = { companyId: 1, by: { kind: 'contact' as const, id: 3 }, at: noon }
  const heard = received(1, { at: later(-30), occurredAt: later(-40) })
  const now = fold(ticket, [
    { ...stamp, ...waiting },
    { ...stamp, ...heard },
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

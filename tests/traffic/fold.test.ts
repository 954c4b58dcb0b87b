import { afterAll, beforeAll, expect, it } from 'vitest'
import { placed } from '#tests/support/history.ts'
import { type Fact, opened, received, sent, servedBy } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'

/* The results of sent messages, by the quarter of an hour in which they were sent. */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const at = (time: string) => ({ at: `2026-01-05T${time}Z` })
const ticket = (of: number, ...facts: Fact[]) => facts.map((fact) => ({ ...fact, of }))
const fold = async (facts: (Fact & { of: number })[], batch = 500) => {
  const { traffic, traffic_sum } = await tables.fold(placed(facts), { batch })
  return { rows: traffic!, sums: traffic_sum!.sort((a, b) => `${a.slot} ${a.failed}`.localeCompare(`${b.slot} ${b.failed}`)) }
}

const reported = ticket(
  17,
  opened({ connectionId: 4 }),
  servedBy(7),
  { ...sent(1), ...at('12:01:00.000') },
  { type: 'MessageDispatched', messageId: 1, attempt: 1, ...at('12:01:00.100') },
  { type: 'MessageAccepted', messageId: 1, ...at('12:01:00.400') },
  { type: 'MessagesDelivered', messageIds: [1], ...at('12:01:20.000') },
  { ...sent(2), ...at('12:14:59.999') },
  { type: 'MessageDispatched', messageId: 2, attempt: 1, ...at('12:15:00.000') },
  { type: 'MessageAccepted', messageId: 2, ...at('12:15:00.100') },
  { ...sent(3), ...at('12:15:00.000') },
  { type: 'MessageFailed', messageId: 3, code: 'BLOCKED', ...at('12:15:01.000') },
  { ...sent(4, { private: true }), ...at('12:15:02.000') },
  { type: 'MessagesRead', messageIds: [1, 2], ...at('12:40:00.000') },
)
const none = { sent: 0, taken: 0, delivered: 0, soon: 0, read: 0, uncertain: 0, overcome: 0, retried: 0, timed: 0, took_ms: 0, received: 0 }
const slot = (time: string, failed = '') => ({ company_id: 1, connection_id: 4, slot: `2026-01-05T${time}:00+00:00`, failed })

it('counts each message at its sending time, whenever its result came', async () => {
  const { sums } = await fold(reported)
  expect(sums).toEqual([
    { ...slot('12:00'), ...none, sent: 2, taken: 2, delivered: 2, soon: 1, read: 2, timed: 2, took_ms: 400 },
    { ...slot('12:15', 'BLOCKED'), ...none, sent: 1 },
  ])
})

it('counts the same in batches, one by one and on redelivery', async () => {
  const whole = await fold(reported)
  expect(await fold(reported, 1)).toEqual(whole)
  expect((await tables.fold(placed(reported), { twice: true })).traffic_sum).toEqual(expect.arrayContaining(whole.sums))
})

it('keeps the failure of a delivered message, clears a doubt later, and stores no empty sum', async () => {
  const failed: Fact = { type: 'MessageFailed', messageId: 3, code: 'BLOCKED' }
  const doubt: Fact = { type: 'MessageUncertain', messageId: 3 }
  const first = ticket(17, opened({ connectionId: 4 }), servedBy(7), { ...sent(3), ...at('12:15:00.000') })
  expect((await fold([...first, ...ticket(17, doubt, failed)])).sums).toEqual([
    { ...slot('12:15', 'BLOCKED'), ...none, sent: 1, uncertain: 1 },
  ])
  expect(
    (await fold([...first, ...ticket(17, doubt, failed, { type: 'MessageAccepted', messageId: 3, ...at('12:15:09.000') })], 1)).sums,
  ).toEqual([{ ...slot('12:15', 'BLOCKED'), ...none, sent: 1, taken: 1, overcome: 1 }])
})

it('counts messages that needed a retry', async () => {
  const tried = (attempt: number): Fact => ({ type: 'MessageDispatched', messageId: 3, attempt })
  const first = ticket(17, opened({ connectionId: 4 }), servedBy(7), { ...sent(3), ...at('12:15:00.000') }, tried(1), tried(2))
  expect((await fold(first)).sums).toMatchObject([{ sent: 1, retried: 0 }])
  expect((await fold([...first, ...ticket(17, tried(3), { type: 'MessageAccepted', messageId: 3 })])).sums).toMatchObject([
    { failed: '', sent: 1, taken: 1, retried: 1 },
  ])
})

it('counts inbound messages at their time, without a row for each', async () => {
  const heard = ticket(
    17,
    opened({ connectionId: 4 }),
    { ...received(5), ...at('12:14:00.000') },
    servedBy(7),
    { ...sent(6), ...at('12:14:30.000') },
    { ...received(7), ...at('12:15:00.000') },
    { ...received(8), ...at('12:16:00.000') },
  )
  for (const batch of [500, 1]) {
    const { rows, sums } = await fold(heard, batch)
    expect(sums).toEqual([
      { ...slot('12:00'), ...none, sent: 1, received: 1 },
      { ...slot('12:15'), ...none, received: 2 },
    ])
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([-17, 6]))
    expect(rows).toHaveLength(2)
  }
  expect((await tables.fold(placed(heard), { twice: true })).traffic_sum).toHaveLength(2)
})

it('keeps inbound counts when a failure removes an outbound count', async () => {
  const first = ticket(17, opened({ connectionId: 4 }), { ...received(5), ...at('12:01:00.000') }, servedBy(7), {
    ...sent(6),
    ...at('12:02:00.000'),
  })
  const { sums } = await fold([...first, ...ticket(17, { type: 'MessageFailed', messageId: 6, code: 'BLOCKED' })], 1)
  expect(sums).toEqual([
    { ...slot('12:00'), ...none, received: 1 },
    { ...slot('12:00', 'BLOCKED'), ...none, sent: 1 },
  ])
})

it('is not changed by the deletion of a ticket', async () => {
  expect((await fold([...reported, ...ticket(17, { type: 'TicketDeleted' })])).sums).toEqual((await fold(reported)).sums)
})

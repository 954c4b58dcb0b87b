import { expect, it } from 'vitest'
import { lastAttempt } from '#web/message/bubble/resent.ts'

const row = (id: number, more = {}) => ({ id, sentAgain: null, failed: null, uncertain: false, ack: 0, ...more })
const rowOf =
  (...rows: ReturnType<typeof row>[]) =>
  (id: number) =>
    rows.find((one) => one.id === id) ?? null

it.each([
  [row(2), 'pending'],
  [row(2, { ack: 1 }), 'sent'],
  [row(2, { ack: 3 }), 'sent'],
  [row(2, { failed: 'BLOCKED' }), 'failed'],
  [row(2, { uncertain: true }), 'uncertain'],
])('a message that is sent again as %j is %s', (again, outcome) => expect(lastAttempt(2, rowOf(again))).toEqual({ id: 2, outcome }))

it('an attempt that is not shown yet is pending', () => expect(lastAttempt(2, rowOf())).toEqual({ id: 2, outcome: 'pending' }))

it('the last of several attempts counts', () =>
  expect(lastAttempt(2, rowOf(row(2, { failed: 'X', sentAgain: 3 }), row(3, { ack: 2 })))).toEqual({ id: 3, outcome: 'sent' }))

import { expect, it } from 'vitest'
import { delayedMessages, undeliveredAfterMs } from '#web/message/delayed-messages.ts'
import type { Sending } from '#web/message/unsent.ts'

const at = Date.parse('2026-11-20T12:00:00.000Z')
const sent = (key: string, after: number, state: Sending['state']) => ({ key, state, at: new Date(at + after).toISOString() }) as Sending

it('slow and failed messages are reported, with the time of the next one', () => {
  const all = [sent('old', 0, 'sending'), sent('young', 1500, 'waiting'), sent('refused', 1900, 'failed')]
  const { late, again } = delayedMessages(all, at + undeliveredAfterMs)
  expect(late.map(({ key }) => key)).toEqual(['old', 'refused'])
  expect(again).toBe(1500)
  expect(delayedMessages([], at)).toEqual({ late: [], again: null })
})

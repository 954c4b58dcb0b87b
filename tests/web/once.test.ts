import { expect, it } from 'vitest'
import { Offline } from '#web/api.ts'
import { createIdempotentRetry } from '#web/ui/idempotent-retry.ts'

it('an unanswered request is repeated with the same command id, an answered one with a new id', async () => {
  const asked: string[] = []
  const run = (answer: () => Promise<void>) => (commandId: string) => {
    asked.push(commandId)
    return answer()
  }
  const lost = () => Promise.reject(new Offline())
  const does = createIdempotentRetry()
  await expect(does([1, 'oi'], run(lost))).rejects.toThrow(Offline)
  await does(
    [2, 'oi'],
    run(async () => {}),
  )
  await does(
    [1, 'oi'],
    run(async () => {}),
  )
  await does(
    [1, 'oi'],
    run(async () => {}),
  )
  const [first, other, again, anew] = asked
  expect(again).toBe(first)
  expect(new Set([first, other, anew]).size).toBe(3)
})

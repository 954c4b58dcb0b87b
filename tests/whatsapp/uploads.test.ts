import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { broughtOnce } from '#app/whatsapp/uploads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a retry waits for an upload in progress, which is dropped without a retry', async () => {
  const brought = broughtOnce()
  let begun = 0
  let there = Promise.withResolvers<object>()
  const make = () => {
    begun++
    return there.promise
  }
  const givesUp = async () => {
    const over = new AbortController()
    const waits = expect(brought('a', over.signal, make)).rejects.toThrow('ERR_CHANNEL_AWAY')
    over.abort()
    await waits
  }
  const getsIt = () => brought('a', new AbortController().signal, make)
  await givesUp()
  await givesUp()
  expect(begun).toBe(1)
  there.resolve({ conversation: 'the first' })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await getsIt()).toEqual({ conversation: 'the first' })
  there = Promise.withResolvers()
  await givesUp()
  there.resolve({ conversation: 'the second' })
  await vi.advanceTimersByTimeAsync(3_600_000)
  await getsIt()
  expect(begun).toBe(3)
})

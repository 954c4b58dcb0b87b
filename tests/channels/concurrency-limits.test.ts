import { expect, it } from 'vitest'
import { forEachConcurrently } from '#app/concurrency/for-each-concurrently.ts'
import { createSemaphore } from '#app/concurrency/semaphore.ts'

it('a semaphore lets the waiting tasks start in the order of their calls', async () => {
  const semaphore = createSemaphore(2)
  const started: string[] = []
  const [first, second] = [await semaphore.acquire(), await semaphore.acquire()]
  const rest = ['c', 'd'].map((name) => semaphore.run(async () => started.push(name)))
  expect([semaphore.waitingCount(), started]).toEqual([2, []])
  first()
  await Promise.all(rest)
  expect([semaphore.waitingCount(), started]).toEqual([0, ['c', 'd']])
  second()
})

it('a slot that is freed twice counts once', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  release()
  const next = await semaphore.acquire()
  release()
  const waiting = semaphore.acquire()
  expect(semaphore.waitingCount()).toBe(1)
  next()
  await waiting
})

it('a failed task frees its slot', async () => {
  const semaphore = createSemaphore(1)
  await expect(semaphore.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await semaphore.run(async () => 'next')).toBe('next')
})

it('handles each item once, in order, and at most some at once', async () => {
  const handled: number[] = []
  let running = 0
  let most = 0
  await forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running)
    handled.push(item)
    await Promise.resolve()
    running--
  })
  expect([handled, most]).toEqual([[1, 2, 3, 4, 5], 2])
})

it('a failed item rejects the whole after the other items are handled', async () => {
  const handled: number[] = []
  const second = Promise.withResolvers<void>()
  const all = forEachConcurrently([1, 2, 3], 2, async (item) => {
    if (item === 1) throw new Error('refused')
    await second.promise
    handled.push(item)
  })
  second.resolve()
  await expect(all).rejects.toThrow('refused')
  expect(handled).toEqual([2, 3])
})

it('errors of as many items as may run at once end the work', async () => {
  const tried: number[] = []
  const all = forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
    tried.push(item)
    throw new Error('no store')
  })
  await expect(all).rejects.toThrow('no store')
  expect(tried).toEqual([1, 2])
})

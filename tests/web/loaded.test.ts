import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Refused } from '#web/api.ts'
import { againAfter } from '#web/passing.ts'
import { loaded } from '#web/ui/loaded.ts'
import { Offline } from '#web/wire.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function asked(answers: (string | Error)[]) {
  const store = createStore()
  const of = loaded(async () => {
    const answer = answers.shift()
    if (answer === undefined) throw new Error('asked once too often')
    if (answer instanceof Error) throw answer
    return answer
  })
  return { store, of, left: answers, later: () => vi.advanceTimersByTimeAsync(againAfter) }
}

it('asks again by itself while the line or the server is away, and says meanwhile that it is', async () => {
  const { store, of, left, later } = asked([new Offline(), new Refused('ERR_INTERNAL', {}, 503), 'here'])
  store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(store.get(of).state).toBe('failed')
  await later()
  expect([store.get(of).state, left.length]).toEqual(['failed', 1])
  await later()
  expect(store.get(of)).toEqual({ state: 'ready', value: 'here' })
})
it('lets a refusal stand until somebody asks again', async () => {
  const { store, of, left, later } = asked([new Refused('ERR_NO_PERMISSION', {}, 403), 'here'])
  store.sub(of, () => {})
  await later()
  expect([store.get(of).state, left.length]).toEqual(['failed', 1])
  await store.set(of.reload)
  expect(store.get(of)).toEqual({ state: 'ready', value: 'here' })
})
it('keeps what is there when a later answer does not come, and brings the newer one', async () => {
  const { store, of, later } = asked(['old', new Offline(), 'new'])
  store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  await store.set(of.reload)
  expect(store.get(of)).toEqual({ state: 'ready', value: 'old' })
  await later()
  expect(store.get(of)).toEqual({ state: 'ready', value: 'new' })
})
it('asks for nothing that nobody shows', async () => {
  const { store, of, left, later } = asked([new Offline(), 'here'])
  const leave = store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  leave()
  await later()
  expect(left.length).toBe(1)
})

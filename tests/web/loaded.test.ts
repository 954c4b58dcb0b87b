import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#web/api.ts'
import { stepsBy } from '#web/automation/steps.ts'
import { Offline } from '#web/http-transport.ts'
import { againAfter } from '#web/transient.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function asked(answers: (string | Error)[]) {
  const store = createStore()
  const of = createRemoteAtom(async () => {
    const answer = answers.shift()
    if (answer === undefined) throw new Error('asked once too often')
    if (answer instanceof Error) throw answer
    return answer
  })
  return { store, of, left: answers, later: () => vi.advanceTimersByTimeAsync(againAfter) }
}

it('a value is retried while offline or while the server fails, with the error shown', async () => {
  const { store, of, left, later } = asked([new Offline(), new ApiError('ERR_INTERNAL', {}, 503), 'here'])
  store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(store.get(of).state).toBe('failed')
  await later()
  expect([store.get(of).state, left.length]).toEqual(['failed', 1])
  await later()
  expect(store.get(of)).toEqual({ state: 'ready', value: 'here' })
})
it('a refusal is not retried until the user asks', async () => {
  const { store, of, left, later } = asked([new ApiError('ERR_NO_PERMISSION', {}, 403), 'here'])
  store.sub(of, () => {})
  await later()
  expect([store.get(of).state, left.length]).toEqual(['failed', 1])
  await store.set(of.reload)
  expect(store.get(of)).toEqual({ state: 'ready', value: 'here' })
})
it('the old value stays while a reload fails, and the newer one replaces it', async () => {
  const { store, of, later } = asked(['old', new Offline(), 'new'])
  store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  await store.set(of.reload)
  expect(store.get(of)).toEqual({ state: 'ready', value: 'old' })
  await later()
  expect(store.get(of)).toEqual({ state: 'ready', value: 'new' })
})
it('a hidden value is not retried', async () => {
  const { store, of, left, later } = asked([new Offline(), 'here'])
  const leave = store.sub(of, () => {})
  await vi.advanceTimersByTimeAsync(0)
  leave()
  await later()
  expect(left.length).toBe(1)
})

it('the steps of a ticket load only new ones, earlier ones on demand, and all after a reset', async () => {
  const all = [3, 40, 1200, 1210, 1290].map((revision) => ({ revision }) as never)
  let known = 1250
  const asks: object[] = []
  const steps = stepsBy(async (query) => {
    asks.push(query)
    const to = Math.min(query.before ?? known, known)
    const from = Math.max(query.from ?? 0, to - 1000)
    return { steps: all.filter(({ revision }) => revision >= from && revision < to), next: [], from, to }
  })
  const store = createStore()
  const shown = () => {
    const now = store.get(steps)
    return now.state === 'ready' ? [now.value.from, ...now.value.steps.map(({ revision }) => revision)] : now.state
  }
  const leave = store.sub(steps, () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toEqual([250, 1200, 1210])
  known = 1300
  await store.set(steps.reload)
  expect(shown()).toEqual([250, 1200, 1210, 1290])
  await steps.earlier()
  await store.set(steps.reload)
  expect(shown()).toEqual([0, 3, 40, 1200, 1210, 1290])
  expect(asks).toEqual([{}, { from: 1200 }, { before: 250 }, { from: 1250 }])
  known = 9000
  await store.set(steps.reload)
  expect(shown()).toEqual([8000])
  leave()
  steps.forget()
  known = 1300
  store.sub(steps, () => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(shown()).toEqual([300, 1200, 1210, 1290])
  expect(asks.at(-1)).toEqual({})
})

it('earlier steps of an outdated list are ignored', async () => {
  let answer = Promise.withResolvers<void>()
  const page = (from: number, to: number) => ({ steps: [{ revision: from } as never], next: [], from, to })
  let newest = page(1000, 2000)
  const steps = stepsBy(async ({ from, before }) => {
    if (before === undefined) return page(from ?? newest.from, newest.to)
    await answer.promise
    return page(0, before)
  })
  const store = createStore()
  store.sub(steps, () => {})
  await vi.advanceTimersByTimeAsync(0)
  for (const again of [false, true]) {
    answer = Promise.withResolvers()
    const earlier = steps.earlier()
    steps.forget()
    newest = page(newest.to + 3000, newest.to + 4000)
    if (again) await store.set(steps.reload)
    answer.resolve()
    await earlier
    await store.set(steps.reload)
    expect(store.get(steps)).toMatchObject({ state: 'ready', value: { from: newest.from } })
  }
})

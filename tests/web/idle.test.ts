import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { idleAfterMs } from '#domain/user/rules.ts'
import { watchIdle } from '#web/idle.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a user without input in any tab becomes idle, and active again with the next input', () => {
  const seen: boolean[] = []
  watchIdle((idle) => seen.push(idle))
  vi.advanceTimersByTime(idleAfterMs / 2)
  window.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(idleAfterMs / 2)
  expect(seen).toEqual([])
  kept.set('lastInput', String(Date.now())) // by another tab
  vi.advanceTimersByTime(idleAfterMs / 2)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(idleAfterMs)
  expect(seen).toEqual([true])
  window.dispatchEvent(new Event('pointermove'))
  expect(seen).toEqual([true, false])
})

import { createStore } from 'jotai'
import { afterEach, describe, expect, it } from 'vitest'
import { addressOf, momentIn, momentOf, onDay, peakOf, stepsOfDay } from '#web/moment/steps.ts'
import { createFollower } from '#web/ui/follower.ts'
import { displayZone, showIn, weekdayAndHour } from '#web/ui/moment.ts'

const first = displayZone()
afterEach(() => showIn(first))
const later = Date.parse('2030-01-01T00:00:00Z')
const inAddress = (at: string) => momentIn(new URLSearchParams({ at }))

describe('the moment in the address', () => {
  it('is read as it is written', () => {
    for (const moment of ['2025-11-10T13:40:00.000Z', '2025-11-10T13:40:07.000Z', '2025-11-10T13:40:07.123Z'])
      expect(inAddress(addressOf(moment))).toBe(moment)
    expect(addressOf('2025-11-10T13:40:00.000Z')).toBe('2025-11-10T13:40Z')
  })
  it.each(['', 'yesterday', '2025-11-10', '2025-13-10T13:40Z', '2025-11-10T13:40', '2999-01-01T00:00Z', '<b>'])(
    'is none for %j, and the screen stays live',
    (at) => expect(inAddress(at)).toBeNull(),
  )
})

describe('the steps of a day (A-PAST-02)', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 275, true],
    ['Europe/Berlin', '2026-10-25', 299, true],
    ['America/Sao_Paulo', '2026-11-10', 287, false],
  ])('in %s on %s end at %d', (zone, day, last, isUneven) => {
    showIn(zone)
    expect(stepsOfDay(day, later)).toMatchObject({ last, isUneven })
  })
  it('end now on the day of now, and another day keeps the time', () => {
    showIn('America/Sao_Paulo')
    const until = Date.parse('2026-11-10T13:42:00Z')
    const today = stepsOfDay('2026-11-10', until)
    expect(momentOf(today, 999)).toBe('2026-11-10T13:40:00.000Z')
    expect(momentOf(today, -1)).toBe('2026-11-10T03:00:00.000Z')
    expect(onDay('2026-11-10T12:00:00.000Z', '2026-11-03', until)).toBe('2026-11-03T12:00:00.000Z')
    expect(onDay('2026-11-03T22:00:00.000Z', '2026-11-10', until)).toBe('2026-11-10T13:40:00.000Z')
  })
  it('are spoken with weekday, day and time', () => {
    showIn('America/Sao_Paulo')
    const now = new Date('2026-11-20T00:00:00Z')
    expect(weekdayAndHour('2026-11-10T13:40:00Z', 'pt-BR', now)).toBe('ter 10/11 10:40')
    expect(weekdayAndHour('2025-11-10T13:40:00Z', 'pt-BR', now)).toBe('seg 10/11/2025 10:40')
  })
  it('have a peak, the first of several, if somebody waited', () => {
    const steps = [0, 3, 1, 3].map((supportPending) => ({ supportPending })) as Parameters<typeof peakOf>[0]
    expect([peakOf(steps), peakOf(steps.slice(0, 1))]).toEqual([1, null])
  })
})

describe('a follower', () => {
  it('loads the newest key and skips those that were replaced, keeps the last value, and forgets it', async () => {
    const asked: string[] = []
    const answers = new Map<string, (fails?: boolean) => void>()
    const follower = createFollower(
      (key) =>
        new Promise<string>((resolve, reject) => {
          asked.push(key)
          answers.set(key, (fails) => (fails ? reject(new Error(key)) : resolve(`value of ${key}`)))
        }),
    )
    const store = createStore()
    const following = store.set(follower.follow, 'a')
    for (const key of ['b', 'c', 'd']) void store.set(follower.follow, key)
    answers.get('a')!()
    await expect.poll(() => asked).toEqual(['a', 'd'])
    expect(store.get(follower)).toMatchObject({ key: 'a', value: 'value of a' })
    answers.get('d')!(true)
    await following
    expect(store.get(follower)).toMatchObject({ key: 'd', value: null, error: new Error('d') })
    const again = store.set(follower.follow, 'd')
    answers.get('d')!()
    await again
    expect(store.get(follower)).toMatchObject({ key: 'd', value: 'value of d', error: null })
    await store.set(follower.follow, null)
    expect(store.get(follower)).toEqual({ key: null, value: null, error: null })
  })
})

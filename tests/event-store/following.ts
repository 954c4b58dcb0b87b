import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { ConcurrencyConflict, type EventStore, type Page, type StoredEvent } from '#app/event-store/event-store.ts'
import { breakable, company, type EngineIt, event } from '#tests/event-store/rig.ts'

/** The last event written is always the last one read. */
const atLast = (events: StoredEvent[]) => events.at(-1)?.stream.endsWith('last') ?? false

/** Subscribes until the wanted events have arrived or the time is over. */
async function gathered(
  log: EventStore,
  prefix: string,
  enough: (events: StoredEvent[]) => boolean,
  after: bigint | null = null,
  seen?: (page: Page) => Promise<void>,
) {
  const events: StoredEvent[] = []
  const done = AbortSignal.timeout(15_000)
  for await (const page of log.subscribe(after, prefix, done, { together: true })) {
    events.push(...page.events)
    await seen?.(page)
    if (page.caughtUp && enough(events)) break
  }
  return events
}

export function following(it: EngineIt) {
  it('subscribes to every stream in order, with twenty writers and rolled back appends', async ({ eventStore, rig }) => {
    const prefix = company()
    const streams = Array.from({ length: 8 }, (_, i) => `${prefix}${i}`)
    const logs = await Promise.all(Array.from({ length: 4 }, () => rig.open()))
    const wrote = new Map<string, string[]>(streams.map((stream) => [stream, []]))
    let count = 0
    const writer = async (n: number) => {
      for (let i = 0; i < 25; i += 1) {
        const stream = streams[(n + i) % streams.length]!
        const own = logs[n % logs.length]!
        if (rig.poison && i % 5 === 0)
          await expect(own.append(`${prefix}poisoned${n}-${i}`, 'none', [event(), event(rig.poison)])).rejects.toThrow()
        const revision = (await own.read(stream)).events.at(-1)?.revision ?? 'none'
        const next = event({ n, i })
        const won = await own.append(stream, revision, [next]).catch((error) => {
          if (error instanceof ConcurrencyConflict) return null
          throw error
        })
        if (!won) continue
        wrote.get(stream)![Number(won.revision)] = next.id
        count += 1
      }
    }
    const following = gathered(eventStore, prefix, atLast)
    await Promise.all(Array.from({ length: 20 }, (_, n) => writer(n)))
    await eventStore.append(`${prefix}last`, 'none', [event()])
    count += 1
    const events = await following
    for (const [stream, ids] of wrote) expect(events.filter((one) => one.stream === stream).map(({ id }) => id)).toEqual(ids)
    expect(events).toHaveLength(count)
    for (const [i, { position }] of events.entries()) if (i > 0) expect(position > events[i - 1]!.position).toBe(true)
    await Promise.all(logs.map((own) => own.close()))
  })

  it('gives several subscribers the same events, together or alone, from any start', async ({ eventStore }) => {
    const prefix = company()
    const ids = Array.from({ length: 12 }, () => event())
    const { position } = await eventStore.append(`${prefix}a`, 'none', ids.slice(0, 6))
    const all = [
      gathered(eventStore, prefix, atLast),
      gathered(eventStore, prefix, atLast, position),
      gathered(eventStore, prefix, atLast, await eventStore.readHeadPosition()),
    ]
    for (const [i, one] of ids.slice(6).entries()) await eventStore.append(`${prefix}a`, BigInt(5 + i), [one])
    await eventStore.append(`${prefix}last`, 'none', [event()])
    const delivered = (await Promise.all(all)).map((events) => events.slice(0, -1).map(({ id }) => id))
    const names = ids.map(({ id }) => id)
    expect(delivered).toEqual([names, names.slice(6), names.slice(6)])
    const alone: string[] = []
    for await (const { events, caughtUp } of eventStore.subscribe(null, prefix, AbortSignal.timeout(10_000))) {
      alone.push(...events.map(({ id }) => id))
      if (caughtUp) break
    }
    expect(alone.slice(0, -1)).toEqual(names)
  })

  it('resumes after a position and reports when it has caught up', async ({ eventStore }) => {
    const prefix = company()
    const ids: string[] = []
    const places: bigint[] = []
    for (let i = 0; i < 5; i += 1) {
      const one = event()
      ids.push(one.id)
      places.push((await eventStore.append(`${prefix}a`, i === 0 ? 'none' : BigInt(i - 1), [one])).position)
    }
    for (const [i, place] of places.entries()) {
      const rest = await gathered(eventStore, prefix, () => true, place)
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(i + 1))
    }
    expect((await gathered(eventStore, prefix, () => true)).map(({ id }) => id)).toEqual(ids)
    expect(await gathered(eventStore, company(), () => true)).toEqual([])
  })

  it('never reports a position ahead of the delivered events', async ({ eventStore }) => {
    const [prefix, strangers] = [company(), company()]
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1) {
      const own = Array.from({ length: 20 }, () => event())
      ids.push(...own.map(({ id }) => id))
      await eventStore.append(`${prefix}${i}`, 'none', own)
      await eventStore.append(
        `${strangers}${i}`,
        'none',
        Array.from({ length: 90 }, () => event()),
      )
    }
    const events: StoredEvent[] = []
    let at: bigint | null = null
    for (let sittings = 0; events.length < ids.length && sittings < 100; sittings += 1) {
      const before = events.length
      for await (const page of eventStore.subscribe(at, prefix, AbortSignal.timeout(10_000))) {
        await sleep(2)
        for (const { position } of page.events) expect(position <= page.position && (at === null || position > at)).toBe(true)
        events.push(...page.events)
        at = page.position
        if (events.length > before || page.caughtUp) break
      }
    }
    expect(events.map(({ id }) => id)).toEqual(ids)
  })

  it('moves past events of other prefixes', async ({ eventStore }) => {
    const [prefix, strangers] = [company(), company()]
    const { position } = await eventStore.append(`${prefix}a`, 'none', [event()])
    for (let i = 0; i < 4; i += 1)
      await eventStore.append(
        `${strangers}${i}`,
        'none',
        Array.from({ length: 300 }, () => event()),
      )
    const last = await eventStore.append(`${prefix}b`, 'none', [event()])
    const pages: Page[] = []
    const events = await gathered(
      eventStore,
      prefix,
      (all) => all.length === 1,
      position,
      async (page) => void pages.push(page),
    )
    expect(events.map((one) => one.stream)).toEqual([`${prefix}b`])
    expect(pages.at(-1)!.position >= last.position).toBe(true)
  })

  it('delivers new events at once', async ({ eventStore }) => {
    const prefix = company()
    const follower = eventStore.subscribe(await eventStore.readHeadPosition(), prefix, AbortSignal.timeout(10_000))[Symbol.asyncIterator]()
    expect((await follower.next()).value).toMatchObject({ caughtUp: true })
    const began = performance.now()
    await eventStore.append(`${prefix}a`, 'none', [event()])
    for (;;) {
      const { value } = await follower.next()
      if (value.events.length > 0) break
    }
    expect(performance.now() - began).toBeLessThan(900)
    await follower.return?.()
  })

  it(
    'loses and repeats no event through disconnects, a crash and a restart',
    async ({ eventStore, rig: { faults } }) => {
      const prefix = company()
      const ids: string[] = []
      const following = gathered(eventStore, prefix, atLast)
      const writer = async (stream: string) => {
        for (let i = 0; i < 60; i += 1) {
          const one = event({ i })
          ids.push(one.id)
          await eventStore.append(stream, i === 0 ? 'none' : BigInt(i - 1), [one])
          await sleep(5)
        }
      }
      const writing = Promise.all(Array.from({ length: 5 }, (_, n) => writer(`${prefix}${n}`)))
      for (let i = 0; i < 3; i += 1) {
        await sleep(60)
        faults!.drop()
      }
      faults!.kill()
      await sleep(300)
      await faults!.start()
      await writing
      await eventStore.append(`${prefix}last`, 'none', [event()])
      const events = await following
      const got = events.filter(({ stream }) => !stream.endsWith('last')).map(({ id }) => id)
      expect(got).toHaveLength(ids.length)
      expect(new Set(got)).toEqual(new Set(ids))
    },
    breakable,
  )
}

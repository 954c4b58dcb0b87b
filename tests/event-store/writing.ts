import { expect } from 'vitest'
import { ConcurrencyConflict, EventTooLarge, type Page, Unavailable } from '#app/event-store/event-store.ts'
import { breakable, company, type EngineIt, event } from '#tests/event-store/rig.ts'

export function writing(it: EngineIt) {
  it('reads a stream as it was written, whole and from a revision', async ({ eventStore }) => {
    const stream = `${company()}a`
    const events = Array.from({ length: 3 }, (_, i) => event({ i, text: 'coração ✓', nested: { list: [1, null, true] } }))
    const first = await eventStore.append(stream, 'none', events)
    expect(first.revision).toBe(2n)
    const { events: read } = await eventStore.read(stream)
    expect(read.map(({ id, type, data, meta }) => ({ id, type, data, meta }))).toEqual(events)
    expect(read.map((one) => one.revision)).toEqual([0n, 1n, 2n])
    expect((await eventStore.read(stream, 2n)).events.map(({ id }) => id)).toEqual([events[2]!.id])
    expect(await eventStore.read(stream, 9n)).toEqual({ events: [] })
    expect(await eventStore.read(`${company()}unknown`)).toEqual({ events: [] })
    expect((await eventStore.readHeadPosition())! >= first.position).toBe(true)
  })

  it('reads a long stream completely', async ({ eventStore }) => {
    const stream = `${company()}long`
    for (let from = 0; from < 1200; from += 400) {
      const expected = from === 0 ? 'none' : BigInt(from - 1)
      await eventStore.append(
        stream,
        expected,
        Array.from({ length: 400 }, (_, i) => event({ i: from + i })),
      )
    }
    const { events } = await eventStore.read(stream)
    expect(events.at(-1)?.revision).toBe(1199n)
    expect(events.map(({ data }) => data.i)).toEqual(Array.from({ length: 1200 }, (_, i) => i))
  })

  it('reads a limited number of events, and finds the head of a prefix', async ({ eventStore }) => {
    const own = company()
    const first = await eventStore.append(
      `${own}long`,
      'none',
      Array.from({ length: 9 }, (_, i) => event({ i })),
    )
    const some = async (from: bigint, most: number) => (await eventStore.read(`${own}long`, from, most)).events.map(({ data }) => data.i)
    expect(await some(0n, 3)).toEqual([0, 1, 2])
    expect(await some(7n, 5)).toEqual([7, 8])
    expect(await some(9n, 5)).toEqual([])
    const other = await eventStore.append(`anchor-${own}`, 'none', [event()])
    expect([await eventStore.readHeadPosition(own), await eventStore.readHeadPosition(`anchor-${own}`)]).toEqual([
      first.position,
      other.position,
    ])
    expect(await eventStore.readHeadPosition(`nobody-${own}`)).toBe(null)
  })

  it('refuses an append with a wrong expected revision', async ({ eventStore }) => {
    const stream = `${company()}a`
    await expect(eventStore.append(stream, 0n, [event()])).rejects.toMatchObject({ actual: 'none' })
    await eventStore.append(stream, 'none', [event(), event()])
    for (const expected of ['none', 0n, 2n, 7n] as const) {
      const refused = eventStore.append(stream, expected, [event()])
      await expect(refused).rejects.toBeInstanceOf(ConcurrencyConflict)
      await expect(refused).rejects.toMatchObject({ actual: 1n })
    }
    expect((await eventStore.read(stream)).events).toHaveLength(2)
  })

  it('accepts a repeated append once', async ({ eventStore }) => {
    const stream = `${company()}a`
    const [opening, more] = [[event(), event()], [event()]]
    const first = await eventStore.append(stream, 'none', opening)
    const second = await eventStore.append(stream, 1n, more)
    expect(await eventStore.append(stream, 'none', opening)).toEqual(first)
    expect(await eventStore.append(stream, 1n, more)).toEqual(second)
    expect((await eventStore.read(stream)).events).toHaveLength(3)
  })

  it('refuses an append of which only a part is known', async ({ eventStore }) => {
    const stream = `${company()}a`
    const [known, fresh] = [event(), event()]
    await eventStore.append(stream, 'none', [known])
    await expect(eventStore.append(stream, 'none', [known, fresh])).rejects.toBeInstanceOf(ConcurrencyConflict)
    await expect(eventStore.append(stream, 'none', [fresh, known])).rejects.toBeInstanceOf(ConcurrencyConflict)
    await eventStore.append(stream, 0n, [event()])
    await expect(eventStore.append(stream, 'none', [known, fresh])).rejects.toBeInstanceOf(ConcurrencyConflict)
    expect((await eventStore.read(stream)).events).toHaveLength(2)
  })

  it('lets one of two concurrent writers win', async ({ eventStore, rig }) => {
    const other = await rig.open()
    for (let round = 0; round < 20; round += 1) {
      const stream = `${company()}a`
      const both = await Promise.allSettled([eventStore.append(stream, 'none', [event()]), other.append(stream, 'none', [event()])])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(both.find((one) => one.status === 'rejected')?.reason).toBeInstanceOf(ConcurrencyConflict)
    }
    await other.close()
  })

  it('refuses events that are too large', async ({ eventStore }) => {
    const stream = `${company()}a`
    await expect(eventStore.append(stream, 'none', [event({ text: 'x'.repeat(65_600) })])).rejects.toBeInstanceOf(EventTooLarge)
    const many = Array.from({ length: 18 }, () => event({ text: 'x'.repeat(60_000) }))
    await expect(eventStore.append(stream, 'none', many)).rejects.toBeInstanceOf(EventTooLarge)
    expect((await eventStore.read(stream)).events).toEqual([])
    expect((await eventStore.append(stream, 'none', many.slice(0, 17))).revision).toBe(16n)
  })

  it('gives up on a server that accepts the connection and never answers', async ({ rig }) => {
    const silent = await rig.openSilent()
    const began = performance.now()
    const stop = new AbortController()
    const pages: Page[] = []
    const following = (async () => {
      for await (const page of silent.subscribe(null, 'ticket-', stop.signal)) pages.push(page)
    })()
    const all = await Promise.allSettled([
      silent.read('ticket-1-a'),
      silent.append('ticket-1-a', 'none', [event()]),
      silent.readHeadPosition(),
    ])
    for (const one of all) expect(one.status === 'rejected' && one.reason).toBeInstanceOf(Unavailable)
    expect(performance.now() - began).toBeLessThan(8000)
    stop.abort()
    await following
    expect(pages).toEqual([])
    await silent.close()
  })

  it(
    'finds its own write if the answer was lost',
    async ({ eventStore, rig: { faults } }) => {
      const stream = `${company()}a`
      faults!.loseNextAnswer()
      expect(await eventStore.append(stream, 'none', [event(), event()])).toMatchObject({ revision: 1n })
      expect((await eventStore.read(stream)).events).toHaveLength(2)
    },
    breakable,
  )

  it(
    'finds its own write if the server died before the answer',
    async ({ eventStore, rig: { faults } }) => {
      const stream = `${company()}a`
      faults!.dieAfterNextWrite()
      expect(await eventStore.append(stream, 'none', [event()])).toMatchObject({ revision: 0n })
      expect((await eventStore.append(stream, 0n, [event()])).revision).toBe(1n)
      expect((await eventStore.read(stream)).events).toHaveLength(2)
    },
    breakable,
  )
}

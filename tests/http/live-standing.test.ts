import { expect, it } from 'vitest'
import { createLiveGateway, noRooms, type SocketSession } from '#app/live/gateway.ts'
import { topic } from '#domain/topic.ts'

/* A user who saw a row that left their sight is notified. If the row's old state is unknown, everyone is notified. */
type Row = { id: number; companyId: number; of: number }
const owned = topic<Row>('thing', 'thing', ({ id }, { of }) => of === id)
const row = (id: number, of: number): Row => ({ id, companyId: 1, of })

const soon = () => new Promise(setImmediate)

/** `slowly`: what a read waits for after it has its rows. */
function stage(standing: () => Promise<Row[]>, heardSoFar = async () => {}, slowly = async () => {}) {
  const now = new Map<number, Row>()
  const faults: unknown[] = []
  let looked = 0
  const known = async () => {
    const rows = await standing()
    looked += 1
    return rows
  }
  async function load(_: number, ids: number[]): Promise<Row[]> {
    const rows = ids.flatMap((id) => now.get(id) ?? [])
    await slowly()
    return rows
  }
  const live = createLiveGateway([{ topic: owned, load, loadInitialRows: known }], (error) => faults.push(error), heardSoFar, 1)
  function sit(id: number) {
    const frames: { action: string; id?: number }[] = []
    const viewer = { id, companyId: 1, masked: false } as SocketSession['viewer']
    const rest = { sessionId: '', expired: false, close: () => {}, rooms: noRooms() }
    const leave = live.addSession({ viewer, send: (frame) => frames.push(JSON.parse(String(frame))), ...rest })
    return { leave, told: () => frames.map(({ action, id: which }) => `${action} ${which}`) }
  }
  function becomes(one: Row, heard = true): void {
    now.set(one.id, one)
    if (heard) live.onChange(`thing update 1 ${one.id}`)
  }
  /** Changes a row of unknown old state. Once every socket has it, all earlier frames have arrived. */
  async function fence(...seats: { told: () => string[] }[]): Promise<void> {
    becomes(row(99, 0))
    for (const { told } of seats) await expect.poll(told).toContain('delete 99')
  }
  return { live, sit, becomes, fence, faults, looked: () => looked }
}

it('the first change of a row notifies only users who see it or saw it', async () => {
  const { sit, becomes, fence, looked } = stage(async () => [row(7, 1), row(8, 1)])
  const [ana, bruno, carla] = [sit(1), sit(2), sit(3)]
  await expect.poll(looked).toBe(1)
  await soon()
  becomes(row(7, 1))
  becomes(row(8, 2))
  await fence(ana, bruno, carla)
  expect(ana.told()).toEqual(['update 7', 'delete 8', 'delete 99'])
  expect(bruno.told()).toEqual(['update 8', 'delete 99'])
  expect(carla.told()).toEqual(['delete 99'])
})

it('a change during the initial read notifies everyone', async () => {
  const heard = Promise.withResolvers<void>()
  const { sit, becomes, fence, looked } = stage(
    async () => [row(7, 2)],
    () => heard.promise,
  )
  const [ana, bruno] = [sit(1), sit(2)]
  await expect.poll(looked).toBe(1)
  becomes(row(7, 2)) // from Ana, before the rows were read
  heard.resolve()
  await fence(ana, bruno)
  expect(ana.told()).toEqual(['delete 7', 'delete 99'])
  expect(bruno.told()).toEqual(['update 7', 'delete 99'])
})

it('the old state is unknown after a change without sockets or a missed notification', async () => {
  const { live, sit, becomes, fence, looked, faults } = stage(async () => (looked() === 0 ? [row(7, 1)] : []))
  const first = sit(1)
  await expect.poll(looked).toBe(1)
  await soon()
  first.leave()
  becomes(row(7, 2))
  const [ana, bruno] = [sit(1), sit(2)]
  becomes(row(7, 1)) // from Bruno, who saw it meanwhile
  await fence(ana, bruno)
  expect(bruno.told()).toEqual(['delete 7', 'delete 99'])
  live.refresh()
  becomes(row(7, 1))
  await expect.poll(bruno.told).toEqual(['delete 7', 'delete 99', 'refresh undefined', 'delete 7'])
  expect(faults).toEqual([])
})

it('the old state is unknown if all sockets left or a notification was missed during a read', async () => {
  for (const away of ['left', 'missed'] as const) {
    const slow = Promise.withResolvers<void>()
    let reads = 0
    const { live, sit, becomes, fence } = stage(
      async () => [],
      undefined,
      () => (reads++ === 0 ? slow.promise : Promise.resolve()),
    )
    const [ana, bruno] = [sit(1), sit(2)]
    becomes(row(7, 1))
    await expect.poll(() => reads).toBe(1) // it has read the rows as they were
    if (away === 'left') for (const one of [ana, bruno]) one.leave()
    becomes(row(7, 2), away === 'left')
    if (away === 'missed') live.refresh()
    slow.resolve()
    const [again, other] = [sit(1), sit(2)]
    await fence(again, other)
    const before = other.told().length
    becomes(row(7, 1)) // from Bruno, who saw it meanwhile
    becomes(row(98, 0))
    await expect.poll(() => other.told().slice(before)).toEqual(['delete 7', 'delete 98'])
  }
})

it('the next socket session repeats a failed initial read', async () => {
  let away = true
  const { sit, becomes, fence, looked, faults } = stage(async () => {
    if (away) throw new Error('the database is away')
    return [row(7, 1)]
  })
  const ana = sit(1)
  await expect.poll(() => faults.length).toBe(1)
  away = false
  const bruno = sit(2)
  await expect.poll(looked).toBe(1)
  await soon()
  becomes(row(7, 1))
  await fence(ana, bruno)
  expect(bruno.told()).toEqual(['delete 99'])
})

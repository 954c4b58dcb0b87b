import { expect, it } from 'vitest'
import { createLiveGateway, noRooms, type SocketSession } from '#app/live/gateway.ts'
import { topic } from '#domain/topic.ts'

type Row = { id: number; companyId: number; words: string }
const all = topic<Row>('thing', 'thing', () => true)

function stage(load: (companyId: number, ids: number[]) => Promise<Row[]>) {
  const faults: unknown[] = []
  const live = createLiveGateway(
    [{ topic: all, load }],
    (error) => faults.push(error),
    async () => undefined,
    1,
  )
  const frames: any[] = []
  const viewer = { companyId: 1, masked: false } as SocketSession['viewer']
  const rest = {
    sessionId: '',
    expired: false,
    close: () => {},
    rooms: noRooms(),
  }
  live.addSession({ viewer, send: (frame) => frames.push(JSON.parse(String(frame))), ...rest })
  return { live, frames, faults }
}

it('an old row is never sent after a newer one, even if its read is slow', async () => {
  let words = 'old'
  let reads = 0
  const slow = Promise.withResolvers<void>()
  const { live, frames } = stage(async (_, ids) => {
    const rows = ids.map((id) => ({ id, companyId: 1, words }))
    reads += 1
    if (reads === 1) await slow.promise
    return rows
  })
  live.onChange('thing update 1 7')
  await expect.poll(() => reads).toBe(1)
  words = 'new'
  live.onChange('thing update 1 7')
  slow.resolve()
  await expect.poll(() => frames.length).toBe(2)
  live.onChange('thing update 1 8') // no frame of the two earlier notifications can follow this one
  await expect.poll(() => frames.length).toBeGreaterThan(2)
  expect(frames.map(({ id, thing }) => [id, thing.words])).toEqual([
    [7, 'old'],
    [7, 'new'],
    [8, 'new'],
  ])
})

it('all sockets refetch if the server cannot read the changed row', async () => {
  let away = true
  const { live, frames, faults } = stage(async (_, ids) => {
    if (away) throw new Error('the database is away')
    return ids.map((id) => ({ id, companyId: 1, words: 'back' }))
  })
  live.onChange('thing update 1 7')
  await expect.poll(() => frames.length).toBe(1)
  away = false
  live.onChange('thing update 1 8')
  await expect.poll(() => frames.length).toBe(2)
  expect(faults).toHaveLength(1)
  expect(frames).toMatchObject([
    { channel: 'company-1-thing', action: 'refresh' },
    { action: 'update', id: 8 },
  ])
})

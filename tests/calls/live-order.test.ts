import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gateway, noRooms, type Seat } from '#app/http/live.ts'
import { topic } from '#domain/contract.ts'

type Row = { id: number; companyId: number; words: string }
const all = topic<Row>('thing', 'thing', () => true)

function stage(load: (companyId: number, ids: number[]) => Promise<Row[]>) {
  const faults: unknown[] = []
  const live = gateway([{ topic: all, load }], (error) => faults.push(error), 1)
  const frames: any[] = []
  const viewer = { companyId: 1, masked: false } as Seat['viewer']
  const rest = {
    sessionId: '',
    expired: false,
    close: () => {},
    rooms: noRooms(),
  }
  live.enter({ viewer, send: (frame) => frames.push(JSON.parse(String(frame))), ...rest })
  return { live, frames, faults }
}

it('never shows an old row after a new one, however slow a read was', async () => {
  let words = 'old'
  let slow = 40
  const { live, frames } = stage(async () => {
    const row = { id: 7, companyId: 1, words }
    const wait = slow
    slow = 0
    await sleep(wait)
    return [row]
  })
  live.hear('thing update 1 7')
  await sleep(10)
  words = 'new'
  live.hear('thing update 1 7')
  await sleep(100)
  expect(frames.map(({ thing }) => thing.words)).toEqual(['old', 'new'])
})

it('has everyone read again what it could not read itself', async () => {
  const { live, frames, faults } = stage(async () => {
    throw new Error('the database is away')
  })
  live.hear('thing update 1 7')
  await sleep(1200)
  expect(faults).toHaveLength(1)
  expect(frames).toEqual([{ channel: 'company-1-thing', action: 'refresh' }])
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWithMeta, type WithMeta } from './house.ts'

/* What WhatsApp itself thinks of a number of the Cloud API. */
let at: WithMeta
let line: Awaited<ReturnType<WithMeta['cloud']>>
beforeAll(async () => {
  at = await startWithMeta()
  line = await at.cloud()
}, 40_000)
afterAll(async () => at?.stop(), 30_000)

const quality = async (id = line.id) => (await at.admin('GET', `/whatsapp/${id}/quality`)).body.quality

it('is told as it is now', async () => expect(await quality()).toEqual({ rating: 'high', limit: 1000, unlimited: false }))

it('is nothing where Meta does not answer, and of a connection of another kind', async () => {
  at.meta.world.faults.push({ on: '1001', code: 2, status: 500, times: 5 })
  expect(await quality()).toBeNull()
  expect(await quality(at.house.company.connections.loja)).toBeNull()
})

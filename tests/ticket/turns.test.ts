import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/work/clock.ts'
import { eventually } from '#tests/kit/processes.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* When it is the next one's turn: what a card says, and what moves it (A-ROT-01). */
let house: TestHouse
let minutes = 0
beforeAll(async () => {
  house = await startHouse({ clock: openClock(() => minutes * 60_000) })
  for (const who of ['ana', 'bruno'] as const) await house.socket(who)
  await eventually(
    async () => (await house.as('admin')('GET', '/users/list')).body,
    (all) => all.filter(({ availability }: any) => availability === 'available').length === 2,
  )
}, 30_000)
afterAll(() => house?.stop(), 30_000)

const rotates = (ativarRoteador: boolean, tempoRoteador: 5 | 30) =>
  house.as('admin')('PUT', `/queue/${house.company.queues.vendas}`, { ativarRoteador, tempoRoteador })
const ticket = async () => (await house.as('admin')('GET', '/tickets?status=search&searchParam=5511970002001&showAll=true')).body.tickets[0]
const inMinutes = async () => Math.round((Date.parse((await ticket()).turnEndsAt) - house.house.clock.now()) / 60_000)
async function goesBy(some: number): Promise<void> {
  minutes += some
  for (const who of ['ana', 'bruno'] as const) await house.socket(who) // still there
}

it('is on the card as its queue has it now, and begins anew where a closing is taken back behind it', async () => {
  await rotates(true, 5)
  await house.phone.says('5511970002001', 'Bom dia')
  await house.settled()
  const { id, user } = await ticket()
  expect(await inMinutes()).toBe(5)
  await rotates(true, 30)
  expect(await inMinutes()).toBe(30)
  await rotates(false, 30)
  expect((await ticket()).turnEndsAt).toBeNull()
  await rotates(true, 5)
  expect(await inMinutes()).toBe(5)
  expect((await house.as('admin')('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
  await goesBy(6)
  const due = () => house.db.selectFrom('deadline').select('id').where('aggregateId', '=', id).where('kind', '=', 'rotate').execute()
  await expect.poll(due, { timeout: 10_000 }).toEqual([]) // its turn ended while it was closed
  expect((await house.as('admin')('POST', `/tickets/${id}/undo`, {})).status).toBe(200)
  await house.settled()
  expect(await ticket()).toMatchObject({ status: 'pending', user: { name: user.name } })
  expect(await inMinutes()).toBe(5)
  await goesBy(6)
  await expect.poll(async () => (await ticket()).user.name, { timeout: 10_000 }).toBe(user.name === 'ana' ? 'bruno' : 'ana')
})

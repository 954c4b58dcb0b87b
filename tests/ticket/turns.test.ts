import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { UserRow } from '#domain/user/contract.ts'
import { hours } from '#tests/support/hours.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* When it is the next one's turn: what a card says, and what moves it (A-ROT-01). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute() // who moves the clock
  for (const who of ['ana', 'bruno'] as const) await app.socket(who)
  await eventually(
    async (): Promise<UserRow[]> => (await app.as('admin')('GET', '/users/list')).body,
    (all) => all.filter(({ availability }) => availability === 'available').length === 2,
  )
})
afterAll(() => app?.stop())

const number = '5511970002001'
const ticket = (): Promise<TicketRow> => hours(app).ticketOf(number)
const rotates = (ativarRoteador: boolean, tempoRoteador: 5 | 30) =>
  app.as('admin')('PUT', `/queue/${app.company.queues.vendas}`, { ativarRoteador, tempoRoteador })
const inMinutes = async () => Math.round((Date.parse((await ticket()).turnEndsAt!) - app.ctx.clock.now()) / 60_000)
const close = (id: number) => app.as('admin')('PUT', `/tickets/${id}`, { status: 'closed' })
const undo = (id: number) => app.as('admin')('POST', `/tickets/${id}/undo`, {})

it('is on the card as its queue has it now, and on those that stand on a screen', async () => {
  const line = await app.socket('admin')
  line.emit('joinTickets', { status: 'pending' })
  const told = (fits: (turnEndsAt: string | null) => boolean) =>
    line.heard(({ channel, ticket }) => channel.endsWith('-ticket') && ticket?.contact.number === number && fits(ticket.turnEndsAt))
  await rotates(true, 5)
  await hours(app).says(number)
  expect(await inMinutes()).toBe(5)
  await rotates(true, 30)
  expect(await inMinutes()).toBe(30)
  const { turnEndsAt } = await ticket()
  await told((at) => at === turnEndsAt)
  line.frames.length = 0
  await rotates(false, 30)
  expect((await ticket()).turnEndsAt).toBeNull()
  await told((at) => at === null)
  await rotates(true, 5)
  expect(await inMinutes()).toBe(5)
})

it('goes on where a closing is taken back, and begins anew where it ended meanwhile', async () => {
  const { id, user, turnEndsAt } = await ticket()
  expect((await close(id)).status).toBe(200)
  expect((await ticket()).turnEndsAt).toBeNull()
  expect((await undo(id)).status).toBe(200)
  expect(await ticket()).toMatchObject({ status: 'pending', user: { id: user!.id }, turnEndsAt })

  expect((await close(id)).status).toBe(200)
  await hours(app).pass(6)
  const due = () => app.db.selectFrom('deadline').select('id').where('aggregateId', '=', id).where('kind', '=', 'rotate').execute()
  await expect.poll(due).toEqual([])
  const { status, body: back } = await undo(id)
  expect({ status, turnEndsAt: back.turnEndsAt }).toEqual({ status: 200, turnEndsAt: expect.any(String) }) // at once, as every list is told
  expect(await ticket()).toMatchObject({ status: 'pending', user: { id: user!.id } })
  expect(await inMinutes()).toBe(5)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { UserRow } from '#domain/user/contract.ts'
import { hours } from '#tests/support/hours.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* The end of an agent's turn: what a card shows, and what changes it (A-ROT-01). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute() // only a super user may move the clock
  for (const who of ['ana', 'bruno'] as const) await app.socket(who)
  await eventually(
    async (): Promise<UserRow[]> => (await app.as('admin')('GET', '/users/list')).body,
    (all) => all.filter(({ availability }) => availability === 'available').length === 2,
  )
})
afterAll(() => app?.stop())

const number = '5511970002001'
const ticket = (): Promise<TicketRow> => hours(app).ticketOf(number)
const setRotation = (ativarRoteador: boolean, tempoRoteador: 5 | 30) =>
  app.as('admin')('PUT', `/queue/${app.company.queues.vendas}`, { ativarRoteador, tempoRoteador })
const inMinutes = async () => Math.round((Date.parse((await ticket()).turnEndsAt!) - app.ctx.clock.now()) / 60_000)
const close = (id: number) => app.as('admin')('PUT', `/tickets/${id}`, { status: 'closed' })
const undo = (id: number) => app.as('admin')('POST', `/tickets/${id}/undo`, {})

it('the card shows the end of the turn, and open screens are updated when the queue changes', async () => {
  const socket = await app.socket('admin')
  socket.emit('joinTickets', { status: 'pending' })
  const receivedTicket = (fits: (turnEndsAt: string | null) => boolean) =>
    socket.heard(({ channel, ticket }) => channel.endsWith('-ticket') && ticket?.contact.number === number && fits(ticket.turnEndsAt))
  await setRotation(true, 5)
  await hours(app).says(number)
  expect(await inMinutes()).toBe(5)
  await setRotation(true, 30)
  expect(await inMinutes()).toBe(30)
  const { turnEndsAt } = await ticket()
  await receivedTicket((at) => at === turnEndsAt)
  socket.frames.length = 0
  await setRotation(false, 30)
  expect((await ticket()).turnEndsAt).toBeNull()
  await receivedTicket((at) => at === null)
  await setRotation(true, 5)
  expect(await inMinutes()).toBe(5)
})

it('an undone close continues the turn, or starts a new one if the turn has ended', async () => {
  const { id, user, turnEndsAt } = await ticket()
  expect((await close(id)).status).toBe(200)
  expect((await ticket()).turnEndsAt).toBeNull()
  expect((await undo(id)).status).toBe(200)
  expect(await ticket()).toMatchObject({ status: 'pending', user: { id: user!.id }, turnEndsAt })

  expect((await close(id)).status).toBe(200)
  await hours(app).pass(6)
  const due = () => app.db.selectFrom('deadline').select('id').where('aggregateId', '=', id).where('kind', '=', 'rotation').execute()
  await expect.poll(due).toEqual([])
  const { status, body: back } = await undo(id)
  expect({ status, turnEndsAt: back.turnEndsAt }).toEqual({ status: 200, turnEndsAt: expect.any(String) }) // in the answer, and in every list
  expect(await ticket()).toMatchObject({ status: 'pending', user: { id: user!.id } })
  expect(await inMinutes()).toBe(5)
})

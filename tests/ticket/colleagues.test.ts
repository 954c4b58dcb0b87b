import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import type { TestSocket } from '#tests/support/socket.ts'

/* Who else is in a ticket (A-HERE-01). */
let app: TestApp
let ticket: { id: number; uuid: string }
beforeAll(async () => {
  app = await startTestApp()
  ticket = await (await openScene(app)).served() // ana's, in the queue vendas
})
afterAll(() => app.stop())

const colleagues = (socket: TestSocket) => socket.of('colleague').map(({ channel, action, ...frame }) => frame)
const joined = async (who: Parameters<TestApp['socket']>[0]): Promise<TestSocket> => {
  const socket = await app.socket(who)
  socket.emit('joinChatBox', { ticketId: ticket.id })
  await socket.fence()
  return socket
}

it('only viewers of a ticket are told what a colleague does in it (A-HERE-01)', async () => {
  const [ana, admin, stranger, list] = [await joined('ana'), await joined('admin'), await joined('rita'), await app.socket('admin')]
  const unseeing = await app.socket('dulce') // sees no tickets of other users
  for (const socket of [list, unseeing]) {
    socket.emit('joinTickets', { status: 'open' })
    await socket.fence()
  }
  ana.emit('working', { ticketId: ticket.id, doing: 'replies', tab: 'one', asks: true })
  const { name } = (await app.as('ana')('GET', '/auth/me')).body
  const told = { ticketId: ticket.id, userId: app.company.users.ana, name, doing: 'replies', tab: 'one', asks: true }
  await expect.poll(() => colleagues(admin)).toEqual([told])
  await expect.poll(() => colleagues(list)).toEqual([told])
  ana.emit('working', { ticketId: ticket.id, doing: 'left', tab: 'one' })
  await expect.poll(() => colleagues(admin).at(-1)).toMatchObject({ doing: 'left', tab: 'one' })
  expect(colleagues(ana)).toEqual([]) // none of their own
  expect([...colleagues(stranger), ...colleagues(unseeing)]).toEqual([])
})

it('malformed signals and tickets out of sight are ignored, and the socket stays open', async () => {
  const [ana, admin, rita] = [await joined('ana'), await joined('admin'), await app.socket('rita')]
  const wrong = [null, {}, { ticketId: ticket.id, doing: 'sleeps', tab: 'x' }, { ticketId: 2 ** 40, doing: 'views', tab: 'x' }]
  for (const data of [...wrong, { ticketId: ticket.id, doing: 'views', tab: '<b>'.repeat(900) }]) admin.emit('working', data)
  rita.emit('working', { ticketId: ticket.id, doing: 'views', tab: 'x' })
  await Promise.all([admin.fence(), rita.fence()])
  admin.emit('working', { ticketId: ticket.id, doing: 'notes', tab: 'two' })
  await expect.poll(() => colleagues(ana).map(({ doing }) => doing)).toEqual(['notes'])
  expect(admin.socket.readyState).toBe(admin.socket.OPEN)
})

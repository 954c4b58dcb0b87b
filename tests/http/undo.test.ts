import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const change = (who: Person, id: number, body: object) => app.as(who)('PUT', `/tickets/${id}`, body)
const undo = (who: Person, id: number, body: object = {}, headers?: Record<string, string>) =>
  app.as(who)('POST', `/tickets/${id}/undo`, body, headers)
const says = ({ status, body }: { status: number; body: any }) => [status, body?.error]
const deadlines = (ticketId: number) =>
  app.db.selectFrom('deadline').select('kind').where('aggregateId', '=', ticketId).where('kind', 'like', '%/%').execute()
/** Ends the ten-second undo window and waits until everything due then is processed. */
async function windowOver(ticketId: number): Promise<void> {
  await app.settled()
  expect((await app.as(await scene.superUser())('POST', '/sandbox/clock', { advanceMs: 10_000 })).status).toBe(200)
  await expect.poll(() => deadlines(ticketId)).toEqual([])
  await app.settled()
}
const texts = async (id: number) =>
  (await app.as('admin')('GET', `/messages/${id}`)).body.messages.map(({ body }: { body: string }) => body)

describe('undoing an action (A-TICKET-07)', () => {
  it('withdraws the farewell, which waits until the undo window ends', async () => {
    await app.db.updateTable('connection').set({ complationMessage: 'Obrigado!' }).execute()
    const { id } = await scene.served()
    const { body: closed } = await change('ana', id, { status: 'closed' })
    await app.settled()
    expect([await texts(id), (await deadlines(id)).length]).toEqual([[], 1])
    const again = { 'x-command-id': crypto.randomUUID() }
    const answers = [await undo('ana', id, { seen: closed.revision }, again), await undo('ana', id, { seen: closed.revision }, again)]
    for (const { status, body } of answers)
      expect({ status, ...body }).toMatchObject({ status: 'open', userId: scene.users.ana, queueId: scene.queues.vendas, closedAt: null })
    await windowOver(id)
    expect(await texts(id)).toEqual([])
    const log = (await app.as('ana')('GET', `/tickets-log/${id}`)).body
    expect(log.at(-1)).toMatchObject({ type: 'undone', undone: 'closed', user: { id: scene.users.ana } })
    await change('ana', id, { status: 'closed' })
    await windowOver(id)
    expect(await texts(id)).toEqual(['Obrigado!'])
    expect(says(await undo('ana', id))).toEqual([409, 'ERR_UNDO_GONE'])
    await app.db.updateTable('connection').set({ complationMessage: null }).execute()
  })
  it('makes the ticket the contact’s open one, and is refused once the contact has a new ticket', async () => {
    const phone = '5511955550001'
    const open = async () => {
      await app.phone.says(phone, 'oi')
      await app.settled()
      const [row] = (await app.as('admin')('GET', '/tickets?status=pending&pageSize=100&sortTickets=DESC')).body.tickets
      return (await change('admin', row.id, { status: 'open', queueId: scene.queues.vendas })).body.id as number
    }
    const id = await open()
    await change('admin', id, { status: 'closed' })
    expect((await undo('admin', id)).body).toMatchObject({ id, status: 'open' })
    await app.phone.says(phone, 'ainda aí?')
    await app.settled()
    expect(await texts(id)).toEqual(['oi', 'ainda aí?'])
    await change('admin', id, { status: 'closed' })
    await app.settled()
    await app.phone.says(phone, 'esqueci')
    await app.settled()
    expect(says(await undo('admin', id))).toEqual([409, 'ERR_UNDO_GONE'])
  })
  it('sends no farewell once the contact continues in another ticket', async () => {
    await app.db.updateTable('connection').set({ complationMessage: 'Obrigado!' }).execute()
    const phone = '5511955550008'
    await app.phone.says(phone, 'oi')
    await app.settled()
    const [row] = (await app.as('admin')('GET', '/tickets?status=pending&pageSize=100&sortTickets=DESC')).body.tickets
    await change('admin', row.id, { status: 'open', queueId: scene.queues.vendas })
    await change('admin', row.id, { status: 'closed' })
    await app.settled()
    expect(await deadlines(row.id)).toHaveLength(1)
    await app.phone.says(phone, 'mais uma coisa')
    await windowOver(row.id)
    expect(await texts(row.id)).not.toContain('Obrigado!')
    await app.db.updateTable('connection').set({ complationMessage: null }).execute()
  })
  it('of a transfer is allowed only to the sender, also for a ticket out of their sight', async () => {
    const { id } = await scene.served()
    await change('ana', id, { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla })
    expect(says(await undo('dulce', id))).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    expect(says(await undo('carla', id))).toEqual([409, 'ERR_UNDO_GONE'])
    expect((await undo('ana', id)).body).toMatchObject({ id, status: 'open', userId: scene.users.ana, transfer: null, isTransfered: false })
  })
  it('of a transfer into a new ticket deletes that one and reopens the first', async () => {
    await app.set('closeTicketOnTransfer', 'true')
    const { id, contactId } = await scene.served()
    const to = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
    const { body: next } = await change('ana', id, to)
    expect((await undo('ana', id)).body).toMatchObject({ id, status: 'open', userId: scene.users.ana })
    await app.settled()
    expect((await app.as('admin')('GET', `/tickets/u/${next.uuid}`)).status).toBe(404)
    const place = await app.db.selectFrom('activeTicket').select('ticketId').where('contactId', '=', contactId).execute()
    expect(place).toEqual([{ ticketId: id }])
    const { body: taken } = await change('ana', id, to)
    await scene.message(taken, 'carla')
    expect(says(await undo('ana', id))).toEqual([409, 'ERR_UNDO_GONE'])
    await app.set('closeTicketOnTransfer', 'false')
  })
  it('of such a transfer completes after an interruption and a message of the contact', async () => {
    await app.set('closeTicketOnTransfer', 'true')
    const phone = '5511955550007'
    await app.phone.says(phone, 'oi')
    await app.settled()
    const [row] = (await app.as('admin')('GET', '/tickets?status=pending&pageSize=100&sortTickets=DESC')).body.tickets
    const { id, contactId } = (await change('admin', row.id, { status: 'open', queueId: scene.queues.vendas })).body
    const to = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
    const { body: next } = await change('admin', id, to)
    await app.settled()
    const back = { ticketId: id, command: crypto.randomUUID() }
    const stamp = { companyId: scene.companies.casa, by: { kind: 'user' as const, id: scene.users.admin } }
    await app.ctx.execute(next.id, { type: 'Withdraw', back, ...stamp }, `${back.command}-withdraw`)
    await app.phone.says(phone, 'e agora?')
    await app.settled()
    expect(await texts(id)).toEqual(['oi', 'e agora?'])
    const tickets = await app.db.selectFrom('ticket').select(['id', 'status']).where('contactId', '=', contactId).execute()
    expect(tickets).toEqual([{ id, status: 'open' }])
    const place = await app.db.selectFrom('activeTicket').select('ticketId').where('contactId', '=', contactId).execute()
    expect(place).toEqual([{ ticketId: id }])
    await app.set('closeTicketOnTransfer', 'false')
  })
})

describe('close-all', () => {
  it('announces its count, closes as many, and one undo reopens those not changed since', async () => {
    const { vendas } = scene.queues
    const made = [await scene.waiting(), await scene.waiting(), await scene.waiting()]
    const asked = `/tickets/closeAll?status=pending&selectedQueueIds=[${vendas}]`
    const { count: before } = (await app.as('admin')('GET', asked)).body
    const { body } = await app.as('admin')('POST', '/tickets/closeAll', { status: 'pending', selectedQueueIds: [vendas] })
    expect(body.count).toBe(before)
    expect((await app.as('admin')('GET', asked)).body).toEqual({ count: 0 })
    await change('ana', made[0]!.id, { status: 'open', userId: scene.users.ana })
    const back = await app.as('admin')('POST', '/tickets/closeAll/undo', { batch: body.batch })
    expect(back.body).toEqual({ count: before - 1 })
    const now = await app.db
      .selectFrom('ticket')
      .select(['id', 'status'])
      .where(
        'id',
        'in',
        made.map(({ id }) => id),
      )
      .orderBy('id')
      .execute()
    expect(now.map(({ status }) => status)).toEqual(['open', 'pending', 'pending'])
  })
})

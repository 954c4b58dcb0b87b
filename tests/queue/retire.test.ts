import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let scene: Scene
/** A separate queue for each test, served by ana and carla. */
let old: { id: number; name: string; color: string }
let fresh: number
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())
beforeEach(async () => {
  const n = Date.now() % 1_000_000
  const made = (name: string, color: string) => scene.made('admin', 'POST', '/queue', { name, color })
  old = await made(`Antiga ${n}`, `#aa${String(n).padStart(6, '0')}`.slice(0, 9))
  fresh = (await made(`Nova ${n}`, `#bb${String(n).padStart(6, '0')}`.slice(0, 9))).id
  await serve('ana', old.id, fresh)
  await serve('carla', old.id)
})

const casa = () => app.company.companies.casa
async function serve(who: 'ana' | 'carla', ...queueIds: number[]) {
  for (const queueId of queueIds)
    await app.db.insertInto('userQueue').values({ companyId: casa(), userId: app.company.users[who], queueId }).execute()
  app.ctx.viewerCache.forget()
}
const admin = () => app.as('admin')
const retire = (id: number, moveTo?: number) => admin()('DELETE', `/queue/${id}${moveTo ? `?moveTo=${moveTo}` : ''}`)
async function opened(who: 'ana' | 'carla' | 'admin', more: object = {}): Promise<{ id: number; uuid: string; contactId: number }> {
  const contact = await scene.contact()
  return scene.made(who, 'POST', '/tickets', { contactId: contact.id, queueId: old.id, ...more })
}
const row = async (uuid: string) => (await admin()('GET', `/tickets/u/${uuid}`)).body
const seenBy = async (who: 'ana' | 'carla' | 'bruno', { uuid }: { uuid: string }) =>
  (await app.as(who)('GET', `/tickets/u/${uuid}`)).status === 200

describe('deleting a queue (A-QUEUE-01)', () => {
  it('is refused while it is in use, with the references, and changes nothing', async () => {
    await opened('ana')
    await opened('admin', { status: 'pending' })
    await app.db
      .insertInto('connectionQueue')
      .values({ companyId: casa(), connectionId: app.company.connections.loja, queueId: old.id })
      .execute()
    const { status, body } = await retire(old.id)
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { error: 'ERR_QUEUE_IN_USE', tickets: 2, users: 2, connections: 1 },
    })
    expect((await admin()('GET', `/queue/${old.id}`)).status).toBe(200)
    expect((await retire(old.id, fresh)).status).toBe(204)
    const kept = await app.db.selectFrom('connectionQueue').select('queueId').where('queueId', '=', old.id).execute()
    expect(kept).toEqual([])
  })

  it('moves each ticket with one event, and keeps the order of waiting tickets', async () => {
    const waits = [await opened('admin', { status: 'pending' }), await opened('admin', { status: 'pending' })]
    const anas = await opened('ana')
    const carlas = await opened('carla')
    const before = await Promise.all(waits.map(({ uuid }) => row(uuid)))
    expect((await retire(old.id, fresh)).status).toBe(204)
    const after = await Promise.all(waits.map(({ uuid }) => row(uuid)))
    expect(after.map(({ queueId, waitingSince }) => ({ queueId, waitingSince }))).toEqual(
      before.map(({ waitingSince }) => ({ queueId: fresh, waitingSince })),
    )
    const listed = (await admin()('GET', `/tickets?status=pending&showAll=true&queueIds=[${fresh}]`)).body.tickets
    const here = listed.filter(({ queueId }: { queueId: number }) => queueId === fresh)
    expect(here.map(({ id }: { id: number }) => id)).toEqual([...waits, carlas].map(({ id }) => id)) // its agent does not serve the new queue, so it waits at the end
    expect(await row(anas.uuid)).toMatchObject({ status: 'open', queueId: fresh, userId: app.company.users.ana })
    expect(await row(carlas.uuid)).toMatchObject({ status: 'pending', queueId: fresh, userId: null })
    const log = async (id: number) => (await admin()('GET', `/tickets-log/${id}`)).body.map(({ type }: { type: string }) => type)
    for (const { id } of [waits[0]!, anas, carlas])
      expect((await log(id)).filter((type: string) => type !== 'access').slice(-2)).toEqual(['queueDeleted', 'receivedTransfer'])
    expect((await admin()('GET', `/tickets-log/${anas.id}`)).body).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: 'queueDeleted', queue: expect.objectContaining({ name: old.name }) }),
        expect.objectContaining({ type: 'receivedTransfer', user: null, queue: expect.objectContaining({ id: fresh }) }),
      ]),
    )
    expect([(await row(anas.uuid)).transfer, (await row(carlas.uuid)).transfer]).toEqual([null, null]) // nobody transferred it
  })

  it('removes its tickets at once from agents who do not serve the new queue', async () => {
    const waits = await opened('admin', { status: 'pending' })
    const line = await app.socket('carla')
    line.emit('joinTickets', 'pending')
    expect(await seenBy('carla', waits)).toBe(true)
    expect((await retire(old.id, fresh)).status).toBe(204)
    await line.closed // the rights changed, so the client reconnects and reloads
    expect(await seenBy('carla', waits)).toBe(false)
    expect(await seenBy('ana', waits)).toBe(true)
  })

  it('keeps its row for the history, removes it from lists, and frees its name and color', async () => {
    const done = await opened('carla')
    await scene.made('carla', 'PUT', `/tickets/${done.id}`, { status: 'closed' })
    expect((await retire(old.id, fresh)).status).toBe(204)
    const { body } = await admin()('GET', '/queue')
    expect(body.map(({ id }: { id: number }) => id)).not.toContain(old.id)
    expect((await admin()('GET', `/queue/${old.id}`)).status).toBe(404)
    expect((await admin()('PUT', `/queue/${old.id}`, { name: 'De volta', color: '#123123' })).status).toBe(404)
    expect((await retire(old.id, fresh)).status).toBe(404)
    expect((await admin()('POST', '/queue', { name: old.name, color: old.color })).status).toBe(200)
    expect((await row(done.uuid)).queue).toEqual({ id: old.id, name: old.name, color: old.color })
    expect([await seenBy('carla', done), await seenBy('bruno', done)]).toEqual([true, false])
    const listed = (await app.as('carla')('GET', '/tickets?status=closed')).body.tickets
    expect(listed.map(({ id }: { id: number }) => id)).toContain(done.id)
  })

  it('prevents every later use of it for a ticket', async () => {
    const done = await opened('ana')
    await scene.made('ana', 'PUT', `/tickets/${done.id}`, { status: 'closed' })
    const other = await scene.served()
    const message = await scene.message(other)
    expect((await retire(old.id, fresh)).status).toBe(204)
    const contactId = (await scene.contact()).id
    const said = async (method: string, path: string, body: object) => (await admin()(method, path, body)).body.error
    const none = 'ERR_NO_QUEUE_FOUND'
    expect(await said('POST', '/tickets', { contactId, queueId: old.id })).toBe(none)
    expect(await said('PUT', `/tickets/${other.id}`, { isTransfered: true, queueId: old.id })).toBe(none)
    expect(await said('POST', '/message/forward', { messageId: message.id, contactId, queueId: old.id })).toBe(none)
    expect((await app.as('ana')('POST', `/tickets/${done.id}/undo`, {})).body.error).toBe('ERR_UNDO_GONE')
    expect((await app.as('ana')('PUT', `/tickets/${done.id}`, { status: 'open' })).body.error).toBe('ERR_QUEUE_REQUIRED')
    const again = await scene.made('ana', 'PUT', `/tickets/${done.id}`, { status: 'open', queueId: fresh })
    expect(again).toMatchObject({ status: 'open', queueId: fresh })
  })

  it('keeps an import running, into the new queue', async () => {
    const { loja } = app.company.connections
    const importing = { enableImportMessage: true, queueIdImportMessages: old.id }
    await app.db.updateTable('connection').set(importing).where('id', '=', loja).execute()
    expect((await retire(old.id)).body).toMatchObject({ error: 'ERR_QUEUE_IN_USE', connections: 1 })
    expect((await retire(old.id, fresh)).status).toBe(204)
    const now = app.db.selectFrom('connection').select(['enableImportMessage', 'queueIdImportMessages']).where('id', '=', loja)
    expect(await now.executeTakeFirst()).toEqual({ ...importing, queueIdImportMessages: fresh })
    await app.db.updateTable('connection').set({ enableImportMessage: false, queueIdImportMessages: null }).where('id', '=', loja).execute()
  })

  it('lets new tickets of its connection wait without a queue', async () => {
    const { loja } = app.company.connections
    await app.db.deleteFrom('connectionQueue').where('connectionId', '=', loja).execute()
    await app.db.insertInto('connectionQueue').values({ companyId: casa(), connectionId: loja, queueId: old.id }).execute()
    expect((await retire(old.id, fresh)).status).toBe(204)
    const from = `55119${String(Date.now()).slice(-8)}`
    await app.phone.says(from, 'Bom dia', { connection: loja })
    await app.settled()
    const found = (await admin()('GET', `/tickets?status=search&searchParam=${from}`)).body.tickets[0]
    expect(found.queueId).toBeNull()
  })

  it('moves tickets only to another active queue of the company', async () => {
    const { deles } = app.company.queues
    expect((await retire(old.id, old.id)).status).toBe(400)
    for (const moveTo of [deles, 2147483647]) expect((await retire(old.id, moveTo)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await retire(fresh, old.id)).status).toBe(204)
    expect((await retire(old.id, fresh)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await retire(old.id)).status).toBe(409)
  })

  it('moves tickets that arrive during the deletion', async () => {
    const late = await scene.served()
    expect((await retire(old.id, fresh)).status).toBe(204)
    const { id, companyId } = { id: late.id, companyId: casa() }
    const by = { kind: 'user' as const, id: app.company.users.admin }
    await app.ctx.execute(id, { type: 'Move', queueId: old.id, suits: true, companyId, by, at: new Date().toISOString() }, `late-${id}`)
    await eventually(
      async () => (await row(late.uuid)).queueId,
      (queueId) => queueId === fresh,
    )
  })

  it('moves tickets that arrive while the deletion waits for a lock', async () => {
    const lock = await app.ctx.pool.connect()
    await lock.query('begin')
    await lock.query('select from queue where id = $1 for no key update', [old.id])
    const asked = retire(old.id, fresh)
    await eventually(
      async () =>
        (await app.ctx.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update "queue"%'`)).rowCount,
      (n) => n === 1,
    )
    const late = await opened('ana')
    await sleep(3000) // longer than the pass after it waits
    await lock.query('rollback')
    lock.release()
    expect((await asked).status).toBe(204)
    await eventually(
      async () => (await row(late.uuid)).queueId,
      (queueId) => queueId === fresh,
    )
  })
})

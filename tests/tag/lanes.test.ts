import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app?.stop())

it('syncing a contact’s labels keeps the contact’s lane', async () => {
  const { tags, contacts, companies } = app.company
  await app.db.insertInto('contactTag').values({ companyId: companies.casa, contactId: contacts.maria, tagId: tags.pista }).execute()
  const sync = (ids: number[]) => app.as('ana')('POST', '/tags/sync', { contactId: contacts.maria, tags: ids.map((id) => ({ id })) })
  const names = ({ body }: { body: any }) => body.tags.map(({ name }: { name: string }) => name).sort()
  expect(names(await sync([tags.vip, tags.novo, tags.deles]))).toEqual(['Novo', 'Pista', 'VIP'])
  expect(names(await sync([]))).toEqual(['Pista'])
})

it('many contacts can be synced at once', async () => {
  const { tags, contacts } = app.company
  const sync = (i: number) =>
    app.as('ana')('POST', '/tags/sync', {
      contactId: i % 2 ? contacts.maria : contacts.joao,
      tags: (i % 3 ? [tags.vip, tags.novo] : [tags.novo]).map((id) => ({ id })),
    })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => sync(i)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { rows } = await app.ctx.pool.query(`
    select t.name from tag t where contacts_count <> (select count(*) from contact_tag ct where ct.tag_id = t.id)`)
  expect(rows).toEqual([])
})

it('a lane with a time limit needs a next lane (A-LANE-01)', async () => {
  const { tags } = app.company
  const dulce = app.as('dulce')
  const said = ({ status, body: { error, field, rule } }: { status: number; body: any }) => [status, error, field, rule]
  const refused = [400, 'ERR_INVALID_INPUT', 'nextLaneId', 'required']
  const lane = { name: 'Meia coluna', color: '#2563eb', kanban: 1, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
  expect(said(await dulce('POST', '/tags', { ...lane, timeLane: 5 }))).toEqual(refused)
  const { id } = (await dulce('POST', '/tags', { ...lane, timeLane: null })).body
  expect(said(await dulce('PUT', `/tags/${id}`, { timeLane: 5 }))).toEqual(refused)
  expect((await dulce('PUT', `/tags/${id}`, { timeLane: 5, nextLaneId: tags.pista })).status).toBe(200)
  expect(said(await dulce('PUT', `/tags/${id}`, { nextLaneId: null }))).toEqual(refused)
  await app.db.updateTable('tag').set({ nextLaneId: null }).where('id', '=', id).execute() // as if the next lane was deleted
  expect((await dulce('PUT', `/tags/${id}`, { name: 'Outro nome' })).status).toBe(200)
})

it('lanes can be edited only with access to the dashboard (R-PERM-10)', async () => {
  const lane = { name: 'Só de quem vê o painel', color: '#2563eb', kanban: 1 }
  const says = async (who: 'ana' | 'dulce', ...asked: [method: string, path: string, body?: object]) => {
    const { status, body } = await app.as(who)(...asked)
    return body?.error ?? status
  }
  expect(await says('ana', 'POST', '/tags', lane)).toBe('ERR_NO_PERMISSION')
  const { id } = (await app.as('dulce')('POST', '/tags', lane)).body
  const { id: label } = (await app.as('ana')('POST', '/tags', { ...lane, kanban: 0 })).body
  expect(await says('ana', 'PUT', `/tags/${id}`, { name: 'Outra coluna' })).toBe('ERR_NO_PERMISSION')
  expect(await says('ana', 'PUT', `/tags/${label}`, { kanban: 1 })).toBe('ERR_NO_PERMISSION')
  expect(await says('dulce', 'PUT', `/tags/${id}`, { name: 'Outra coluna' })).toBe(200)
  expect(await says('ana', 'DELETE', `/tags/${id}`)).toBe('ERR_NO_PERMISSION')
  expect(await says('dulce', 'DELETE', `/tags/${id}`)).toBe(204)
})

it('a lane leads to other lanes, not to itself or to a label (A-LANE-01)', async () => {
  const { tags } = app.company
  const blank = { color: '#2563eb', kanban: 1, timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
  const dulce = app.as('dulce')
  const { id } = (await dulce('POST', '/tags', { ...blank, name: 'Proposta' })).body
  for (const field of ['nextLaneId', 'rollbackLaneId']) {
    const own = await dulce('PUT', `/tags/${id}`, { [field]: id })
    expect([own.status, own.body]).toMatchObject([400, { error: 'ERR_OWN_LANE', field }])
    const label = await dulce('PUT', `/tags/${id}`, { [field]: tags.vip })
    expect([label.status, label.body]).toMatchObject([404, { error: 'ERR_NO_TAG_FOUND', field }])
  }
  const said = { timeLane: 48, nextLaneId: tags.pista, rollbackLaneId: tags.pista, greetingMessageLane: 'Ainda tem interesse?' }
  expect((await dulce('PUT', `/tags/${id}`, said)).body).toMatchObject(said)
  const between = (await dulce('POST', '/tags', { ...blank, name: 'Lembrete', timeLane: 1, nextLaneId: id })).body.id
  const ring = await dulce('PUT', `/tags/${tags.pista}`, { timeLane: 1, nextLaneId: between })
  expect([ring.status, ring.body]).toMatchObject([200, { timeLane: 1, nextLaneId: between }]) // each of the three has its own time limit
})

it('a board shows a thousand tickets and says if there are more (A-LANE-03)', async () => {
  const { contacts, connections, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.loja, queueId: queues.vendas, status: 'pending' }
  const { id } = (await app.as('admin')('POST', '/tickets', asked)).body
  await app.ctx.pool.query(
    `insert into ticket select (jsonb_populate_record(t, jsonb_build_object('id', 1000000 + n, 'uuid', gen_random_uuid()))).*
      from ticket t, generate_series(1, 1000) n where t.id = $1`,
    [id],
  )
  const page = async (n: number) => (await app.as('admin')('GET', `/ticket/kanban?pageNumber=${n}`)).body
  const [first, second] = [await page(1), await page(2)]
  expect([first.tickets.length, first.hasMore, second.tickets.map((row: { id: number }) => row.id), second.hasMore]).toEqual([
    ...[1000, true, [id], false],
  ])
  const counts = async (query = '') => (await app.as('admin')('GET', `/ticket/kanban/counts${query}`)).body.lanes
  const none = (lanes: { laneId: number | null }[]) => lanes.find(({ laneId }) => laneId === null)
  expect(none(await counts())).toEqual({ laneId: null, count: 1001, worth: 0 }) // also if there are more than shown
  await app.db.updateTable('ticket').set({ amount: 2.5, createdAt: '2020-01-02T12:00:00Z' }).where('id', '=', 1_000_001).execute()
  expect(await counts('?startDate=2020-01-01&endDate=2020-01-03')).toEqual([{ laneId: null, count: 1, worth: 2.5 }])
  const gone = (await app.as('dulce')('POST', '/tags', { name: 'Passageira', color: '#2563eb', kanban: 1 })).body.id
  await app.db.updateTable('ticket').set({ laneId: gone }).where('id', '=', 1_000_001).execute()
  expect((await app.as('dulce')('DELETE', `/tags/${gone}`)).status).toBe(204)
  expect(await counts('?startDate=2020-01-01&endDate=2020-01-03')).toEqual([{ laneId: null, count: 1, worth: 2.5 }]) // as shown
  await app.db.deleteFrom('ticket').where('id', '>', 1_000_000).execute()
})

it('a board shows waiting and served tickets, and no plain groups (A-LANE-03)', async () => {
  const { contacts, connections, queues } = app.company
  const asked = { contactId: contacts.joao, whatsappId: connections.loja, queueId: queues.vendas, status: 'pending' }
  const { id } = (await app.as('admin')('POST', '/tickets', asked)).body
  const put = (to: { status: 'pending' | 'open' | 'group'; isGroup: boolean }) =>
    app.db.updateTable('ticket').set(to).where('id', '=', id).execute()
  const shown = async (status: 'pending' | 'open' | 'group') => {
    await put({ status, isGroup: true })
    const admin = app.as('admin')
    const [{ body: board }, { body: counts }] = [await admin('GET', '/ticket/kanban'), await admin('GET', '/ticket/kanban/counts')]
    const counted = (counts.lanes as { count: number }[]).reduce((sum, { count }) => sum + count, 0)
    return [board.tickets.some((row: { id: number }) => row.id === id), counted]
  }
  const [, others] = await shown('group')
  expect([await shown('pending'), await shown('open'), await shown('group')]).toEqual([
    ...[
      [true, Number(others) + 1],
      [true, Number(others) + 1],
      [false, others],
    ], // a group that is treated as a ticket
  ])
  await put({ status: 'pending', isGroup: false })
})

import { sql } from 'kysely'
import * as Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crud } from '#app/http/crud.ts'
import { rowsIn } from '#app/http/relations.ts'
import { calls } from '#app/module.ts'
import { signedIn } from '#domain/access.ts'
import { Id, Name, RelatedIds, resource, Text } from '#domain/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A separate list, so that the test does not depend on the real lists. */
const shelf = resource('/shelves', {
  list: 'shelves',
  table: 'shelf',
  one: 'a shelf',
  missing: 'ERR_NOT_FOUND',
  fields: {
    name: Name(50),
    words: Type.Array(Text(20, 1), { maxItems: 3, default: [] }),
    queueIds: RelatedIds(20),
  },
  readOnly: { queues: Type.Array(Type.Object({ id: Id, name: Type.String(), color: Type.String() })) },
  related: {
    queueIds: {
      ...{ table: 'queue', missing: 'ERR_NO_QUEUE_FOUND', among: { retiredAt: null } },
      ...{ through: 'shelfQueue', mine: 'shelfId', theirs: 'queueId', as: 'queues', columns: ['name', 'color'] },
    },
  },
  search: ['name'],
  read: signedIn,
  write: signedIn,
})
const area = {
  calls: [calls('shelves', shelf.calls, ({ db }) => crud(db, shelf))],
  topics: ({ db }: any) => [
    { topic: shelf.topic, load: (companyId: number, ids: number[]) => rowsIn(db, shelf, companyId).where('id', 'in', ids).execute() },
  ],
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ areas: [area] })
  await sql`
    create table shelf (
      id integer generated always as identity primary key, company_id integer not null, name text not null,
      words jsonb not null default '[]', version integer not null default 1
    )`.execute(app.db)
  await sql`
    create table shelf_queue (company_id integer not null, shelf_id integer not null, queue_id integer not null, primary key (shelf_id, queue_id))
  `.execute(app.db)
  await sql`create trigger live_update after update on shelf referencing new table as changed for each statement execute function notify_change('shelf')`.execute(
    app.db,
  )
})
afterAll(() => app?.stop())

const ask = (method: string, path: string, body?: object) => app.as('ana')(method, path, body)
const pairs = async () => (await sql<{ n: number }>`select count(*)::int as n from shelf_queue`.execute(app.db)).rows[0]!.n
const made = async (body: object) => (await ask('POST', '/shelves', { name: 'Estante', ...body })).body

describe('the relations of a row', () => {
  it('are saved and shown with it, changed under its version, and removed with it', async () => {
    const { vendas, suporte } = app.company.queues
    const first = await ask('POST', '/shelves', { name: 'Estante', words: ['a', 'b'], queueIds: [suporte, vendas] })
    expect(first.body).toMatchObject({
      words: ['a', 'b'],
      queueIds: [vendas, suporte].toSorted((a, b) => a - b),
      queues: [{ name: 'Vendas' }, { name: 'Suporte' }],
      version: 1,
    })
    const { id } = first.body
    const second = await ask('PUT', `/shelves/${id}`, { queueIds: [suporte], version: 1 })
    expect(second.body).toMatchObject({ name: 'Estante', words: ['a', 'b'], queueIds: [suporte], version: 2 })
    const late = await ask('PUT', `/shelves/${id}`, { queueIds: [vendas], version: 1 })
    expect([late.status, late.body.error]).toEqual([409, 'ERR_ROW_CHANGED'])
    expect((await ask('PUT', `/shelves/${id}`, { name: 'Outra' })).body).toMatchObject({ queueIds: [suporte], version: 3 })
    expect((await ask('GET', '/shelves')).body.shelves[0]).toMatchObject({ id, name: 'Outra', queues: [{ id: suporte }] })
    expect((await ask('PUT', `/shelves/${id}`, { ...second.body, name: 'De volta', version: 3 })).body).toMatchObject({ name: 'De volta' })
    expect((await ask('DELETE', `/shelves/${id}`)).status).toBe(204)
    expect(await pairs()).toBe(0)
  })

  it('are updated live on open pages', async () => {
    const { vendas } = app.company.queues
    const line = await app.socket('bruno')
    const { id } = await made({})
    await ask('PUT', `/shelves/${id}`, { queueIds: [vendas] })
    await expect
      .poll(() => line.frames.filter(({ channel }: any) => channel.endsWith('-shelf')).at(-1))
      .toMatchObject({
        record: { id, queues: [{ id: vendas, name: 'Vendas' }] },
      })
  })

  it('are shown by name in the audit, before and after', async () => {
    const { vendas, suporte } = app.company.queues
    const { id } = await made({ queueIds: [vendas] })
    await ask('PUT', `/shelves/${id}`, { queueIds: [suporte] })
    const { changes } = (await app.as('dulce')('GET', `/audit?list=shelf&rowId=${id}`)).body
    expect(changes[0]).toMatchObject({ act: 'changed', before: { queues: [{ name: 'Vendas' }] }, after: { queues: [{ name: 'Suporte' }] } })
    expect(Object.keys(changes[0].after)).toEqual(['queues'])
  })

  it.each([
    ['unknown', () => 2_000_000],
    ['of another company', () => app.company.queues.deles],
  ])('are refused if one is %s, and nothing of the row is saved', async (_, other) => {
    const { id } = await made({ words: ['a'] })
    const before = (await ask('GET', '/shelves')).body
    for (const [method, path] of [
      ['POST', '/shelves'],
      ['PUT', `/shelves/${id}`],
    ] as const) {
      const no = await ask(method, path, { name: 'Nova', queueIds: [app.company.queues.vendas, other()] })
      expect([no.status, no.body.error, no.body.field]).toEqual([404, 'ERR_NO_QUEUE_FOUND', 'queueIds'])
    }
    expect((await ask('GET', '/shelves')).body).toEqual(before)
  })

  it('cannot point to a retired row', async () => {
    const { body: queue } = await app.as('admin')('POST', '/queue', { name: 'Breve', color: '#0b0c0d' })
    await app.as('admin')('DELETE', `/queue/${queue.id}`)
    expect((await ask('POST', '/shelves', { name: 'Nova', queueIds: [queue.id] })).body.error).toBe('ERR_NO_QUEUE_FOUND')
  })

  it.each([
    ['the same twice', { queueIds: [1, 1] }],
    ['too many', { queueIds: Array.from({ length: 21 }, (_, i) => i + 1) }],
    ['an invalid id', { queueIds: ['x'] }],
    ['a text in place of a list', { words: 'abc' }],
    ['too many words', { words: ['a', 'b', 'c', 'd'] }],
    ['an empty word', { words: [''] }],
  ])('refuse %s', async (_, body) => {
    expect((await ask('POST', '/shelves', { name: 'Nova', ...body })).status).toBe(400)
  })

  it('stay one set after two concurrent edits', async () => {
    const { vendas, suporte } = app.company.queues
    const { id } = await made({})
    const both = await Promise.all([vendas, suporte].map((one) => ask('PUT', `/shelves/${id}`, { queueIds: [one] })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await ask('GET', `/shelves/${id}`)).body).toMatchObject({ version: 3, queueIds: [expect.any(Number)] })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const of = {
  tag: { path: () => `/tags/${app.company.tags.vip}`, table: 'tag', edits: [{ name: 'Um nome' }, { color: '#0a0b0c' }] },
  queue: { path: () => `/queue/${app.company.queues.suporte}`, table: 'queue', edits: [{ name: 'Uma fila' }, { greetingMessage: 'Oi' }] },
  'quick reply': {
    ...{ path: () => `/quick-messages/${app.company.replies.shared}`, table: 'quickMessage' },
    edits: [{ message: 'Um texto' }, { message: 'Outro texto' }],
  },
  contact: {
    path: () => `/contacts/${app.company.contacts.joao}`,
    table: 'contact',
    edits: [{ name: 'Um João' }, { email: 'j@x.test' }],
  },
} as const
const ask = (who: Person) => app.as(who)

describe.each(Object.entries(of))('a %s', (_, { path, table, edits }) => {
  it('refuses an edit of an outdated version and accepts one of the current version', async () => {
    const { body: read } = await ask('admin')('GET', path())
    const first = await ask('ana')('PUT', path(), { ...edits[0], version: read.version }).then((answer) =>
      answer.status === 403 ? ask('admin')('PUT', path(), { ...edits[0], version: read.version }) : answer,
    )
    expect([first.status, first.body.version]).toEqual([200, read.version + 1])
    const late = await ask('admin')('PUT', path(), { ...edits[1], version: read.version })
    expect([late.status, late.body.error, late.body.version]).toEqual([409, 'ERR_ROW_CHANGED', read.version + 1])
    expect(await ask('admin')('GET', path()).then(({ body }) => body)).toEqual({ ...first.body })
    const again = await ask('admin')('PUT', path(), { ...edits[1], version: first.body.version })
    expect(again.body).toMatchObject({ ...edits[1], version: read.version + 2 })
    expect((await ask('admin')('PUT', path(), { ...edits[0] })).body.version).toBe(read.version + 3) // an edit without a version is not checked
  })

  it('accepts one of two concurrent edits', async () => {
    const { version } = (await ask('admin')('GET', path())).body
    const both = await Promise.all(edits.map((edit) => ask('admin')('PUT', path(), { ...edit, version })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('records who changed what', async () => {
    const { changes } = (await ask('dulce')('GET', `/audit?list=${table}&rowId=${path().split('/').at(-1)}`)).body
    expect(changes.length).toBeGreaterThanOrEqual(2) // an edit without changes left no record
    expect(changes.at(-2)).toMatchObject({ user: { name: 'admin' }, act: 'changed' })
    expect(Object.keys(changes.at(-2).after)).toEqual(Object.keys(edits[1]))
    if (table !== 'contact') expect(changes.at(-2).after).toEqual(edits[1])
  })
})

describe('the audit', () => {
  it('records a change of a contact without personal data', async () => {
    await ask('admin')('POST', '/contacts', { name: 'Pessoa Secreta', number: '5511955554444', email: 'secreta@x.test' })
    const rows = await app.db.selectFrom('audit').selectAll().where('list', '=', 'contact').execute()
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toMatch(/Secreta|secreta|55554444|João|j@x/)
    expect(rows.at(-1)!.after).toMatchObject({ name: '•••', number: '•••' })
  })
  it('records the tags of a contact before and after', async () => {
    const { contacts, tags } = app.company
    const { name } = (await ask('ana')('GET', `/tags/${tags.vip}`)).body
    await ask('ana')('PUT', `/contacts/${contacts.joao}/tags`, { added: [tags.vip], taken: [] })
    await ask('ana')('DELETE', `/tags-contacts/${tags.vip}/${contacts.joao}`)
    const { changes } = (await ask('dulce')('GET', `/audit?list=contact&rowId=${contacts.joao}`)).body
    expect(changes.slice(0, 2).map(({ user, before, after }: any) => [user.name, before.tags, after.tags])).toEqual([
      ['ana', [name], []],
      ['ana', [], [name]],
    ])
  })
  it('records creation and removal, also of a retired queue, and nothing for other companies', async () => {
    const { body: tag } = await ask('ana')('POST', '/tags', { name: 'Passageira', color: '#010203' })
    await ask('ana')('DELETE', `/tags/${tag.id}`)
    const { body: queue } = await ask('admin')('POST', '/queue', { name: 'Breve', color: '#040506' })
    await ask('admin')('DELETE', `/queue/${queue.id}`)
    const told = async (who: Person, list: string, id: number) =>
      (await ask(who)('GET', `/audit?list=${list}&rowId=${id}`)).body.changes.map(({ act, before }: any) => [act, before?.name ?? null])
    expect(await told('admin', 'tag', tag.id)).toEqual([
      ['removed', 'Passageira'],
      ['created', null],
    ])
    expect(await told('admin', 'queue', queue.id)).toEqual([
      ['removed', 'Breve'],
      ['created', null],
    ])
    expect(await told('root', 'tag', tag.id)).toEqual([])
  })
  it('can be filtered by user and by days in the company’s time zone', async () => {
    const { id: companyId } = await app.db
      .selectFrom('company')
      .innerJoin('user', 'user.companyId', 'company.id')
      .select('company.id')
      .where('user.name', '=', 'dulce')
      .executeTakeFirstOrThrow()
    const people = await app.db.selectFrom('user').select(['id', 'name']).where('companyId', '=', companyId).execute()
    const [ana, bruno] = ['ana', 'bruno'].map((who) => people.find(({ name }) => name === who)!.id) as [number, number]
    const change = { companyId, list: 'queue', rowId: app.company.queues.suporte, act: 'changed' as const, before: '{}', after: '{}' }
    await app.db
      .insertInto('audit')
      .values({ ...change, userId: bruno, at: '2020-03-05T01:30:00Z' })
      .execute() // the evening before in São Paulo
    const found = async (query: string) => (await ask('dulce')('GET', `/audit?${query}`)).body.changes.map(({ user }: any) => user.name)
    expect(await found(`userId=${bruno}`)).toEqual(['bruno'])
    expect(await found(`userId=${bruno}&from=2020-03-04&to=2020-03-04`)).toEqual(['bruno'])
    expect(await found(`userId=${bruno}&from=2020-03-05`)).toEqual([])
    expect(await found(`userId=${bruno}&to=2020-03-03`)).toEqual([])
    expect(new Set(await found(`userId=${ana}`))).toEqual(new Set(['ana']))
  })
  it('shows the current or last name of its row and of referenced rows', async () => {
    const lane = async (name: string, more = {}) =>
      (await ask('dulce')('POST', '/tags', { name, color: '#010203', kanban: 1, ...more })).body.id
    const next = await lane('Segunda raia')
    const first = await lane('Primeira raia', { nextLaneId: next })
    await ask('admin')('PUT', `/tags/${first}`, { name: 'Raia nova' })
    const told = async (id: number) => (await ask('dulce')('GET', `/audit?list=tag&rowId=${id}`)).body.changes
    const [changed, created] = await told(first)
    expect([changed.name, changed.stands, created.name]).toEqual(['Raia nova', true, 'Raia nova'])
    expect(created.after.nextLaneId).toEqual({ id: next, name: 'Segunda raia' })
    await ask('admin')('DELETE', `/tags/${first}`)
    expect((await told(first)).map(({ name, stands }: any) => [name, stands])).toEqual(Array(3).fill(['Raia nova', false]))
    const { joao } = app.company.contacts
    const [contact] = (await ask('dulce')('GET', `/audit?list=contact&rowId=${joao}`)).body.changes
    expect(contact.name).toBe((await ask('admin')('GET', `/contacts/${joao}`)).body.name)
  })
  it('records nothing for a refused edit', async () => {
    const before = await app.db.selectFrom('audit').select('id').execute()
    const { color } = (await ask('admin')('GET', `/queue/${app.company.queues.vendas}`)).body
    expect((await ask('admin')('POST', '/queue', { name: 'Mesma cor', color })).status).toBe(409)
    expect((await ask('admin')('PUT', `/tags/${app.company.tags.deles}`, { name: 'Roubada' })).status).toBe(404)
    expect((await app.db.selectFrom('audit').select('id').execute()).length).toBe(before.length)
  })
})

it('the hours of a company are not overwritten by an outdated edit', async () => {
  const { casa: id } = app.company.companies
  const path = `/companies/${id}/schedules`
  const { schedules, version } = (await ask('admin')('GET', path)).body
  const shut = schedules.map((day: object) => ({ ...day, startTimeA: '', endTimeA: '', startTimeB: '', endTimeB: '' }))
  const first = await ask('admin')('PUT', path, { schedules: shut, version })
  expect([first.status, first.body.version]).toEqual([200, version + 1])
  const late = await ask('admin')('PUT', path, { schedules, version })
  expect([late.status, late.body]).toMatchObject([409, { error: 'ERR_ROW_CHANGED', version: version + 1 }])
  expect((await ask('admin')('PUT', path, { schedules, version: version + 1 })).status).toBe(200)
})
it('a company’s holidays are in the audit under its name', async () => {
  const { casa: id } = app.company.companies
  const set = await ask('admin')('PUT', `/companies/${id}/holidays`, { added: [{ date: '2026-12-25', name: 'Natal' }], taken: [] })
  expect(set.status).toBe(200)
  const { body } = await ask('admin')('GET', '/audit?list=company')
  expect(body.changes[0]).toMatchObject({ rowId: id, name: expect.stringMatching(/./), stands: true, before: { holidays: [] } })
})
it('a change of business hours reschedules deadlines of waiting tickets (A-BOT-09, A-ROT-01)', async () => {
  const { companies, contacts, connections, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas, status: 'pending' }
  const { id } = (await ask('admin')('POST', '/tickets', asked)).body
  const dueAt = '2099-01-01T00:00:00.000Z'
  const { schedules } = (await ask('admin')('GET', `/companies/${companies.casa}/schedules`)).body
  const late = JSON.stringify(
    schedules.map((day: object) => ({ ...day, startTimeA: '03:00', endTimeA: '04:00', startTimeB: '', endTimeB: '' })),
  )
  const hours = (table: 'company' | 'queue' | 'connection', of: number) => () =>
    app.db.updateTable(table).set({ schedules: late }).where('id', '=', of).execute()
  const holiday = { date: '2026-12-26', name: 'Feriado' }
  const holidays = (body: object) => () => ask('admin')('PUT', `/companies/${companies.casa}/holidays`, body)
  for (const changes of [
    hours('company', companies.casa),
    hours('queue', queues.vendas),
    hours('connection', connections.balcao),
    holidays({ added: [holiday], taken: [] }),
    holidays({ added: [], taken: [holiday.date] }),
    () => ask('admin')('PUT', '/settings/scheduleType', { value: 'company' }),
  ]) {
    for (const kind of ['inactivity', 'rotation'])
      await app.db
        .insertInto('deadline')
        .values({ companyId: companies.casa, aggregateId: id, kind, dueAt })
        .onConflict((row) => row.columns(['aggregateId', 'kind']).doUpdateSet({ dueAt }))
        .execute()
    const answer = await changes()
    if ('status' in answer) expect(answer.status).toBe(200)
    const far = app.db.selectFrom('deadline').select('kind').where('aggregateId', '=', id).where('dueAt', '=', dueAt)
    expect(await far.execute(), changes.toString()).toEqual([])
  }
  await app.set('scheduleType', 'disabled')
})

it('a disabled quick reply stays in its list but is not offered in the composer', async () => {
  const { id } = (await ask('ana')('POST', '/quick-messages', { shortcode: 'feriado', message: 'Hoje não abrimos.' })).body
  const lists = async () => [
    (await ask('ana')('GET', '/quick-messages?searchParam=feriado')).body.records.length,
    (await ask('ana')('GET', '/quick-messages/list')).body.filter((one: { id: number }) => one.id === id).length,
  ]
  expect(await lists()).toEqual([1, 1])
  expect((await ask('ana')('PUT', `/quick-messages/${id}`, { status: false })).body.status).toBe(false)
  expect(await lists()).toEqual([1, 0])
  await ask('ana')('PUT', `/quick-messages/${id}`, { status: true })
  expect(await lists()).toEqual([1, 1])
})

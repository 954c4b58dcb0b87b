import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Viewer } from '#domain/access.ts'
import { contactPage } from '#projections/contact/read.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { contactAddressOf, contactViewOf, everyContact } from '#web/contact/address.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
/** The true times of the messages, because the end of the test recounts the events. */
const trueTimes = new Map<number, string>()
afterAll(async () => {
  for (const [id, createdAt] of trueTimes) await app.db.updateTable('message').set({ createdAt }).where('id', '=', id).execute()
  await app.stop()
})

const admin = (method: string, path: string, body?: object) => app.as('admin')(method, path, body)
const found = async (query: string) =>
  (await admin('GET', `/contacts?searchParam=filtrad&${query}`)).body.contacts.map(({ name }: { name: string }) => name).toSorted()
/** A contact with a ticket whose last message was at a moment. */
async function talked(name: string, number: string, at: string | null): Promise<number> {
  const { body } = await admin('POST', '/contacts', { name: `Filtrada ${name}`, number })
  if (at === null) return body.id
  const { body: ticket } = await admin('POST', '/tickets', { contactId: body.id, queueId: app.company.queues.vendas })
  expect((await admin('POST', `/messages/${ticket.id}`, { body: 'Bom dia' })).status).toBe(200)
  await app.settled()
  const said = await app.db.selectFrom('message').select(['id', 'createdAt']).where('ticketId', '=', ticket.id).execute()
  for (const { id, createdAt } of said) trueTimes.set(id, createdAt)
  await app.db.updateTable('message').set({ createdAt: at }).where('ticketId', '=', ticket.id).execute()
  expect((await admin('PUT', `/tickets/${ticket.id}`, { status: 'closed', userId: null })).status).toBe(200)
  return body.id
}

describe('the contact list', () => {
  it("is filtered by the day of the last message, in the company's zone", async () => {
    await talked('Velha', '5511985400001', '2026-03-02T02:59:59Z') // 1 March in São Paulo
    await talked('Nova', '5511985400002', '2026-03-02T03:00:00Z')
    await talked('Nunca', '5511985400003', null)
    expect(await found('lastTo=2026-03-01')).toEqual(['Filtrada Velha'])
    expect(await found('lastFrom=2026-03-02')).toEqual(['Filtrada Nova'])
    expect(await found('lastFrom=2026-03-01&lastTo=2026-03-02')).toEqual(['Filtrada Nova', 'Filtrada Velha'])
    expect(await found('neverContacted=true')).toEqual(['Filtrada Nunca'])
    expect(await found('neverContacted=false')).toEqual(['Filtrada Nova', 'Filtrada Velha'])
    expect((await admin('GET', '/contacts?lastFrom=ontem')).body.error).toBe('ERR_INVALID_INPUT')
  })
  it('counts the messages of merged contacts as those of their target (A-MERGE-01)', async () => {
    const source = await talked('Fonte', '5511985400011', '2026-05-05T12:00:00Z')
    const target = await talked('Alvo', '5511985400012', null)
    expect((await admin('POST', `/contacts/${source}/merge`, { targetId: target })).status).toBe(200)
    expect(await found('lastFrom=2026-05-05&lastTo=2026-05-05')).toEqual(['Filtrada Alvo'])
  })
  it('is filtered by tag, channel, group and block, also together and in the export', async () => {
    const { body: tag } = await admin('POST', '/tags', { name: 'Filtro', color: '#112233' })
    const [vip, blocked] = [await talked('Com Tag', '5511985400021', null), await talked('Bloqueada', '5511985400022', null)]
    await admin('PUT', `/contacts/${vip}/tags`, { added: [tag.id], taken: [] })
    await admin('PUT', `/contacts/block/${blocked}`, { active: false })
    const insta = { channel: 'instagram', number: 'ig-1', numberKey: 'ig-1' }
    const id = await talked('Instagram', '5511985400023', null)
    await app.db.updateTable('contact').set(insta).where('id', '=', id).execute()
    expect(await found(`contactTag=[${tag.id}]`)).toEqual(['Filtrada Com Tag'])
    expect(await found('active=false')).toEqual(['Filtrada Bloqueada'])
    expect(await found('channel=instagram')).toEqual(['Filtrada Instagram'])
    expect(await found('isGroup=true')).toEqual([])
    expect(await found(`contactTag=[${tag.id}]&active=false`)).toEqual([])
    const headers = { authorization: `Bearer ${await app.tokenOf('admin')}` }
    const file = await fetch(`${app.url}/api/contacts/export/csv?neverContacted=true&active=false&searchParam=filtrad`, { headers })
    expect((await file.text()).trim().split('\r\n').length).toBe(2)
  })
  it('reads a page and a search among 30,000 contacts by an index', async () => {
    const { casa } = app.company.companies
    await sql`insert into contact (company_id, name, number, number_key, channel, extra_info)
      select ${casa}, 'Pessoa ' || md5(n::text), (5511900000000 + n)::text, (551100000000 + n)::text, 'whatsapp', '[]'
      from generate_series(1, 30000) n`.execute(app.db)
    await sql`vacuum analyze contact`.execute(app.db)
    const viewer = { companyId: casa, companyLanguage: 'pt-BR', masked: false, timeZone: 'America/Sao_Paulo', phoneCountry: 'BR' } as Viewer
    const plan = async (searchParam: string) =>
      JSON.stringify(await contactPage(app.db, viewer, { searchParam, tagIds: [] }).explain('json'))
    const list = await plan('')
    expect(list).toContain('contact_by_name_order')
    expect(list).not.toMatch(/"Sort Key":\["[^"]*name/)
    for (const [search, index] of [
      ['c4ca4238', 'contact_search'],
      ['pessoa c4ca4238', 'contact_search'],
      ['5511900012345', 'contact_number_search'],
    ])
      expect(await plan(search!)).toContain(index)
  })
})

it('the address holds the filters, and an unknown value counts as absent', () => {
  const view = { tagId: 7, kind: 'Blocked', channel: 'instagram', last: 'period', from: '2026-01-02', to: undefined } as const
  const address = new URLSearchParams(contactAddressOf(view, 'ana'))
  expect(address.toString()).toBe('q=ana&tag=7&kind=blocked&channel=instagram&last=period&from=2026-01-02')
  expect(contactViewOf(address)).toEqual(view)
  expect(contactViewOf(new URLSearchParams('tag=x&kind=y&channel=z&last=w&from=amanhã'))).toEqual(everyContact)
})

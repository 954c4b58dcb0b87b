import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchable } from '#domain/text/rules.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Names that look equal to a reader are equal. A name without visible characters is refused. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const says = ({ status, body }: { status: number; body: any }) => [status, body?.error]
const post = (path: string, body: object, who: Person = 'admin') => app.as(who)('POST', path, body)
const taken = [409, 'ERR_DUPLICATED_NAME']

it('TypeScript folds letters as the database does', async () => {
  const letters = [...'ıİIiĞğŞşÇçÖöÜüÁáÂâÃãÀàÉéÊêÍíÓóÔôÕõÚúÑñÅåØøŁłĐđßÆæŒœ']
  const { rows } = await sql<{
    letter: string
    plain: string
  }>`select letter, plain(letter) from unnest(${letters}::text[]) letter`.execute(app.db)
  expect(rows.map(({ letter }) => [letter, searchable(letter)])).toEqual(rows.map(({ letter, plain }) => [letter, plain]))
  expect(rows).toHaveLength(letters.length)
})

describe('a queue name', () => {
  it('is unique without regard to case, accents and blanks', async () => {
    expect((await post('/queue', { name: '  Pós-venda   Técnica ', color: '#101010' })).body).toMatchObject({ name: 'Pós-venda   Técnica' })
    for (const name of ['pos-venda tecnica', 'PÓS-VENDA TÉCNICA', ' Pós-Venda  técnica'])
      expect({ name, says: says(await post('/queue', { name, color: '#202020' })) }).toEqual({ name, says: taken })
    const { id } = (await post('/queue', { name: 'Cobranças', color: '#303030' })).body
    expect(says(await app.as('admin')('PUT', `/queue/${id}`, { name: 'Pos-venda tecnica', color: '#303030' }))).toEqual(taken)
    expect((await app.as('admin')('PUT', `/queue/${id}`, { name: 'cobrancas', color: '#303030' })).status).toBe(200)
  })
  it('may equal one of another company', async () =>
    expect((await post('/queue', { name: 'Vendas', color: '#404040' }, 'root')).status).toBe(200))
  it.each(['  ', ' a ', '\t\n', '\u00a0\u00a0\u00a0'])('is refused as %j', async (name) =>
    expect(says(await post('/queue', { name, color: '#505050' }))).toEqual([400, 'ERR_INVALID_INPUT']),
  )
})

describe('a tag', () => {
  it('has a unique name among tags, and a lane among lanes', async () => {
    const label = (name: string, kanban = 0) => post('/tags', { name, color: '#111111', kanban }, kanban === 1 ? 'dulce' : 'ana')
    expect((await label(' Urgência ')).body.name).toBe('Urgência')
    expect(says(await label('URGENCIA'))).toEqual(taken)
    expect((await label('Urgencia', 1)).status).toBe(200)
    expect(says(await label('   '))).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('has a name of at least three letters (R-TAG-01)', async () => {
    for (const name of ['ab', ' ab ', '', undefined])
      expect(says(await post('/tags', { ...(name !== undefined && { name }), color: '#131313' }))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect((await post('/tags', { name: 'abc', color: '#131313' })).status).toBe(200)
  })
  it('is listed alone by its id within its own company', async () => {
    const { id } = (await app.as('admin')('POST', '/tags', { name: 'Sozinha', color: '#123456' })).body
    expect((await app.as('ana')('GET', `/tags?tagId=${id}`)).body).toMatchObject({ tags: { length: 1, 0: { id } }, hasMore: false })
    expect((await app.as('rita')('GET', `/tags?tagId=${id}`)).body.tags).toEqual([])
  })
  it('is deleted only by its creator or an admin', async () => {
    const make = async (name: string) => (await post('/tags', { name, color: '#222222' }, 'ana')).body
    const [own, other] = [await make('Da Ana 1'), await make('Da Ana 2')]
    expect(own.userId).toBe(app.company.users.ana)
    const remove = (who: Person, id: number) => app.as(who)('DELETE', `/tags/${id}`)
    expect(says(await remove('bruno', own.id))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await app.as('bruno')('GET', `/tags/${own.id}`)).status).toBe(200)
    expect((await remove('ana', own.id)).status).toBe(204)
    expect((await remove('admin', other.id)).status).toBe(204)
    expect(says(await remove('ana', app.company.tags.vip))).toEqual([403, 'ERR_NO_PERMISSION'])
  })
})

describe('a quick reply', () => {
  it('has one slash, typed or not', async () => {
    expect((await post('/quick-messages', { shortcode: '/bomdia', message: 'Bom dia!' }, 'ana')).body.shortcode).toBe('bomdia')
    expect(says(await post('/quick-messages', { shortcode: 'BOMDIA', message: 'x' }, 'ana'))).toEqual(taken)
    expect((await post('/quick-messages', { shortcode: ' //tchau', message: 'x' }, 'ana')).body.shortcode).toBe('tchau')
    for (const shortcode of ['/', ' / ', '  '])
      expect(says(await post('/quick-messages', { shortcode, message: 'x' }))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(says(await post('/quick-messages', { shortcode: 'vazio', message: '  \n ' }))).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('has a shortcode without blanks (R-QUICK-01)', async () => {
    const refused = [400, 'ERR_SHORTCODE_SPACES']
    for (const shortcode of ['/bom dia', 'bom\u00a0dia', ' / boa  noite '])
      expect(says(await post('/quick-messages', { shortcode, message: 'x' }, 'ana'))).toEqual(refused)
    const { id } = (await post('/quick-messages', { shortcode: ' uma ', message: 'x' }, 'ana')).body
    const change = (body: object) => app.as('ana')('PUT', `/quick-messages/${id}`, body)
    expect(says(await change({ shortcode: 'uma outra' }))).toEqual(refused)
    expect((await change({ shortcode: '/outra', message: 'y' })).body).toMatchObject({ shortcode: 'outra', message: 'y' })
  })
  it('has a shortcode that is unique per user and among shared replies', async () => {
    const make = (who: Person, geral: boolean) => post('/quick-messages', { shortcode: 'preço', message: 'x', geral }, who)
    expect((await make('ana', false)).status).toBe(200)
    expect((await make('bruno', true)).status).toBe(200)
    expect(says(await make('carla', true))).toEqual(taken)
    expect((await make('carla', false)).status).toBe(200)
  })
  it('is private, visible or shared, and has a shortcode (A-QUICK-01, R-QUICK-01, R-QUICK-02)', async () => {
    const { id } = (await post('/quick-messages', { shortcode: 'meu', message: 'x' }, 'ana')).body
    const is = (body: object) => app.as('ana')('PUT', `/quick-messages/${id}`, body)
    const bruno = async () => [
      (await app.as('bruno')('GET', `/quick-messages/${id}`)).status,
      (await app.as('bruno')('PUT', `/quick-messages/${id}`, { message: 'y' })).status,
    ]
    expect(await bruno()).toEqual([404, 404])
    await is({ visao: true })
    expect(await bruno()).toEqual([200, 403])
    await is({ visao: false, geral: true })
    expect(await bruno()).toEqual([200, 200])
    for (const shortcode of [undefined, '', 'x'.repeat(51)])
      expect(says(await post('/quick-messages', { ...(shortcode !== undefined && { shortcode }), message: 'x' }))[1]).toBe(
        'ERR_INVALID_INPUT',
      )
    expect((await post('/quick-messages', { shortcode: 'x'.repeat(50), message: 'x' })).status).toBe(200)
  })
})

it('the sandbox accepts a phone number as the app displays it', async () => {
  const said = { id: 'escrito-1', from: '+55 (11) 95555-1212', name: 'Zuleica', body: 'oi' }
  expect((await post(`/sandbox/${app.company.connections.balcao}/inbound`, said)).status).toBe(202)
  await app.settled()
  const { body } = await app.as('admin')('GET', '/contacts?searchParam=Zuleica')
  expect(body.contacts.map(({ number }: { number: string }) => number)).toEqual(['5511955551212'])
  const phone = encodeURIComponent('+55 (11) 95555-1212')
  expect((await app.as('admin')('GET', `/sandbox/${app.company.connections.balcao}/phone/${phone}`)).body).toHaveLength(1)
})

it.each(['Ven\u0007das', 'Ven\u202edas', '\u200b\u200b\u200b', '\u2066Vendas\u2069', 'Ven\tdas'])(
  'the name %j is refused everywhere',
  async (name) => {
    for (const [path, body] of [
      ['/queue', { name, color: '#515151' }],
      ['/tags', { name, color: '#515151' }],
      ['/quick-messages', { shortcode: name, message: 'x' }],
      ['/contacts', { name, number: '5511955550777' }],
    ] as const)
      expect({ path, says: says(await post(path, body)) }).toEqual({ path, says: [400, 'ERR_INVALID_INPUT'] })
  },
)

it('emoji and accents are allowed in names, and line breaks in replies', async () => {
  expect((await post('/tags', { name: 'Família 👨‍👩‍👧', color: '#525252' })).status).toBe(200)
  expect((await post('/quick-messages', { shortcode: 'linhas', message: 'Uma\nduas\te três' })).status).toBe(200)
})

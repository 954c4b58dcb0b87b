import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monitorConnections } from '#app/connection/outage.ts'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { eventually } from '#tests/support/wait.ts'
import { startWithMeta, type WithMeta } from './house.ts'

let at: WithMeta
let box: Mailbox
beforeAll(async () => {
  at = await startWithMeta()
  box = await openMailbox()
  const values = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@exemplo.test' }
  await at.house.db
    .insertInto('platformSetting')
    .values(Object.entries(values).map(([key, value]) => ({ key, value })))
    .execute()
  at.meta.page.account('2001', 'Loja na página')
  at.meta.instagram.account('3001', 'loja.insta', '2001')
  at.meta.page.account('2002', 'Outra página')
})
afterAll(async () => {
  await at?.stop()
  await box?.close()
})

/** Goes through the login dialog as a browser does. */
async function letIn(): Promise<{ code: string; state: string; to: URL }> {
  const { status, body } = await at.admin('POST', '/facebook/login')
  expect(status).toBe(200)
  const answer = await fetch(body.url, { redirect: 'manual' })
  const to = new URL(answer.headers.get('location')!)
  return { code: to.searchParams.get('code')!, state: to.searchParams.get('state')!, to }
}
const pages = (body: object) => at.admin('POST', '/facebook/pages', body)
const connect = (body: object) => at.admin('POST', '/facebook', body)
const rows = async () =>
  (await at.admin('GET', '/whatsapp')).body.filter(({ provider }: { provider: string }) => provider === 'graph') as any[]

describe('an admin with Meta’s login', () => {
  it('chooses among pages and Instagram accounts, and connects only those', async () => {
    const { code, state, to } = await letIn()
    expect(to.href.startsWith('http://127.0.0.1:1/connections?')).toBe(true)
    const found = await pages({ code, state })
    expect(found.body.accounts).toEqual([
      { product: 'page', accountId: '2001', businessId: null, name: 'Loja na página', connectionId: null, ended: false, taken: false },
      { product: 'instagram', accountId: '3001', businessId: '2001', name: 'loja.insta', connectionId: null, ended: false, taken: false },
      { product: 'page', accountId: '2002', businessId: null, name: 'Outra página', connectionId: null, ended: false, taken: false },
    ])
    expect(JSON.stringify(found.body)).not.toContain('EAA')
    const { login } = found.body
    expect((await connect({ login, accounts: ['2001', '3001'] })).body).toEqual({ created: 2, renewed: 0, taken: [], left: [] })
    expect((await rows()).map(({ name, channel, status }) => [name, channel, status])).toEqual([
      ['Loja na página', 'facebook', 'CONNECTED'],
      ['loja.insta', 'instagram', 'CONNECTED'],
    ])
    for (const { tokenExpiresAt } of await rows()) expect(Date.parse(tokenExpiresAt) - Date.now()).toBeGreaterThan(50 * 24 * at.hour)
  })
  it('can use a login once, as the same user, within minutes', async () => {
    const { code, state } = await letIn()
    expect((await at.house.as('root')('POST', '/facebook/pages', { code, state })).body.error).toBe('ERR_META_LOGIN')
    expect((await connect({ login: state })).body.error).toBe('ERR_META_LOGIN') // nobody has returned from the dialog yet
    expect((await pages({ code, state })).status).toBe(200)
    expect((await pages({ code, state })).body.error).toBe('ERR_META_LOGIN')
    expect((await at.house.as('root')('POST', '/facebook', { login: state })).body.error).toBe('ERR_META_LOGIN')
    await at.house.db
      .updateTable('metaLogin')
      .set({ expiresAt: new Date(0).toISOString() })
      .execute()
    expect((await connect({ login: state })).body.error).toBe('ERR_META_LOGIN')
    expect((await pages({ code: 'x', state: 'made-up' })).body.error).toBe('ERR_META_LOGIN')
  })
  it('gets a clear error for an unknown code or a missing login', async () => {
    const { state } = await letIn()
    const { body } = await pages({ code: 'made-up', state })
    expect([body.error, body.field]).toEqual(['ERR_CHANNEL_ACCOUNT', undefined]) // the user filled in no field
    expect((await connect({})).body).toMatchObject({ error: 'ERR_INVALID_INPUT', field: 'facebookUserToken' })
  })
  it('sees pages that are connected already, also by another company, which keeps them', async () => {
    const [{ id }] = await rows()
    const other = at.house.company.connections.deles
    const theirs = { product: 'page', accountId: '2002', businessId: null, token: 't', appSecret: null, verifyToken: null } as const
    const account = { connectionId: other, companyId: at.house.company.companies.vizinha, tokenExpiresAt: null, ...theirs }
    await at.house.ctx.meta.set(at.house.db, account)
    const { body } = await pages(await letIn().then(({ code, state }) => ({ code, state })))
    expect(body.accounts.map(({ connectionId, taken }: any) => [connectionId, taken])).toEqual([
      [id, false],
      [expect.any(Number), false],
      [null, true],
    ])
    expect((await connect({ login: body.login, accounts: ['2002'] })).body.error).toBe('ERR_CHANNEL_TAKEN')
    const audit = at.house.db.selectFrom('audit').select(['act', 'rowId', 'after']).orderBy('id', 'desc').limit(1)
    const both = await connect({ login: body.login, accounts: ['2001', '2002'] })
    expect(both.body).toEqual({ created: 0, renewed: 1, taken: ['Outra página'], left: [] })
    expect(await audit.executeTakeFirst()).toMatchObject({ act: 'changed', rowId: id, after: { account: { accountId: '2001' } } })
    expect(at.meta.world.calls.filter(({ path }) => path === '2002/subscribed_apps')).toEqual([])
  })
})

describe('an admin who connects all accounts', () => {
  it('gets the allowed ones, and connections ended by an admin stay ended', async () => {
    const [page] = await rows()
    await at.admin('DELETE', `/whatsappsession/${page.id}`)
    const all = () => connect({ facebookUserToken: at.meta.world.grant('user', []), addInstagram: true })
    const no = { on: '2001/subscribed_apps', method: 'POST', code: 200 }
    at.meta.page.account('2003', 'Terceira página')
    at.meta.world.faults.push({ ...no })
    expect((await all()).body).toEqual({ created: 1, renewed: 1, taken: ['Outra página'], left: ['Loja na página'] })
    at.meta.world.faults.push({ ...no })
    expect((await connect({ facebookUserToken: at.meta.world.grant('user', []), accounts: ['2001'] })).body.error).toBe(
      'ERR_CHANNEL_FORBIDDEN',
    )
    expect((await all()).body).toMatchObject({ created: 0, renewed: 3, left: [] })
    const row = async () => (await rows()).find(({ id }) => id === page.id)
    expect(await row()).toMatchObject({ status: 'DISCONNECTED', reason: null })
    const { body } = await letIn().then(({ code, state }) => pages({ code, state }))
    expect(body.accounts.map(({ accountId, ended }: any) => [accountId, ended])).toContainEqual(['2001', true]) // the dialog does not select it
    expect(body.accounts.filter(({ ended }: any) => ended)).toHaveLength(1)
    await connect({ facebookUserToken: at.meta.world.grant('user', []), accounts: ['2001'] })
    expect(await row()).toMatchObject({ status: 'CONNECTED' })
  })
  it('cannot overwrite a Cloud API account that was changed meanwhile', async () => {
    const { id, row } = await at.cloud()
    const change = (cloud: object, version?: number) => at.admin('PUT', `/whatsapp/${id}`, { cloud, version })
    await at.admin('DELETE', `/whatsappsession/${id}`)
    const { status, body } = await change({ verifyToken: 'outra-palavra' }, row.version)
    expect([status, body.status, body.reason, body.version]).toEqual([200, 'DISCONNECTED', null, row.version + 1])
    expect((await change({ verifyToken: 'a-do-outro' }, row.version)).body.error).toBe('ERR_ROW_CHANGED')
    expect(await at.house.ctx.meta.of(at.house.db, id)).toMatchObject({ verifyToken: 'outra-palavra' })
    await at.admin('POST', `/whatsappsession/${id}`)
    await eventually(
      async () => (await at.admin('GET', `/whatsapp/${id}`)).body,
      (one) => one.status === 'CONNECTED',
    )
    expect((await change({ verifyToken: 'palavra-combinada' })).body.status).toBe('CONNECTED')
  })
})

describe('an expiring authorisation', () => {
  it('is announced by mail once, a week before', async () => {
    const [{ id }] = await rows()
    const soon = new Date(Date.now() + 3 * 24 * at.hour).toISOString()
    await at.house.db.updateTable('metaAccount').set({ tokenExpiresAt: soon }).where('id', '=', String(id)).execute()
    for (let turn = 0; turn < 2; turn++) await monitorConnections(at.house.ctx)
    await at.house.settled()
    await expect.poll(() => box.mails.length).toBe(1)
    expect(box.mails[0]!.to).toEqual(['admin@casa.test'])
    expect(box.mails[0]!.source.replace(/=\r?\n/g, '')).toContain('vence em poucos dias')
    expect((await rows())[0].tokenExpiresAt).toBe(soon)
  })
  it('disconnects with a reason, and a new login restores the connection', async () => {
    const [{ id }] = await rows()
    const account = await at.house.ctx.meta.of(at.house.db, id)
    at.meta.world.tokens.get(account!.token)!.dead = 463
    expect((await at.admin('POST', `/whatsappsession/${id}`)).status).toBe(200) // it reports that it is connected
    await at.admin('DELETE', `/whatsappsession/${id}`)
    await at.admin('POST', `/whatsappsession/${id}`)
    const row = async () => (await rows()).find((one) => one.id === id)
    await eventually(row, (one) => one.status === 'DISCONNECTED' && one.reason === 'TOKEN_EXPIRED')
    const { code, state } = await letIn()
    const { body } = await pages({ code, state })
    expect((await connect({ login: body.login, accounts: ['2001'] })).body).toEqual({ created: 0, renewed: 1, taken: [], left: [] })
    expect(await row()).toMatchObject({ status: 'CONNECTED', reason: null })
    expect(Date.parse((await row()).tokenExpiresAt) - Date.now()).toBeGreaterThan(50 * 24 * at.hour)
  })
})

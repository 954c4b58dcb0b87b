import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let made = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const idOf = (who: Person) => app.company.users[who]
const code = ({ status, body }: { status: number; body: any }) => [status, body?.error]
async function colleague(more: object = {}) {
  const name = `Colega ${++made}`
  const { status, body } = await app.as('admin')('POST', '/users', { name, email: `colega${made}@casa.test`, password, ...more })
  expect(status).toBe(200)
  return body as { id: number; name: string; email: string; version: number }
}
async function signIn(email: string, secret = password) {
  const { status, body } = await app.stranger('POST', '/auth/login', { email, password: secret })
  const as = (method: string, path: string, sent?: unknown) => app.stranger(method, path, sent, { authorization: `Bearer ${body.token}` })
  return { status, error: body.error, as }
}
const audits = async (rowId: number) => (await app.as('admin')('GET', `/audit?list=user&rowId=${rowId}`)).body.changes

describe('the user limit of a plan (A-PLAN-01)', () => {
  it('applies to concurrent creations, keeps existing users, and ignores retired ones', async () => {
    const { casa } = app.company.companies
    const count = async () => (await app.as('admin')('GET', '/users/list')).body.length as number
    const { planId } = await app.db.selectFrom('company').select('planId').where('id', '=', casa).executeTakeFirstOrThrow()
    const limit = (users: number | null) => app.db.updateTable('plan').set({ users }).where('id', '=', planId!).execute()
    const before = await count()
    await limit(before + 1)
    const both = await Promise.all(
      ['um', 'dois'].map((name) => app.as('admin')('POST', '/users', { name, email: `${name}@limite.test` }, { 'accept-language': 'pt' })),
    )
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
    const { body } = both.find(({ status }) => status === 400)!
    expect(body).toEqual({
      error: 'ERR_PLAN_USERS',
      limit: before + 1,
      message: `Número máximo de usuários atingido: ${before + 1}`,
    })
    await limit(1)
    expect(await count()).toBe(before + 1)
    const { id } = both.find(({ status }) => status === 200)!.body
    expect((await app.as('admin')('PUT', `/users/${id}`, { name: 'Ainda muda' })).status).toBe(200)
    await limit(before + 1)
    expect((await app.as('admin')('DELETE', `/users/${id}`)).status).toBe(204)
    expect((await app.as('admin')('POST', '/users', { name: 'três', email: 'um@limite.test' })).status).toBe(200) // the e-mail is free too
    await limit(null)
  })
})

describe('editing a user (A-USER-02)', () => {
  it('allows personal fields for oneself, and rights for admins', async () => {
    const ana = app.as('ana')
    const { body: mine } = await ana('GET', `/users/${idOf('ana')}`)
    const own = { name: 'ana', farewellMessage: 'Até logo', color: '#0f766e', language: 'es', defaultTheme: 'dark' }
    expect((await ana('PUT', `/users/${idOf('ana')}`, { ...mine, ...own })).body).toMatchObject({ ...own, version: mine.version + 1 })
    const taken = [
      { profile: 'admin' },
      { queueIds: [app.company.queues.vendas, app.company.queues.suporte] },
      { allUserChat: 'enabled' },
      { allowConnections: 'enabled' },
      { startWork: '08:00' },
    ]
    for (const change of taken) expect(code(await ana('PUT', `/users/${idOf('ana')}`, change))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(code(await ana('PUT', `/users/${idOf('bruno')}`, { name: 'Outro' }))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(code(await ana('PUT', `/users/${idOf('ana')}`, { super: true }))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(code(await app.as('admin')('PUT', `/users/${idOf('admin')}`, { profile: 'user' }))).toEqual([403, 'ERR_NO_PERMISSION'])
    const given = await app.as('admin')('PUT', `/users/${idOf('ana')}`, { allUserChat: 'enabled', queueIds: [] })
    expect(given.body).toMatchObject({ allUserChat: 'enabled', allTicket: 'disable', queues: [] })
    expect((await ana('GET', '/auth/me')).body).toMatchObject({ allUserChat: 'enabled', queues: [] }) // at once, in the current session
    expect((await audits(idOf('ana')))[0]).toMatchObject({
      act: 'changed',
      before: { allUserChat: 'disabled', queues: [{ name: 'Vendas' }] },
      after: { allUserChat: 'enabled', queues: [] },
    })
    await app.as('admin')('PUT', `/users/${idOf('ana')}`, { allUserChat: 'disabled', queueIds: [app.company.queues.vendas] })
  })
  it('is refused for a super user unless by another, and the platform flag never changes', async () => {
    const { id } = await colleague({ profile: 'admin' })
    await app.db.updateTable('user').set({ super: true }).where('id', '=', id).execute()
    for (const change of [{ password: 'minha-senha' }, { email: 'meu@casa.test' }, { name: 'Meu' }])
      expect(code(await app.as('admin')('PUT', `/users/${id}`, change))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(code(await app.as('admin')('DELETE', `/users/${id}`))).toEqual([403, 'ERR_NO_PERMISSION'])
    await app.db.updateTable('user').set({ super: false }).where('id', '=', id).execute()
  })
  it('requires the current password for one’s own password or e-mail, and audits no secret', async () => {
    const { id, email } = await colleague()
    const { as } = await signIn(email)
    expect(code(await as('PUT', `/users/${id}`, { password: 'outra-senha' }))).toEqual([400, 'ERR_WRONG_PASSWORD'])
    const change = { password: 'outra-senha', currentPassword: 'errada' }
    expect(code(await as('PUT', `/users/${id}`, change))).toEqual([400, 'ERR_WRONG_PASSWORD'])
    expect(code(await as('PUT', `/users/${id}`, { email: 'novo@casa.test' }))).toEqual([400, 'ERR_WRONG_PASSWORD'])
    expect(code(await as('PUT', `/users/${id}`, { password: '12345', currentPassword: password }))).toEqual([400, 'ERR_WEAK_PASSWORD'])
    expect((await as('PUT', `/users/${id}`, { ...change, currentPassword: password })).status).toBe(200)
    expect((await as('GET', '/auth/me')).status).toBe(200) // the own session continues
    expect((await signIn(email)).status).toBe(401)
    const again = await signIn(email, 'outra-senha')
    expect(again.status).toBe(200)
    expect((await audits(id))[0]).toMatchObject({ before: { password: '•••' }, after: { password: '•••' } })
    expect((await app.as('admin')('PUT', `/users/${id}`, { password: 'do-administrador' })).status).toBe(200)
    expect((await again.as('GET', '/auth/me')).status).toBe(403) // a password set by somebody else ends sessions of the old one
    const kept = await app.db.selectFrom('audit').selectAll().where('list', '=', 'user').where('rowId', '=', id).execute()
    expect(JSON.stringify(kept)).not.toMatch(/outra-senha|administrador|argon2/)
  })
  it('refuses an outdated edit', async () => {
    const { id, version } = await colleague()
    const edit = (name: string) => app.as('admin')('PUT', `/users/${id}`, { name, version })
    expect((await edit('Primeira')).status).toBe(200)
    expect(code(await edit('Segunda'))).toEqual([409, 'ERR_ROW_CHANGED'])
  })
  it.each([
    { name: 'x' },
    { name: ' ' },
    { email: 'sem-arroba' },
    { password: '1234' },
    { password: 'x'.repeat(51) },
    { startWork: '24:00' },
    { profile: 'root' },
    { language: 'fr' },
    { allTicket: 'enabled' },
    { color: 'red' },
  ])('refuses %j (R-VALID-04)', async (wrong) => {
    const body = { name: 'Nova', email: `nova${++made}@casa.test`, ...wrong }
    expect(code(await app.as('admin')('POST', '/users', body))).toEqual([400, 'ERR_INVALID_INPUT'])
  })
})

describe('retiring a user (A-USER-01, A-USER-03)', () => {
  it('ends the session at once, returns tickets, keeps the name and frees the e-mail', async () => {
    const { vendas } = app.company.queues
    const { id, name, email } = await colleague({ queueIds: [vendas] })
    const theirs = await signIn(email)
    const open = async (status: string) => {
      const { body } = await theirs.as('POST', '/contacts', { name: 'Cliente', number: `551198${String(1_000_000 + ++made)}` })
      return (await theirs.as('POST', '/tickets', { contactId: body.id, queueId: vendas, status })).body as { id: number; uuid: string }
    }
    const [served, done] = [await open('open'), await open('open')]
    await theirs.as('PUT', `/tickets/${done.id}`, { status: 'closed' })
    await app.settled()
    const line = await app.socket('bruno')
    expect((await app.as('admin')('DELETE', `/users/${id}`)).status).toBe(204)
    const shown = (uuid: string) => app.as('admin')('GET', `/tickets/u/${uuid}`)
    expect((await shown(served.uuid)).body).toMatchObject({ status: 'pending', user: null, queue: { id: vendas } })
    expect((await shown(done.uuid)).body).toMatchObject({ status: 'closed', user: { name } })
    expect((await theirs.as('GET', '/auth/me')).status).toBe(403)
    expect(await signIn(email)).toMatchObject({ status: 401, error: 'ERR_INVALID_CREDENTIALS' })
    const log = (await app.as('admin')('GET', `/tickets-log/${served.id}`)).body
    expect(log.map((one: any) => [one.type, one.user?.name])).toEqual(
      expect.arrayContaining([
        ['pending', 'admin'],
        ['open', name],
      ]),
    )
    await expect.poll(() => line.frames.some(({ channel, action }: any) => channel.endsWith('-user') && action === 'delete')).toBe(true)
    for (const list of ['/users?searchParam=colega', '/users/list'])
      expect(JSON.stringify((await app.as('admin')('GET', list)).body)).not.toContain(email)
    expect(code(await app.as('admin')('GET', `/users/${id}`))).toEqual([404, 'ERR_NO_USER_FOUND'])
    const to = { isTransfered: true, queueId: vendas, userId: id }
    expect(code(await app.as('admin')('PUT', `/tickets/${served.id}`, to))).toEqual([404, 'ERR_NO_USER_FOUND'])
    expect((await audits(id))[0]).toMatchObject({ act: 'removed', name, stands: false })
    expect((await app.as('admin')('POST', '/users', { name: 'Sucessora', email })).status).toBe(200)
  })
  it('is not needed to return tickets of a queue that the agent loses', async () => {
    const { vendas, suporte } = app.company.queues
    const { id, email } = await colleague({ queueIds: [vendas, suporte] })
    const theirs = await signIn(email)
    const serves = async (queueId: number) => {
      const { body } = await theirs.as('POST', '/contacts', { name: 'Cliente', number: `551198${String(1_000_000 + ++made)}` })
      return (await theirs.as('POST', '/tickets', { contactId: body.id, queueId, status: 'open' })).body.uuid as string
    }
    const [lost, stays] = [await serves(vendas), await serves(suporte)]
    const shown = async (uuid: string) => (await app.as('admin')('GET', `/tickets/u/${uuid}`)).body
    expect((await app.as('admin')('PUT', `/users/${id}`, { queueIds: [suporte] })).status).toBe(200)
    expect(await shown(lost)).toMatchObject({ status: 'pending', user: null, queue: { id: vendas } })
    expect(await shown(stays)).toMatchObject({ status: 'open', user: { id } })
    expect((await app.as('bruno')('GET', `/tickets/u/${lost}`)).status).toBe(200)
    expect((await app.as('admin')('PUT', `/users/${id}`, { profile: 'admin', queueIds: [] })).status).toBe(200)
    expect(await shown(stays)).toMatchObject({ status: 'open', user: { id } }) // an admin sees every queue
    expect((await app.as('admin')('PUT', `/users/${id}`, { profile: 'user' })).status).toBe(200)
    expect(await shown(stays)).toMatchObject({ status: 'pending', user: null })
  })
  it('returns tickets that arrive at the same moment', async () => {
    const { vendas } = app.company.queues
    const { id } = await colleague({ queueIds: [vendas] })
    const { body: contact } = await app.as('ana')('POST', '/contacts', { name: 'Cliente', number: '5511987001122' })
    const { body: ticket } = await app.as('ana')('POST', '/tickets', { contactId: contact.id, queueId: vendas })
    expect((await app.as('admin')('DELETE', `/users/${id}`)).status).toBe(204)
    const by = { companyId: app.company.companies.casa, by: { kind: 'user' as const, id: idOf('ana') } }
    const late = { type: 'Transfer' as const, userId: id, queueId: vendas, suits: true, successor: null, note: null }
    await app.ctx.execute(ticket.id, { ...late, ...by }, crypto.randomUUID())
    const status = async () => (await app.as('admin')('GET', `/tickets/u/${ticket.uuid}`)).body.status
    await expect.poll(status).toBe('pending')
  })
  it('is refused for oneself, so that an admin always remains', async () => {
    expect(code(await app.as('admin')('DELETE', `/users/${idOf('admin')}`))).toEqual([400, 'ERR_OWN_USER'])
    const { body: other } = await app.as('root')('POST', '/users', {
      name: 'Segunda',
      email: 'segunda@deles.test',
      password,
      profile: 'admin',
    })
    const second = await signIn('segunda@deles.test')
    const each = await Promise.all([app.as('root')('DELETE', `/users/${other.id}`), second.as('DELETE', `/users/${idOf('root')}`)])
    expect(each.filter(({ status }) => status === 204)).toHaveLength(1)
    const admins = app.db.selectFrom('user').select('id').where('companyId', '=', app.company.companies.vizinha)
    expect(await admins.where('profile', '=', 'admin').where('retiredAt', 'is', null).execute()).toHaveLength(1)
  })
})

describe('a super user', () => {
  it('manages users of any named company; for others the company parameter is ignored', async () => {
    const { vizinha, casa } = app.company.companies
    const nova = { name: 'Nova deles', email: 'nova@deles.test', companyId: vizinha, queueIds: [app.company.queues.deles] }
    expect((await app.as('ana')('GET', `/users/list?companyId=${vizinha}`)).body[0].companyId).toBe(casa)
    const ours = await app.as('admin')('POST', '/users', { ...nova, email: 'nossa@casa.test', queueIds: [] })
    expect(ours.body.companyId).toBe(casa)
    await app.db.updateTable('user').set({ super: true }).where('id', '=', idOf('admin')).execute()
    app.ctx.viewerCache.forget()
    const boss = app.as('admin')
    const { status, body } = await boss('POST', '/users', nova)
    expect([status, body.companyId, body.queues.map(({ name }: any) => name)]).toEqual([200, vizinha, ['Deles']])
    const listed = async (at: string) => JSON.stringify((await boss('GET', `${at}companyId=${vizinha}`)).body).includes('nova@deles.test')
    expect([await listed('/users?searchParam=nova&'), await listed('/users/list?')]).toEqual([true, true])
    expect((await boss('GET', `/users/${body.id}`)).body.companyId).toBe(vizinha)
    expect((await boss('PUT', `/users/${body.id}`, { startWork: '08:00', companyId: casa })).body).toMatchObject({
      startWork: '08:00',
      companyId: vizinha,
    })
    expect(code(await boss('PUT', `/users/${body.id}`, { queueIds: [app.company.queues.vendas] }))[0]).toBe(404) // a queue of another company
    expect((await boss('POST', `/users/${body.id}/password-link`)).body.link).toContain('/password#')
    expect((await boss('DELETE', `/users/${body.id}`)).status).toBe(204)
    expect(await listed('/users/list?')).toBe(false)
    const kept = await app.db
      .selectFrom('audit')
      .select(['companyId', 'act'])
      .where('list', '=', 'user')
      .where('rowId', '=', body.id)
      .orderBy('id')
      .execute()
    expect(kept.map(({ companyId, act }) => [companyId, act])).toEqual([
      [vizinha, 'created'],
      [vizinha, 'changed'],
      [vizinha, 'removed'],
    ])
    expect(code(await boss('POST', '/users', { ...nova, companyId: 999_999 }))).toEqual([404, 'ERR_NOT_FOUND'])
  })
})

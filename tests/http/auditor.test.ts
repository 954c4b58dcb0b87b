import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '#app/session/password.ts'
import { type Flag, flags } from '#domain/access.ts'
import { password } from '#tests/support/seed-companies.ts'
import { type Ask, startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'

/* The auditor's flag alone changes nothing. It opens only histories and the security log (A-ROLE-00). */
let app: TestApp
let scene: Scene
let calls: { method: string; path: string }[]
let auditor: Ask
let nobody: Ask
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  auditor = await someone('so-audita', ['allowAudit'])
  nobody = await someone('sem-nada', [])
  const ticket = await scene.served()
  const message = await scene.message(ticket)
  const ids: Record<string, string> = {
    uuid: ticket.uuid,
    id: String(ticket.id),
    ticketId: String(ticket.id),
    contactId: String(ticket.contactId),
    tagId: String(scene.tags.vip),
    messageId: String(message.id),
    connectionId: String(scene.connections.loja),
    userId: String(scene.users.ana),
  }
  const { paths } = (await app.stranger('GET', '/docs/json')).body
  calls = Object.entries(paths as Record<string, object>).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: at.replace('/api', '').replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '1'),
    })),
  )
})
afterAll(() => app.stop())

async function someone(name: string, granted: Flag[], queues: number[] = []): Promise<Ask> {
  const email = `${name}@casa.test`
  const { casa: companyId } = scene.companies
  const row = { companyId, name, email, passwordHash: await hashPassword(password), profile: 'user' as const }
  const rights = JSON.stringify(Object.fromEntries(flags.map((flag) => [flag, granted.includes(flag)])))
  const { id } = await app.db
    .insertInto('user')
    .values({ ...row, flags: rights, whatsappId: null, farewellMessage: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const queueId of queues) await app.db.insertInto('userQueue').values({ companyId, userId: id, queueId }).execute()
  const { body } = await app.stranger('POST', '/auth/login', { email, password })
  return (method, path, sent, headers) => app.stranger(method, path, sent, { ...headers, authorization: `Bearer ${body.token}` })
}

const own = /^\/(auth\/|users\/)/ // the user's own session, language and column widths
const reads = /^\/messages\/[^/]+\/print$/ // prints a visible ticket, and only writes an access entry
const writes = () => calls.filter(({ method, path }) => method !== 'GET' && !own.test(path) && !reads.test(path))

it('an auditor changes nothing: every writing call refuses any input', async () => {
  expect(writes().length).toBeGreaterThan(30)
  for (const { method, path } of writes()) {
    const { status, body } = await auditor(method, path, method === 'DELETE' ? undefined : {})
    expect({ method, path, status, error: body?.error }).toEqual({ method, path, status: 403, error: 'ERR_NO_PERMISSION' })
  }
})

it('an auditor reads histories, and else only what a user without permissions reads', async () => {
  const opened: string[] = []
  for (const { method, path } of calls.filter(({ method }) => method === 'GET')) {
    const [mine, theirs] = [await auditor(method, path), await nobody(method, path)]
    if (mine.status !== theirs.status) opened.push(`${path} ${theirs.status} → ${mine.status}`)
  }
  expect(opened.length).toBeGreaterThan(3)
  expect(opened.filter((one) => !/^\/(ticket-history|security-log|audit)/.test(one))).toEqual([])
  const { body } = await auditor('GET', '/tickets?showAll=true')
  expect([body.tickets, body.count]).toEqual([[], 0])
})

it('the auditor’s flag removes no permission from an agent', async () => {
  const serves = await someone('audita-e-atende', ['allowAudit'], [scene.queues.vendas])
  const closes = await someone('audita-e-ignora', ['allowAudit', 'userClosePendingTicket'])
  for (const [i, ask] of [serves, closes, nobody].entries()) {
    const number = `551197770001${i}`
    expect((await ask('POST', '/contacts', { name: 'Cliente', number })).status).toBe(200)
  }
})

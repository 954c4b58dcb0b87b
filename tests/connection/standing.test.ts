import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { monitorConnections, recordHeartbeat } from '#app/connection/outage.ts'
import { setConnectionState } from '#app/connection/state.ts'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* How a connection stands by its provider's word, and who is told that it does not. */
let app: TestApp
let box: Mailbox
let loja = 0
const lines: string[] = []
beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://inbox.exemplo.test' }, log: (line) => lines.push(line) })
  box = await openMailbox()
  loja = app.company.connections.loja
  const values = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@exemplo.test' }
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await app.db.insertInto('platformSetting').values(rows).execute()
  await app.db.updateTable('user').set({ language: 'en' }).where('id', '=', app.company.users.admin).execute()
})
afterAll(async () => {
  await app?.stop()
  await box?.close()
})

const says = async (body: object) => expect((await app.as('admin')('POST', `/sandbox/${loja}/session`, body)).status).toBe(202)
const shown = async () => {
  const { status, reason, silentSince } = (await app.as('ana')('GET', '/whatsapp')).body.find(({ id }: { id: number }) => id === loja)
  return { status, reason, silentSince }
}
const mails = async (n: number) => {
  await app.settled()
  await expect.poll(() => box.mails.length).toBe(n)
  return { to: box.mails.at(-1)!.to, text: box.mails.at(-1)!.source.replace(/=\r?\n/g, '') }
}

it('a lost connection is shown live with its reason, and admins are notified once', async () => {
  const line = await app.socket('ana')
  await says({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  expect(await shown()).toEqual({ status: 'DISCONNECTED', reason: 'LOGGED_OUT', silentSince: null })
  await line.heard((frame) => frame.channel.endsWith('-whatsapp') && JSON.stringify(frame).includes('LOGGED_OUT'))
  const { session } = await line.heard(({ channel }) => channel.endsWith('-whatsappSession'))
  expect(session).toEqual({ id: loja, status: 'DISCONNECTED', number: null, updatedAt: expect.any(String) })
  const mail = await mails(1)
  expect(mail.to).toEqual(['admin@casa.test'])
  expect(mail.text).toContain('it was unlinked on the phone')
  expect(mail.text).toContain('https://inbox.exemplo.test/connections')

  await says({ status: 'TIMEOUT', reason: 'CODE_EXPIRED' })
  await says({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  await mails(1)
  await says({ status: 'CONNECTED' })
  expect(await shown()).toEqual({ status: 'CONNECTED', reason: null, silentSince: null })
  const back = await mails(2)
  expect(back.to).toEqual(['admin@casa.test'])
  expect(back.text).toContain('Subject: The connection Loja is back')
  await monitorConnections(app.ctx)
  await says({ status: 'CONNECTED' })
  await mails(2) // once
  const { ana } = app.company.users
  await sql`update "user" set flags = flags || '{"allowConnections": true}' where id = ${ana}`.execute(app.db)
  await says({ status: 'DISCONNECTED', reason: 'FORBIDDEN' })
  await mails(4)
  expect(
    box.mails
      .slice(2)
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual(['admin@casa.test', 'ana@casa.test']) // A-CONN-07
  await sql`update "user" set flags = flags - 'allowConnections' where id = ${ana}`.execute(app.db)
})

it('a lost connection is logged and counted by status and reason', async () => {
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Connection is down')
  expect(told.map(({ level, connectionId, reason, mailed }) => ({ level, connectionId, reason, mailed }))).toEqual(
    ['LOGGED_OUT', 'FORBIDDEN'].map((reason) => ({ level: 40, connectionId: loja, reason, mailed: true })),
  )
  const counts = async () => {
    const { body } = await app.stranger('GET', '/metrics')
    return [...String(body).matchAll(/^guiche_connections(?:_away)?\{\w+="(\w+)"\} (\d+)$/gm)].map(([, name, n]) => `${name} ${n}`)
  }
  expect(await counts()).toEqual(expect.arrayContaining([expect.stringMatching(/^CONNECTED [1-9]/), 'DISCONNECTED 1', 'FORBIDDEN 1']))
  await says({ status: 'DISCONNECTED', reason: 'code_of_theirs' })
  expect(await counts()).toContain('OTHER 1')
  await says({ status: 'CONNECTED' })
  await mails(5)
  expect((await counts()).filter((line) => /^(DISCONNECTED|OTHER|FORBIDDEN) /.test(line))).toEqual([])
})

it('a connection that an admin ended notifies nobody', async () => {
  await says({ status: 'CONNECTED' })
  expect((await app.as('admin')('DELETE', `/whatsappsession/${loja}`)).status).toBeLessThan(300)
  expect(await shown()).toEqual({ status: 'DISCONNECTED', reason: null, silentSince: null })
  await says({ status: 'CONNECTED' })
  await mails(5) // nor is it told that it is back
})

it('a connection without answers is shown as silent until an answer arrives', async () => {
  await says({ status: 'CONNECTED', silent: true })
  expect(await shown()).toEqual({ status: 'CONNECTED', reason: null, silentSince: expect.any(String) })
  expect((await mails(6)).text).toContain('the channel does not respond')
  await monitorConnections(app.ctx)
  await mails(6)

  const { holder, number } = await app.db
    .selectFrom('connectionLease')
    .select(['holder', 'number'])
    .where('connectionId', '=', loja)
    .executeTakeFirstOrThrow()
  await recordHeartbeat({ connection: { id: loja }, lease: { holder: holder!, number } } as never, app.db)
  await monitorConnections(app.ctx)
  expect(await shown()).toEqual({ status: 'CONNECTED', reason: null, silentSince: null })
  await monitorConnections(app.ctx)
  expect((await mails(7)).text).toContain('is back')
})

it('a long outage is notified, also if the first attempt died', async () => {
  const dies = async () => {
    throw new Error('killed')
  }
  await setConnectionState(app.ctx, { id: loja }, { status: 'OPENING', reason: 'AWAY' })
  await monitorConnections({ ...app.ctx, enqueue: dies }).catch(() => undefined)
  await monitorConnections(app.ctx)
  await monitorConnections(app.ctx)
  expect((await mails(8)).text).toContain('the channel did not answer')
  await says({ status: 'CONNECTED' })
  await mails(9)
})

it('an unchanged state is not written', async () => {
  const at = () => app.db.selectFrom('connection').select('updatedAt').where('id', '=', loja).executeTakeFirstOrThrow()
  const before = await at()
  await setConnectionState(app.ctx, { id: loja }, { status: 'CONNECTED' })
  expect(await at()).toEqual(before)
})

it('the return is also notified after a new link, once the phone is connected', async () => {
  const before = box.mails.length
  await says({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  await mails(before + 1)
  expect((await app.as('admin')('PUT', `/whatsappsession/${loja}`)).body.status).toBe('qrcode')
  await monitorConnections(app.ctx)
  await mails(before + 1)
  expect((await app.as('admin')('POST', `/sandbox/${loja}/scan`)).status).toBeLessThan(300)
  await expect.poll(async () => (await shown()).status).toBe('CONNECTED')
  await monitorConnections(app.ctx)
  expect((await mails(before + 2)).text).toContain('is back')
})

it('the progress of an import is published as importMessages-<company>', async () => {
  const line = await app.socket('ana')
  const set = (to: object) => app.db.updateTable('connection').set(to).where('id', '=', loja).execute()
  const { casa } = app.company.companies
  const next = (action: string) => line.heard((frame) => frame.channel === `importMessages-${casa}` && frame.action === action)
  await set({ statusImportMessages: 'Running', importDone: 1, importAll: 3 })
  expect(await next('update')).toMatchObject({ whatsappId: loja, status: { this: 1, all: 3, date: 'Running' } })
  await set({ statusImportMessages: null, importDone: 3 })
  expect(await next('refresh')).toMatchObject({ whatsappId: loja, status: { this: 3, all: 3, date: null } })
})

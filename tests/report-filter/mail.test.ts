import { Readable } from 'node:stream'
import excel from 'exceljs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AppContext } from '#app/context.ts'
import { enqueueDueReports, mailReport } from '#app/report-filter/jobs.ts'
import { contentWithin } from '#app/report-filter/letter.ts'
import type { Clock } from '#app/scheduler/clock.ts'
import { mostAttempts } from '#domain/report-filter/rules.ts'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* V45, V19, V43: tickets of this week, mailed on the Monday after it, at 22:30 in São Paulo. */
let app: TestApp
let box: Mailbox
const number = '5511987650021'
const week = 7 * 86_400_000
const local = (at: number) => new Date(at - 3 * 3_600_000).toISOString().slice(0, 10)
const thisMonday = (() => {
  const today = Date.parse(local(Date.now()))
  return today - ((new Date(today).getUTCDay() + 6) % 7) * 86_400_000
})()
const dueDay = new Date(thisMonday + week).toISOString().slice(0, 10)
const dueAt = thisMonday + week + (22.5 + 3) * 3_600_000
const clockAt = (at: number): Clock => ({ now: () => at, iso: () => new Date(at).toISOString(), offsetMs: () => 0 })
const at = (moment: number): AppContext => ({ ...app.ctx, clock: clockAt(moment) })
const run = (filterId: number, moment: number) => mailReport.run({ filterId, day: dueDay }, at(moment))

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://inbox.exemplo.test' } })
  box = await openMailbox()
  await app.phone.says(number, `${number}@s.whatsapp.net`, { name: '=1+1' })
  await app.phone.says('5511987650022', 'Bom dia', { name: 'Outra' })
  await app.settled()
})
afterAll(async () => {
  await app?.stop()
  await box?.close()
})

async function configure() {
  const values = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@casa.test' }
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await app.db.insertInto('platformSetting').values(rows).execute()
}
async function saved(name: string, more: object = {}): Promise<number> {
  return (await app.as('admin')('POST', '/ticketreport/filters', { name, filter: { period: 'thisMonth', ...more }, shared: true })).body.id
}
const weekly = (recipients: number[], more: object = {}) => ({ active: true, weekday: 0, time: '22:30', recipients, ...more })
const set = (id: number, body: object, who: 'admin' | 'dulce' = 'admin') => app.as(who)('PUT', `/ticketreport/filters/${id}/mail`, body)
const shown = async (id: number) => (await app.as('admin')('GET', `/ticketreport/filters/${id}/mail`)).body
const states = async (id: number) =>
  (await shown(id)).sent.map(({ userName, state }: { userName: string; state: string }) => `${userName} ${state}`)
const decoded = (source: string) =>
  source.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
async function sheetIn(source: string) {
  const part = source.split(/\r\n--/).find((one) => one.includes('Content-Disposition: attachment'))!
  const book = new excel.Workbook()
  const content = Buffer.from(part.slice(part.indexOf('\r\n\r\n')).replace(/\s/g, ''), 'base64')
  await book.xlsx.load(content as unknown as ArrayBuffer)
  const rows: unknown[][] = []
  book.worksheets[0]!.eachRow((row) => void rows.push((row.values as unknown[]).slice(1)))
  return rows
}

it('cannot be switched on without a mail server, recipients, or their right to the report', async () => {
  const { admin, dulce, ana, root } = app.company.users
  const id = await saved('Sem servidor')
  expect((await set(id, weekly([admin]))).body).toMatchObject({ error: 'ERR_MAIL_NOT_SET' })
  expect(await shown(id)).toMatchObject({ canMail: false, mail: null, people: [{ name: 'admin' }, { name: 'dulce' }] })
  await configure()
  for (const wrong of [[], [ana], [root], [admin, 2147483]])
    expect((await set(id, weekly(wrong))).body).toMatchObject({ error: 'ERR_REPORT_MAIL_RECIPIENT' })
  for (const wrong of [
    { time: '24:00' },
    { weekday: 7 },
    { recipients: [admin, admin] },
    { recipients: Array.from({ length: 21 }, (_, n) => n + 1) },
  ])
    expect((await set(id, weekly([admin], wrong))).body).toMatchObject({ error: 'ERR_INVALID_INPUT' })
  expect((await set(id, weekly([admin]), 'dulce')).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  expect((await set(id, weekly([admin, dulce]))).body).toMatchObject({ weekly: true })
  expect(await shown(id)).toMatchObject({ mail: weekly([admin, dulce]), nextAt: expect.stringMatching(/T01:30:00/) })
  expect((await app.as('dulce')('GET', '/audit?list=reportFilter')).body.changes[0]).toMatchObject({
    after: { mailActive: true, mailTime: '22:30', mailRecipients: [{ name: 'admin' }, { name: 'dulce' }] },
  })
  await app.as('admin')('DELETE', `/ticketreport/filters/${id}`)
})

it('is sent once per recipient with their rights, with the numbers of the dashboard (V45, V19, V43)', async () => {
  const { admin, dulce } = app.company.users
  for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'enabled')
  const id = await saved(`Semana ${number}`)
  await set(id, weekly([admin, dulce]))
  await run(id, dueAt - 1000)
  expect(box.mails).toEqual([])
  await enqueueDueReports(at(dueAt + 3_600_000 * 60)) // the real worker does not send before its own clock
  await Promise.all([run(id, dueAt), run(id, dueAt)])
  await run(id, dueAt + 1000)
  expect(new Set(box.mails.map(({ to }) => to[0]))).toEqual(new Set(['admin@casa.test', 'dulce@casa.test']))
  expect(box.mails).toHaveLength(2)
  const [first, last] = [new Date(thisMonday), new Date(thisMonday + week - 1)].map((day) => day.toISOString().slice(0, 10))
  expect((await shown(id)).sent).toMatchObject([
    { userName: 'dulce', state: 'sent', firstDay: first, lastDay: last, rows: 2, withFile: true, late: false, isTest: false },
    { userName: 'admin', state: 'sent', rows: 2 },
  ])
  const { counters } = (await app.as('admin')('GET', `/dashboard?date_from=${first}&date_to=${last}`)).body
  const of = (who: string) => decoded(box.mails.find(({ to }) => to[0] === `${who}@casa.test`)!.source)
  expect(of('admin')).toContain(`Criados: ${counters.tickets}\r\nFinalizados: ${counters.supportFinished}\r\nAvaliados: 0`)
  expect([of('admin').includes(number), of('dulce').includes('98765'), of('dulce').includes('Semana 5511*******21')]).toEqual([
    true,
    false,
    true,
  ])
  const sheet = await sheetIn(box.mails.find(({ to }) => to[0] === 'dulce@casa.test')!.source)
  expect(sheet.length).toBe(3)
  expect(JSON.stringify(sheet)).not.toContain('98765')
  expect(sheet.flat()).toContain('=1+1') // a text, not a formula
  const mine = await sheetIn(box.mails.find(({ to }) => to[0] === 'admin@casa.test')!.source)
  expect(mine.flat()).toContain(number)
  for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) await app.set(key, 'disabled')
})

it('contains only the tickets within the limit of its recipient (A-VIS-04)', async () => {
  const { admin, dulce } = app.company.users
  const id = await saved('Limite')
  await set(id, weekly([admin, dulce]))
  const limit = async (reportQueueIds: number[] | null) =>
    expect((await app.as('admin')('PUT', `/users/${dulce}`, { reportQueueIds })).status).toBe(200)
  await limit([app.company.queues.suporte])
  box.mails.length = 0
  await run(id, dueAt)
  const rows = async (who: string) => (await sheetIn(box.mails.find(({ to }) => to[0] === `${who}@casa.test`)!.source)).length - 1
  expect([await rows('admin'), await rows('dulce')]).toEqual([2, 0])
  await limit(null)
})

it('reaches nobody who lost the right or was retired, and is marked as late', async () => {
  const { admin, dulce } = app.company.users
  const id = await saved('Direitos')
  await set(id, weekly([admin, dulce]))
  await app.as('admin')('PUT', `/users/${dulce}`, { showDashboard: 'disabled' })
  box.mails.length = 0
  await run(id, dueAt + 2 * 86_400_000)
  expect(await states(id)).toEqual(['dulce skipped', 'admin sent'])
  expect((await shown(id)).sent[0]).toMatchObject({ reason: 'ERR_NO_PERMISSION', late: true })
  expect(decoded(box.mails[0]!.source)).toContain('deveria ter sa')
  await app.as('admin')('PUT', `/users/${dulce}`, { showDashboard: 'enabled' })
  await run(id, dueAt + 2 * 86_400_000)
  expect(box.mails.length).toBe(1)
})

it('is tried a few times, then it has failed; nothing personal is in the log of it', async () => {
  const id = await saved('Recusado')
  await set(id, weekly([app.company.users.admin]))
  box.says.refuses = 'mailbox full'
  box.mails.length = 0
  for (let n = 1; n <= mostAttempts; n++) {
    await run(id, dueAt + n * 60_000)
    expect(await states(id)).toEqual([n < mostAttempts ? 'admin waiting' : 'admin failed'])
  }
  box.says.refuses = null
  await run(id, dueAt + 3_600_000)
  expect([box.mails.length, (await shown(id)).sent[0].reason]).toEqual([0, 'ERR_MAIL_FAILED'])
})

it('is not sent again after a process ended between sending and recording', async () => {
  const id = await saved('Interrompido')
  const { admin } = app.company.users
  await set(id, weekly([admin]))
  const claim = { companyId: app.company.companies.casa, filterId: id, userId: admin, dueDay, firstDay: dueDay, lastDay: dueDay }
  await app.db
    .insertInto('reportMail')
    .values({ ...claim, state: 'sending', attempts: 1, reason: null, rows: null, endedAt: null, beganAt: new Date(dueAt).toISOString() })
    .execute()
  box.mails.length = 0
  await run(id, dueAt + 60_000)
  expect(await states(id)).toEqual(['admin sending'])
  await run(id, dueAt + 11 * 60_000)
  expect([await states(id), box.mails.length]).toEqual([['admin uncertain'], 0])
})

it('is sent to oneself as a test, and a refusal of the mail server is shown', async () => {
  const id = await saved('Teste')
  box.mails.length = 0
  expect((await app.as('dulce')('POST', `/ticketreport/filters/${id}/mail/test`)).body).toMatchObject({ state: 'sent', isTest: true })
  expect(box.mails[0]!.to).toEqual(['dulce@casa.test'])
  box.says.refuses = 'mailbox full'
  expect((await app.as('dulce')('POST', `/ticketreport/filters/${id}/mail/test`)).body).toMatchObject({ error: 'ERR_MAIL_FAILED' })
  box.says.refuses = null
  expect(await states(id)).toEqual(['dulce failed', 'dulce sent'])
})

it('has a link instead of a file above the limit', async () => {
  const file = () => Readable.from([Buffer.alloc(60), Buffer.alloc(60)])
  expect([await contentWithin(100, file()), (await contentWithin(120, file()))!.length]).toEqual([null, 120])
})

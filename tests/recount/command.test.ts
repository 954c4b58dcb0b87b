import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { command } from '#tests/support/command.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The command that counts again what the dashboard shows. */
let app: TestApp
const place = mkdtempSync(path.join(tmpdir(), 'guiche-recount-'))
beforeAll(async () => {
  app = await startTestApp()
  const { contacts, connections, queues, users } = app.company
  for (const contactId of [contacts.maria, contacts.joao]) {
    const asked = { contactId, whatsappId: connections.balcao, queueId: queues.vendas, userId: users.bruno }
    const { body } = await app.as('bruno')('POST', '/tickets', asked)
    await app.as('bruno')('PUT', `/tickets/${body.id}`, { status: 'closed', sendFarewellMessage: false })
  }
  await app.settled()
})
afterAll(async () => {
  await sql`update ticket_closing set user_id = ${app.company.users.bruno}`.execute(app.db)
  await app?.stop()
  rmSync(place, { recursive: true, force: true })
})
const recount = (...args: string[]) =>
  command('commands/recount.ts', args, {
    ...{ DATABASE_URL: app.ctx.connectionString, MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), DATA_DIR: place },
  })

it('finds the numbers equal to the events', async () => {
  expect(await recount('--company', String(app.company.companies.casa))).toEqual({
    ...{ code: 0, err: '' },
    out: expect.stringMatching(/^company \d+: 2 tickets, \d{4}-\d\d-01 to \d{4}-\d\d-\d\d in [A-Za-z_/]+\.\nEvery number is equal\.\n$/),
  })
})

it('names the ticket whose row was changed', async () => {
  await sql`update ticket_closing set user_id = ${app.company.users.ana} where ticket_id = (select min(ticket_id) from ticket_closing)`.execute(
    app.db,
  )
  const { code, err, out } = await recount()
  expect([code, out.split('\n').at(-2)]).toEqual([1, expect.stringMatching(/^\d+ numbers differ\.$/)])
  expect(err).toMatch(/^DIFFERENT company \d+ ticket \d+ closing \d+\.userId: the log gives \d+, the read models \d+$/m)
})

it.each([
  [['--company', '99'], 'no company 99'],
  [['--from', 'today'], '--from and --to are days such as 2026-01-31, and --from is not after --to'],
  [['--from', '2026-02-02', '--to', '2026-02-01'], '--from and --to are days such as 2026-01-31, and --from is not after --to'],
  [['--everything'], "Unknown option '--everything'"],
])('%j is refused', async (args, line) => expect(await recount(...args)).toEqual({ code: 2, out: '', err: `${line}\n` }))

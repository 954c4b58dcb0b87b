import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDataKey, wrapKey } from '#app/crypto/seal.ts'
import { signedReceipt } from '#app/data-request/receipt.ts'
import { chained } from '#app/event-store/chain.ts'
import type { JsonObject } from '#app/event-store/event-store.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { recordSecurity } from '#app/security/log.ts'
import { type ErasureCounts, erasureCounts } from '#domain/data-request/contract.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { EventCannotBeApplied, type PersistedEvent, project } from '#projections/projector.ts'
import { command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase, readOnly } from '#tests/support/postgres.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
let app: TestApp
let empty: FreshDatabase
let place: string
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-verify-'))
  empty = await freshDatabase()
  app = await startTestApp()
  const { contacts, connections, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  expect((await app.as('bruno')('POST', '/tickets', asked)).status).toBe(200)
  await app.settled()
})
afterAll(async () => {
  await app?.stop({ faultsExpected: true }) // the scheduled verification may meet the altered event here
  await empty?.drop()
  rmSync(place, { recursive: true, force: true })
})

const verify = (args: string[], env: Record<string, string> = {}) =>
  command('commands/verify.ts', args, { DATABASE_URL: app.ctx.connectionString, MASTER_KEY, DATA_DIR: place, ...env })

it('verify needs no write permission on the log', async () => {
  const env = { DATABASE_URL: readOnly(app.ctx.connectionString) }
  expect(await verify([], env)).toEqual({
    ...{ code: 0, err: '' },
    out: expect.stringMatching(
      /^1 streams, [1-9]\d* events: every event fits behind the one before it\.\nanchors: none is there\.\nsecurity logs: \d+ entries: every entry fits behind the one before it\.\n$/,
    ),
  })
  expect((await verify(['--company', '1'], env)).code).toBe(0)
})

it.each([
  [['--company', '99'], 'no company 99'],
  [['--company', 'all'], 'no company all'],
  [['--company', '2'], 'nothing to verify: company 2 holds no event'],
  [['--ticket', '00000000-0000-4000-8000-000000000000'], 'no ticket 00000000-0000-4000-8000-000000000000'],
  [['--ticket', 'x'], 'no ticket x'],
  [['--everything'], "Unknown option '--everything'"],
  [['--company'], "Option '--company <value>' argument missing"],
  [['one.json', 'two.json'], 'one FILE, one --company or one --ticket at a time'],
  [['one.json', '--company', '1'], 'one FILE, one --company or one --ticket at a time'],
  [['/nowhere/export.json'], 'ENOENT'],
])('verify answers %j with an error in one line', async (args, line) => {
  const { code, out, err } = await verify(args)
  expect({ code, out, lines: err.trim().split('\n') }).toEqual({ code: 2, out: '', lines: [expect.stringContaining(line)] })
})

it('verify fails if anchors were made and none is left', async () => {
  const { db } = app
  const after = async (position: string) => {
    await db.insertInto('checkpoint').values({ name: 'anchors', version: 1, position }).execute()
    const { code, err } = await verify([])
    await db.deleteFrom('checkpoint').where('name', '=', 'anchors').execute()
    return [code, err]
  }
  expect(await after('0')).toEqual([0, '']) // nothing was to be anchored yet
  expect(await after('9000000')).toEqual([1, expect.stringMatching(/^BROKEN anchors: they were made until \S+Z, and none is there$/m)])
})

it('verify fails on an export without events', async () => {
  const file = path.join(place, 'export.json')
  writeFileSync(file, JSON.stringify({ format: 'guiche-ticket-history', version: 2, stream: 'ticket-1-1', company: 1, events: [] }))
  expect(await verify([file])).toEqual({
    code: 1,
    out: '',
    err: `BROKEN ${file}: it holds no event: they were taken out, or the ticket's were gone when it was made\n`,
  })
})

it.each([
  ['empty', ''],
  ['of another kind', '{"a":1}'],
  ['a list', '[null]'],
  ['begun by what an editor left', `\uFEFF{"format":"guiche-ticket-history"}`],
  ['cut off', '{"format":"guiche-ticket-hist'],
])('verify reports in one line that a file is no export if it is %s', async (_, text) => {
  const file = path.join(place, 'garbage.json')
  writeFileSync(file, text)
  expect(await verify([file])).toEqual({ code: 2, out: '', err: `${file} is no exported history\n` })
})

it('verify states what an export proves, and detects a header of another ticket', async () => {
  const { uuid } = await app.db.selectFrom('ticketHistory').select('uuid').executeTakeFirstOrThrow()
  const { body } = await app.as('admin')('GET', `/ticket-history/${uuid}/export`)
  const file = path.join(place, 'whole.json')
  const checked = async (ticket: object, company = body.company) => {
    writeFileSync(file, JSON.stringify({ ...body, company, ticket: { ...body.ticket, ...ticket } }))
    const { code, out, err } = await verify([file])
    return { code, out, err: err.trim().split(': ').at(-1) }
  }
  const whole = await checked({})
  expect(whole).toMatchObject({ code: 0, err: '' })
  expect(whole.out).toMatch(
    /^The file fits itself: .* at \S+Z, and is signed with ([0-9a-f]{4} ?){16}\.\nWhose key that is was not checked\. .*\nNot anchored yet: .*$/m,
  )
  for (const other of [{ uuid: crypto.randomUUID() }, { id: 999 }, { contactId: 999 }])
    expect(await checked(other)).toMatchObject({ code: 1, err: 'head' })
})

it.each([['verify'], ['rebuild'], ['parked'], ['keys', 'rotate'], ['demo', 'remove'], ['backup', '/tmp/never-written']])(
  'a command creates no store where none exists: %s',
  async (name, ...args) => {
    const missing = path.join(place, 'missing')
    const present = path.join(place, 'present')
    mkdirSync(present, { recursive: true })
    for (const DATA_DIR of [missing, present])
      expect(await command(`commands/${name}.ts`, args, { DATA_DIR })).toEqual({
        ...{ code: 2, out: '', err: `DATA_DIR: ${DATA_DIR} holds no database\n` },
      })
    expect(existsSync(missing)).toBe(false)
    expect(readdirSync(present)).toEqual([])
  },
)

it('verify creates nothing in a database without tables', async () => {
  const { code, err } = await verify([], { DATABASE_URL: empty.url })
  expect({ code, err }).toEqual({ code: 2, err: 'the database holds no log of Guichê\n' })
  expect((await verify([], { DATABASE_URL: empty.url.replace(/:[^:@/]+@/, ':hush@') })).err).toMatch(
    /^DATABASE_URL: password authentication failed[^\n]*\n$/,
  )
})

it('verify names the altered event', async () => {
  const { db } = app
  await sql`update event set data = data || '{"queueId": 9}' where stream = 'ticket-1-1' and version = 0`.execute(db)
  try {
    const { uuid } = await app.db.selectFrom('ticketHistory').select('uuid').executeTakeFirstOrThrow()
    const { id } = (await app.ctx.eventStore.read('ticket-1-1')).events[0]!
    const line = `BROKEN ticket-1-1 (ticket ${uuid}) at revision 0, TicketOpened ${id}: hash\n`
    for (const args of [[], ['--company', '1'], ['--ticket', uuid]]) {
      const { code, out, err } = await verify(args)
      expect({ args, code, err }).toEqual({ args, code: 1, err: line })
      expect(out).not.toMatch(/of them/) // events after a break are not called unsigned
    }
  } finally {
    const { queues } = app.company
    await sql`update event set data = data || ${JSON.stringify({ queueId: queues.vendas })}::jsonb where stream = 'ticket-1-1' and version = 0`.execute(
      db,
    )
  }
  expect((await verify([])).code).toBe(0)
})

it('verify reports a time that goes back, and a changed ticket address', async () => {
  const { db, eventStore, eventMacKeys } = app.ctx
  const { id, uuid } = await db.selectFrom('ticketHistory').select(['id', 'uuid']).executeTakeFirstOrThrow()
  const before = (await eventStore.read('ticket-1-1')).events
  const [last, other] = [before.at(-1)!, crypto.randomUUID()]
  const { at, hash } = before.at(-2)!.meta as { at: string; hash: string }
  const earlier = new Date(Date.parse(at) - 86_400_000).toISOString()
  const { hash: _, mac: __, macKey: ___, ...meta } = { ...last.meta, at: earlier } as JsonObject
  const [signed] = chained(hash, 'ticket-1-1', last.revision, [{ ...last, meta }], eventMacKeys.current)
  const put = (to: object) =>
    sql`update event set meta = ${JSON.stringify(to)}::jsonb where stream = 'ticket-1-1' and version = ${Number(last.revision)}`.execute(db)
  await put(signed!.meta)
  await db.updateTable('ticketHistory').set({ uuid: other }).where('id', '=', id).execute()
  try {
    const { code, err } = await verify(['--ticket', other])
    const broken = `BROKEN ticket-1-1 (ticket ${other}) at revision`
    const lines = [
      `${broken} 0: head (uuid)`,
      `${broken} ${last.revision}, ${last.type} ${last.id}: time (recorded at ${earlier}, behind one of `,
    ]
    expect({ code, lines: err.trim().split('\n') }).toEqual({ code: 1, lines: lines.map((line) => expect.stringContaining(line)) })
  } finally {
    await put(last.meta)
    await db.updateTable('ticketHistory').set({ uuid }).where('id', '=', id).execute()
  }
})

it('verify checks the security logs and names the broken ones', async () => {
  const detail = { format: 'json' }
  for (const companyId of [0, 1]) await recordSecurity(app.db, { companyId, kind: 'exported', userId: null, address: null, detail })
  const touch = (address: string | null) =>
    app.db.updateTable('securityEvent').set({ address }).where('kind', '=', 'exported').where('userId', 'is', null).execute()
  await touch('10.9.9.9')
  const { code, err } = await verify([])
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^BROKEN security log of the platform at entry \d+\nBROKEN security log of company 1 at entry \d+\n$/),
  })
  const own = await verify(['--company', '1'])
  expect(own.err).toMatch(/^BROKEN security log of company 1 at entry \d+\n$/)
  expect(own.out).toMatch(/^security logs: 1 of 1 do not hold; \d+ entries fit up to where they break\.$/m)
  await touch(null)
  expect((await verify([])).code).toBe(0)
})

it('verify checks the security log of a company without events', async () => {
  const { vizinha: id } = app.company.companies
  await recordSecurity(app.db, { companyId: id, kind: 'exported', userId: null, address: null, detail: { format: 'json' } })
  const ofThat = ['--company', String(id)]
  expect(await verify(ofThat)).toEqual({
    ...{ code: 0, err: '' },
    out: `company ${id} holds no event.\nsecurity logs: 1 entries: every entry fits behind the one before it.\n`,
  })
  await app.db.updateTable('securityEvent').set({ address: '10.9.9.9' }).where('companyId', '=', id).execute()
  expect(await verify(ofThat)).toMatchObject({ code: 1, err: `BROKEN security log of company ${id} at entry 1\n` })
  await app.db.deleteFrom('securityEvent').where('companyId', '=', id).execute()
})

it('verify names contacts with a missing or wrong key, and counts erased ones', async () => {
  const number = '5511966660001'
  for (const text of ['bom dia', 'tem troco?']) await app.phone.says(number, text)
  await app.settled()
  const { db } = app
  const { id, uuid, contactId } = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0]
  const companyId = app.company.companies.casa
  const ofThem = () => db.selectFrom('contactKey').selectAll().where('contactId', '=', contactId).where('companyId', '=', companyId)
  const kept = await ofThem().executeTakeFirstOrThrow()
  const has = async (wrapped: Buffer | null, destroyedAt: string | null) => {
    await db.deleteFrom('contactKey').where('contactId', '=', contactId).execute()
    if (wrapped || destroyedAt)
      await db
        .insertInto('contactKey')
        .values({ ...kept, wrapped, destroyedAt })
        .execute()
  }
  const sealed = (await app.ctx.eventStore.read(`ticket-${companyId}-${id}`)).events.filter(({ meta }) => meta.commitments).length
  expect(sealed).toBeGreaterThan(1)
  const whose = `${sealed} events of 1 contacts`
  const other = `(company/contact ${companyId}/${contactId})`

  await has(null, null)
  for (const args of [[], ['--ticket', uuid]]) {
    const { code, err } = await verify(args)
    expect({ args, code, err }).toEqual({ args, code: 1, err: `${whose} cannot be read: their key is missing ${other}\n` })
  }
  await has(wrapKey(Buffer.alloc(32, 7), newDataKey(), companyId, contactId), null) // a new key, as it is created for a contact who writes again
  expect(await verify([])).toMatchObject({ code: 1, err: `${whose} cannot be read: the key that is there does not open them ${other}\n` })
  await has(null, new Date().toISOString())
  const erased = await verify([])
  expect(erased).toMatchObject({ code: 0, err: '' })
  expect(erased.out).toContain(`words: ${whose} were erased: their keys were destroyed.\n`)
  await has(kept.wrapped, null)
  expect(await verify([])).toMatchObject({ code: 0, err: '' })
})

it('verify names the event that a fold cannot apply', async () => {
  const event = {
    type: 'TicketClosed',
    eventId: 'e-13',
    stream: 'ticket-1-7',
    aggregateId: 7,
    revision: 4,
    position: 10n,
    companyId: 1,
    at: '2026-01-05T12:00:00.000Z',
  }
  const fold = {
    ...{ table: 'ticket' as const, key: 'id', affectedKeys: () => [7] },
    on: {
      TicketClosed: () => {
        throw new Error('thirteen')
      },
    },
  }
  await expect(
    project(
      app.ctx.pool,
      { name: 'superstitious', of: ticketStream, models: [{ name: 'superstitious', version: 1, folds: [fold] }] },
      [event as unknown as PersistedEvent<any>],
      10n,
    ),
  ).rejects.toThrow('ticket-1-7 does not fold into ticket at revision 4: TicketClosed e-13')
  expect(isTransient(new EventCannotBeApplied('does not fold: TicketClosed'))).toBe(false)
})

it('verifies the receipt of an erasure offline, and finds an altered one (A-ERASE-04)', async () => {
  const { maria } = app.company.contacts
  const removed = Object.fromEntries(erasureCounts.map((place) => [place, 1])) as ErasureCounts
  const at = new Date().toISOString()
  const what = { company: 1, request: 1, contact: maria, contacts: [], requestedBy: 1, requestedAt: at, finishedAt: at, removed }
  const receipt = signedReceipt(app.ctx.signingKey, what)
  const file = path.join(place, 'receipt.json')
  writeFileSync(file, receipt)
  expect(await verify([file, '--key', app.ctx.signingKey.publicKey])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Contact ${maria} of`),
  })
  expect((await verify([file, '--key', 'A'.repeat(43)])).code).toBe(1)
  writeFileSync(file, receipt.replace('"notes":1', '"notes":0'))
  expect(await verify([file])).toMatchObject({ code: 1, err: expect.stringContaining('the receipt was altered') })
})

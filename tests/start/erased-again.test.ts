import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { recordErasures } from '#app/data-request/erasure-record.ts'
import { type ErasureReceipt, signedReceipt } from '#app/data-request/receipt.ts'
import { openStore } from '#projections/postgres.ts'
import { closeAll, contactIdOf } from '#tests/data-request/person.ts'
import { command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { startProcess } from '#tests/support/processes.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const [dirce, hers, otto] = ['5511985550401', '5511985550402', '5511985550403']
const secret = 'zq8y-segredo'
const name = `${secret} Dirce`
let app: TestApp
let place: string
let archive: string
let record: string
let ids: { dirce: number; hers: number; otto: number }
let fresh: FreshDatabase
let dataDir: string

const admin = async (method: string, at: string, body?: object) => {
  const answer = await app.as('admin')(method, at, body)
  if (answer.status >= 300) throw new Error(`${method} ${at} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const erase = async (id: number) => {
  const { name: shown } = await admin('GET', `/contacts/${id}`)
  await admin('POST', `/contacts/${id}/erasure`, { name: shown })
  await app.settled()
}
const receipts = () =>
  readFileSync(record, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ErasureReceipt)

/* The backup has Dirce twice, not merged yet, with an open ticket; both are erased after it. Otto is not erased. */
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-erased-'))
  archive = path.join(place, 'before.tar')
  app = await startTestApp()
  record = app.ctx.config.erasureFile
  for (const [phone, said] of [
    [dirce, { name }],
    [hers, { name }],
    [otto, { name: 'Otto Outro' }],
  ] as const) {
    await app.phone.says(phone!, `sou eu, ${said.name}`, said)
    await app.settled() // so that the contacts have their ids in this order
  }
  ids = { dirce: await contactIdOf(app, dirce!), hers: await contactIdOf(app, hers!), otto: await contactIdOf(app, otto!) }
  const env = { DATABASE_URL: app.ctx.connectionString, DATA_DIR: app.ctx.config.dataDir, MASTER_KEY }
  expect(await command('commands/backup.ts', [archive], env)).toMatchObject({ code: 0, err: '' })
  for (const id of [ids.dirce, ids.hers]) await closeAll(app, id)
  await admin('POST', `/contacts/${ids.hers}/merge`, { targetId: ids.dirce })
  await erase(ids.dirce)
})
afterAll(async () => {
  await app?.stop()
  rmSync(place, { recursive: true, force: true })
})
beforeEach(async () => {
  fresh = await freshDatabase()
  dataDir = mkdtempSync(path.join(place, 'data-'))
})
afterEach(() => fresh.drop())

const env = (more: Record<string, string> = {}) => ({ DATABASE_URL: fresh.url, DATA_DIR: dataDir, MASTER_KEY, ...more })
const restore = async () => {
  const { code, out, err } = await command('commands/restore.ts', [archive], env())
  expect({ code, err: err.includes('Error') }).toEqual({ code: 0, err: false })
  return out
}
/** Starts the server on the restored stores, and returns what it logged. */
async function start(more: Record<string, string> = {}): Promise<string> {
  const server = await startProcess(env(more))
  const output = server.output()
  await server.stop()
  return output
}
async function inStore<T>(read: (db: ReturnType<typeof openStore>['db']) => Promise<T>): Promise<T> {
  const { db } = openStore(fresh.url, 2)
  try {
    return await read(db)
  } finally {
    await db.destroy()
  }
}
const state = () =>
  inStore(async (db) => {
    const contacts = await db.selectFrom('contact').select(['id', 'name']).where('id', 'in', Object.values(ids)).orderBy('id').execute()
    const requests = await db.selectFrom('dataRequest').select(['contactId', 'state', 'requestedAt', 'userId']).orderBy('id').execute()
    const keys = await db.selectFrom('contactKey').select('contactId').where('wrapped', 'is', null).orderBy('contactId').execute()
    const texts = await db.selectFrom('message').select('body').where('body', 'like', `%${secret}%`).execute()
    const active = await db.selectFrom('activeTicket').select('contactId').orderBy('contactId').execute()
    return {
      names: contacts.map((one) => one.name),
      requests,
      keys: keys.map((one) => one.contactId),
      texts,
      active: active.map((one) => one.contactId),
    }
  })

it('an erasure adds a receipt without personal data to a file outside (A-ERASE-08)', async () => {
  expect(receipts()).toMatchObject([{ contact: ids.dirce, contacts: [{ id: ids.dirce }, { id: ids.hers }] }])
  const text = readFileSync(record, 'utf8')
  for (const part of [secret, dirce!.slice(-8), hers!.slice(-8)]) expect(text).not.toContain(part)
  rmSync(record)
  await recordErasures(app.ctx) // as after a kill between the commit and the line
  await recordErasures(app.ctx)
  expect(readFileSync(record, 'utf8')).toBe(text)
  writeFileSync(record, text.slice(0, 20)) // a full disk cut the line
  await recordErasures(app.ctx)
  expect(readFileSync(record, 'utf8')).toBe(`${text.slice(0, 20)}\n${text}`)
  writeFileSync(record, text)
})

it('a start after a restore repeats the erasures that the backup lacks, once (A-ERASE-08)', async () => {
  expect(await restore()).toMatch(/No record of erasures is at \S+erasures\.jsonl\./)
  expect(await state()).toMatchObject({ names: [name, name, 'Otto Outro'], requests: [], active: Object.values(ids) })
  writeFileSync(path.join(dataDir, 'erasures.jsonl'), readFileSync(record))
  const output = await start()
  expect(output).toContain('Erasures repeated after a restore')
  for (const part of [secret, dirce!.slice(-8), hers!.slice(-8)]) expect(output).not.toContain(part)
  const [first] = receipts()
  const done = { state: 'done', userId: app.company.users.admin, requestedAt: expect.anything() }
  const after = await state()
  expect(after).toEqual({
    names: ['', '', 'Otto Outro'],
    requests: [ids.dirce, ids.hers].map((contactId) => ({ contactId, ...done })),
    keys: [ids.dirce, ids.hers],
    texts: [],
    active: [ids.otto],
  })
  expect(after.requests.map((one) => Date.parse(one.requestedAt))).toEqual([0, 1].map(() => Date.parse(first!.requestedAt)))
  const own = path.join(dataDir, 'erasures.jsonl')
  expect(readFileSync(own, 'utf8').trim().split('\n')).toHaveLength(3) // both repeated ones have a receipt of their own
  expect(await start()).not.toContain('Erasures repeated')
  expect(await state()).toEqual(after)
  expect(await inStore((db) => db.selectFrom('securityEvent').select('detail').where('kind', '=', 'erased').execute())).toHaveLength(4)
  expect((await command('commands/verify.ts', [], env())).code).toBe(0)
})

it('a forged or foreign line, or the id of a newer contact, erases no contact', async () => {
  await restore()
  const [first] = receipts()
  const { format: _f, version: _v, publicKey: _p, hash: _h, signature: _s, ...what } = first!
  const about = (id: number, createdAt: string) =>
    signedReceipt(app.ctx.signingKey, { ...what, contact: id, contacts: [{ id, createdAt }] })
  const { createdAt } = await app.db.selectFrom('contact').select('createdAt').where('id', '=', ids.otto).executeTakeFirstOrThrow()
  const forged = about(ids.otto, createdAt).replace(/"requestedBy":\d+/, '"requestedBy":99')
  const older = about(ids.otto, new Date(Date.parse(createdAt) - 1000).toISOString())
  const unknown = about(999_999, createdAt)
  const elsewhere = signedReceipt(app.ctx.signingKey, { ...what, company: 999, contact: ids.otto, contacts: [{ id: ids.otto, createdAt }] })
  const file = path.join(place, 'strange.jsonl')
  writeFileSync(file, [forged, older, unknown, elsewhere, 'no json', '{"a":1}'].join('\n'))
  const output = await start({ ERASURE_FILE: file })
  expect(output).toContain('Erasure record has lines without a valid signature')
  expect(await state()).toMatchObject({ names: [name, name, 'Otto Outro'], requests: [] })
  appendFileSync(file, `\n${about(ids.otto, createdAt)}\n`)
  expect(await start({ ERASURE_FILE: file })).toContain('Erasures repeated after a restore')
  expect(await state()).toMatchObject({ names: [name, name, ''], requests: [{ contactId: ids.otto, state: 'done' }] })
})

it('does not erase others with whom the backup has merged the person, and says so', async () => {
  await restore()
  await inStore(async (db) => {
    await db.deleteFrom('activeTicket').where('contactId', '=', ids.dirce).execute()
    return db.updateTable('contact').set({ mergedIntoId: ids.otto }).where('id', '=', ids.dirce).execute()
  })
  writeFileSync(path.join(dataDir, 'erasures.jsonl'), readFileSync(record))
  expect(await start()).toContain('Erasure not repeated; separate the merged contacts')
  expect(await state()).toMatchObject({ names: [name, '', 'Otto Outro'], requests: [{ contactId: ids.hers, state: 'done' }] })
})

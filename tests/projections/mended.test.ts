import { afterAll, beforeAll, expect, it } from 'vitest'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { newDataKey, wrapKey } from '#app/crypto/seal.ts'
import { PersonalFieldsUnreadable, rebuild } from '#app/event-store/rebuild.ts'
import { openProjector } from '#app/roles/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { command } from '#tests/support/command.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* What a rebuild finds otherwise than the log says is told, and words that only the tables still have are not given up unasked. */
const master = Buffer.alloc(32, 7)
const number = '5511955550077'
let app: TestApp
const leaving = new AbortController()
let projecting: Promise<void>
beforeAll(async () => {
  app = await startTestApp({ roles: ['worker'] })
  projecting = openProjector(app.ctx, leaving.signal)
  for (const text of ['bom dia', 'tem troco?']) await app.phone.says(number, text)
})
afterAll(() => app?.stop({ faultsExpected: true }))

const bodies = async () => (await app.db.selectFrom('message').select('body').orderBy('id').execute()).map(({ body }) => body)
const forge = () => app.db.updateTable('message').set({ body: 'FORGED' }).where('body', '=', 'bom dia').execute()
/** As another process has it, which remembers no key. */
const deps = () => ({ ...app.ctx, contactKeys: contactKeys(app.ctx.pool, master) })
const run = (...args: string[]) =>
  command('commands/rebuild.ts', args, { DATABASE_URL: app.ctx.connectionString, MASTER_KEY: master.toString('base64'), SANDBOX: '0' })

it('a rebuild reports the tables and the number of rows that differed', async () => {
  await expect.poll(() => bodies()).toEqual(['bom dia', 'tem troco?'])
  await forge()
  const { code, err } = await run()
  expect({ code, err }).toEqual({ code: 1, err: 'DIFFERED message: 1 rows differed from the event log; repaired\n' })
  expect(await bodies()).toEqual(['bom dia', 'tem troco?'])
  expect(await run()).toMatchObject({ code: 0, err: '' })
})

it('a rebuild keeps texts whose key is missing or different, until a flag allows the loss', async () => {
  const { db } = app
  const kept = await db.selectFrom('contactKey').selectAll().executeTakeFirstOrThrow()
  const { companyId, contactId } = kept
  await db.deleteFrom('contactKey').execute()
  const missing = await run()
  expect(missing).toMatchObject({ code: 2, err: expect.stringMatching(/^\d+ events of 1 contacts cannot be read: their key is missing /) })
  expect(missing.err).toContain('npm run rebuild -- --without-keys')
  await db
    .insertInto('contactKey')
    .values({ ...kept, wrapped: wrapKey(master, newDataKey(), companyId, contactId) })
    .execute()
  await expect(rebuild(ticketProjector, deps())).rejects.toThrow(PersonalFieldsUnreadable)
  expect(await bodies()).toEqual(['bom dia', 'tem troco?'])

  await db.deleteFrom('contactKey').execute()
  const { lost } = await rebuild(ticketProjector, deps(), { withoutKeys: true })
  expect(lost).toEqual([expect.stringContaining('their key is missing')])
  expect(await bodies()).toEqual(['⌫', '⌫'])
  expect((await rebuild(ticketProjector, deps())).differences).toEqual([]) // nothing more is lost by it
  await db.insertInto('contactKey').values(kept).execute()
  await rebuild(ticketProjector, deps())
  expect(await bodies()).toEqual(['bom dia', 'tem troco?'])
})

it('a rebuild compares without waiting if no projector is running', async () => {
  leaving.abort()
  await projecting
  await app.phone.says(number, 'e cartão?') // the tables do not hear of it
  await app.settled()
  expect(await bodies()).toEqual(['bom dia', 'tem troco?'])
  await forge()
  const waited: string[] = []
  const { differences } = await rebuild(ticketProjector, deps(), { waits: (what) => waited.push(what) })
  expect(differences).toMatchObject([{ table: 'message', rows: 1 }])
  expect(waited).toEqual([])
  expect(await bodies()).toEqual(['bom dia', 'tem troco?', 'e cartão?'])
})

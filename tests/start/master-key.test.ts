import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signingKey } from '#app/anchor/signing-key.ts'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { rotate, verifyMasterKey } from '#app/crypto/master-key.ts'
import { accountKeys, sealedCode } from '#app/whatsapp/account-keys.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { begin, command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { seedCompanies as company } from '#tests/support/seed-companies.ts'
import { eventually } from '#tests/support/wait.ts'

let database: FreshDatabase
let store: Store
let dataDir: string
const right = randomBytes(32)
const people = Array.from({ length: 1200 }, (_, i) => ({ companyId: 1 + (i % 2), contactId: i + 1 }))

beforeEach(async () => {
  database = await freshDatabase()
  dataDir = mkdtempSync(path.join(tmpdir(), 'guiche-keys-'))
  store = openStore(database.url, 4)
  await migrate(store.db)
})
afterEach(async () => {
  await store.db.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const envOf = (key: Buffer | null) => ({
  ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: '0', PORT: '0' },
  ...(key && { MASTER_KEY: key.toString('base64') }),
})
const keysOf = async (key: Buffer, some = people) => {
  const keys = contactKeys(store.pool, key)
  return Promise.all(some.map((one) => keys.find(one)))
}
async function furnish() {
  await verifyMasterKey(store.db, right)
  const keys = contactKeys(store.pool, right)
  return Promise.all(people.map((one) => keys.of(one)))
}

describe('the master key (A-KEY-01)', () => {
  it('of another store starts nothing and is reported in one line', async () => {
    await furnish()
    const wrong = randomBytes(32)
    for (const file of ['main.ts', 'commands/verify.ts', 'commands/rebuild.ts']) {
      const { code, out, err } = await command(file, [], envOf(wrong))
      expect({ file, code: code !== 0, out, lines: err.trim().split('\n') }).toEqual({
        file,
        code: true,
        out: '',
        lines: [expect.stringMatching(/^MASTER_KEY: is key \w{8}, and the contacts of this store are sealed with key \w{8}/)],
      })
      expect(err).not.toContain(wrong.toString('base64'))
    }
  })

  it('is verified by decrypting data if the store has no key check yet', async () => {
    await contactKeys(store.pool, right).of(people[0]!)
    await expect(verifyMasterKey(store.db, randomBytes(32))).rejects.toThrow(
      /is not the key that the contacts of this store are sealed with/,
    )
    expect(await verifyMasterKey(store.db, right)).toEqual(right)
    await expect(verifyMasterKey(store.db, randomBytes(32))).rejects.toThrow(/^MASTER_KEY: is key/)
  })

  it('is not created again if data was encrypted or a key was ever known', async () => {
    let made = 0
    const make = async () => {
      made++
      return randomBytes(32)
    }
    await contactKeys(store.pool, right).of(people[0]!)
    await expect(verifyMasterKey(store.db, null, make)).rejects.toThrow(/MASTER_KEY: is missing/)
    await verifyMasterKey(store.db, right)
    await store.db.deleteFrom('contactKey').execute()
    await expect(verifyMasterKey(store.db, null, make)).rejects.toThrow(/MASTER_KEY: is missing/)
    expect(made).toBe(0)
  })

  it('is the first one if several processes bring their own at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => verifyMasterKey(store.db, randomBytes(32))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('npm run keys -- rotate', () => {
  it('resumes after a kill, and then every contact is readable with the new key only', async () => {
    const before = await furnish()
    const { publicKey } = await signingKey(store.db, right)
    await contactKeys(store.pool, right).destroy(people[3]!)
    before[3] = null
    /* A lock on the last row stops the command just before its end. */
    const hand = new pg.Client({ connectionString: database.url })
    await hand.connect()
    await hand.query('begin; select from contact_key where company_id = 2 and contact_id = 1200 for update')
    const { child, told } = begin('commands/keys.ts', ['rotate'], envOf(right))
    const anew = () => store.db.selectFrom('contactKey').select('contactId').where('wrappedBy', 'is not', null).execute()
    const next = async () => (await store.db.selectFrom('masterKey').selectAll().executeTakeFirst())?.nextCheck
    await eventually(
      async () => ({
        next: await next(),
        rows: (await store.db.selectFrom('contactKey').selectAll().execute()).filter((row) => row.wrappedBy !== null),
      }),
      ({ next: check, rows }) => Boolean(check) && rows.filter(({ wrappedBy }) => wrappedBy === check).length >= 1000,
    )
    child.kill('SIGKILL')
    expect((await told).code).toBe(null)
    await hand.query('rollback')
    await hand.end()
    const check = await next()
    const done = await store.db.selectFrom('contactKey').selectAll().where('wrappedBy', '=', check!).execute()
    expect(done.length).toBeLessThan((await anew()).length)

    expect((await command('main.ts', [], envOf(right))).err).toMatch(
      /^MASTER_KEY: is being rotated: finish that with npm run keys -- rotate\n$/,
    )
    await expect(contactKeys(store.pool, right).of({ companyId: 3, contactId: 1 })).rejects.toThrow(/no longer the one of the store/)
    expect((await command('commands/keys.ts', ['rotate'], envOf(randomBytes(32)))).err).toMatch(/give that one/)

    const { code, out, err } = await command('commands/keys.ts', ['rotate'], envOf(right))
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/in the place of MASTER_KEY/) })
    const fresh = Buffer.from(out.trim(), 'base64')
    expect(fresh).toHaveLength(32)
    expect(await keysOf(fresh)).toEqual(before)
    await expect(keysOf(right, people.slice(0, 1))).rejects.toThrow()
    expect((await signingKey(store.db, fresh)).publicKey).toBe(publicKey) // signatures stay valid
    await expect(signingKey(store.db, right)).rejects.toThrow()

    /* If the new key was lost, a holder of the old one gets it again, until a process has used it. */
    expect((await command('main.ts', [], envOf(right))).err).toMatch(/was rotated to key \w{8}/)
    expect((await command('commands/keys.ts', ['rotate'], envOf(right))).out).toBe(out)
    expect(await verifyMasterKey(store.db, fresh)).toEqual(fresh)
    expect((await command('commands/keys.ts', ['rotate'], envOf(right))).code).toBe(2)
  })

  it('rewraps the keys of accounts linked by QR code, and their data stays readable', async () => {
    await verifyMasterKey(store.db, right)
    const { companies, connections } = await company(store.db)
    const at = { id: connections.balcao, companyId: companies.casa }
    const key = await accountKeys(right).of(store.db, at)
    const qrcode = sealedCode(key, '2@abc,def')
    const fresh = await rotate(store.db, right, () => undefined)
    expect(await accountKeys(fresh).of(store.db, at)).toEqual(key)
    expect(await accountKeys(fresh).code(store.db, { ...at, qrcode })).toBe('2@abc,def')
    await expect(accountKeys(right).of(store.db, at)).rejects.toThrow()
  })

  it('refuses while a process uses the store', async () => {
    await furnish()
    const process = new pg.Client({ connectionString: database.url, application_name: 'guiche notifications' })
    await process.connect()
    const { code, err } = await command('commands/keys.ts', ['rotate'], envOf(right))
    await process.end()
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^MASTER_KEY: 1 processes of Guichê still run on this store/) })
    expect(await keysOf(right, people.slice(0, 3))).toHaveLength(3)
  })

  it.each([[[]], [['spin']], [['rotate', '--force']]])('accepts no other argument than rotate: %j', async (args) => {
    const { code, err } = await command('commands/keys.ts', args, envOf(right))
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^npm run keys -- rotate/) })
  })
})

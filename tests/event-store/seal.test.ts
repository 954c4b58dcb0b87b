import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { erased, newDataKey, seal, unseal, unwrapKey, wrapKey } from '#app/crypto/seal.ts'
import { up } from '#migrations/0002_event_store.ts'
import { openPool } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

const key = newDataKey()
const fields = ['name', 'body', 'cards', 'caption']
const plain = {
  stream: 'ticket-1-0b9f7f0e-6f0e-4c7e-9a55-0d6a35bb6a01',
  id: '3f7c2a9e-1d2b-5c4d-8e9f-0a1b2c3d4e5f',
  data: { name: 'João d’Ávila', body: 'Olá, tudo bem? 👋', cards: [{ phone: '+55 11 99999-0000' }], caption: null, fromMe: false },
}
const sealed = seal(plain, key, fields)

/** Every base64url text that differs in one bit and decodes to other bytes. */
const spoilt = (text: string) => {
  const bytes = Buffer.from(text, 'base64url')
  return Array.from(bytes, (_, i) => Buffer.from(bytes.map((byte, at) => (at === i ? byte ^ (1 << (i % 8)) : byte))).toString('base64url'))
}

describe('an encrypted event', () => {
  it('contains no plain text in its personal fields and leaves other fields unchanged', () => {
    const text = JSON.stringify(sealed.data)
    for (const word of ['João', 'Olá', '99999']) expect(text).not.toContain(word)
    expect(sealed.data).toMatchObject({ caption: null, fromMe: false, body: { sealed: expect.stringMatching(/^[\w-]+$/) } })
  })

  it('is decrypted with its key', () => expect(unseal(sealed, key, fields)).toEqual(plain))

  it('has the same bytes when encrypted again', () => expect(seal(plain, key, fields)).toEqual(sealed))

  it('uses a different nonce for each text, event, field and stream', () => {
    const nonce = (event: typeof plain, field: 'name' | 'body') =>
      Buffer.from((seal(event, key, fields).data[field] as unknown as { sealed: string }).sealed, 'base64url').toString('hex', 1, 13)
    const same = { ...plain, data: { ...plain.data, body: plain.data.name } }
    const nonces = [
      nonce(same, 'name'),
      nonce(same, 'body'),
      nonce({ ...same, id: '3f7c2a9e-1d2b-5c4d-8e9f-0a1b2c3d4e60' }, 'name'),
      nonce({ ...same, stream: 'ticket-1-x' }, 'name'),
      nonce({ ...same, data: { ...same.data, name: 'J' } }, 'name'),
    ]
    expect(new Set(nonces).size).toBe(5)
  })

  it('shows a placeholder once the key is destroyed', () => {
    expect(unseal(sealed, null, fields).data).toEqual({ name: erased, body: erased, cards: null, caption: null, fromMe: false })
  })

  it('cannot be decrypted in another place', () => {
    expect(() => unseal({ ...sealed, stream: 'ticket-2-x' }, key, fields)).toThrow()
    expect(() => unseal({ ...sealed, id: 'another' }, key, fields)).toThrow()
    const { name, body, ...rest } = sealed.data
    expect(() => unseal({ ...sealed, data: { ...rest, name: body, body: name } }, key, fields)).toThrow()
    expect(() => unseal(sealed, newDataKey(), fields)).toThrow()
  })

  it('cannot be decrypted after a byte changed', () => {
    const { sealed: text } = sealed.data.body as unknown as { sealed: string }
    for (const changed of spoilt(text)) expect(() => unseal({ ...sealed, data: { body: { sealed: changed } } }, key, fields)).toThrow()
  })

  it('may contain fields that were never encrypted', () => {
    expect(unseal(plain, key, fields)).toEqual(plain)
    expect(unseal(plain, null, fields)).toEqual(plain)
    const odd = { ...plain, data: { body: { sealed: 'x', more: 1 }, name: 7, cards: ['a'] } }
    expect(unseal(odd, key, fields)).toEqual(odd)
  })
})

describe('a wrapped key', () => {
  const master = randomBytes(32)
  it('can be unwrapped for its own contact only', () => {
    const wrapped = wrapKey(master, key, 1, 23)
    expect(unwrapKey(master, wrapped, 1, 23)).toEqual(key)
    expect(wrapped.includes(key)).toBe(false)
    expect(wrapKey(master, key, 1, 23)).not.toEqual(wrapped)
    expect(() => unwrapKey(master, wrapped, 12, 3)).toThrow()
    expect(() => unwrapKey(randomBytes(32), wrapped, 1, 23)).toThrow()
    expect(() => unwrapKey(master, wrapped.subarray(0, 20), 1, 23)).toThrow()
  })
})

describe('contact keys', () => {
  const master = randomBytes(32)
  let database: FreshDatabase
  let pool: pg.Pool
  const contact = (contactId: number) => ({ companyId: 1, contactId })

  beforeAll(async () => {
    database = await freshDatabase()
    pool = openPool({ connectionString: database.url, max: 8 }) // this pool handles the errors of connections that the database drop closes
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    await up(db)
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('are created once by concurrent processes', async () => {
    const processes = Array.from({ length: 20 }, () => contactKeys(pool, master))
    const made = await Promise.all(processes.map((keys) => keys.of(contact(1))))
    expect(new Set(made.map((one) => one!.toString('hex'))).size).toBe(1)
    expect(await contactKeys(pool, master).find(contact(1))).toEqual(made[0])
  })

  it('are not created by reading', async () => {
    const keys = contactKeys(pool, master)
    expect(await keys.find(contact(2))).toBe(null)
    await keys.load(1, [2, 3])
    expect((await pool.query('select from contact_key where contact_id in (2, 3)')).rowCount).toBe(0)
  })

  it('differ between contacts and are stored only wrapped', async () => {
    const keys = contactKeys(pool, master)
    const [one, other] = [await keys.of(contact(4)), await keys.of({ companyId: 2, contactId: 4 })]
    expect(one).not.toEqual(other)
    const { rows } = await pool.query<{ wrapped: Buffer }>('select wrapped from contact_key where wrapped is not null')
    for (const { wrapped } of rows) expect(wrapped.includes(one!) || wrapped.includes(other!)).toBe(false)
  })

  it('stay destroyed', async () => {
    const keys = contactKeys(pool, master)
    await keys.of(contact(5))
    await keys.destroy(contact(5))
    await keys.destroy(contact(5))
    expect(await keys.of(contact(5))).toBe(null)
    expect(await contactKeys(pool, master).of(contact(5))).toBe(null)
    await keys.destroy(contact(6))
    expect(await contactKeys(pool, master).of(contact(6))).toBe(null)
    expect((await pool.query('select wrapped from contact_key where contact_id in (5, 6)')).rows).toEqual([
      { wrapped: null },
      { wrapped: null },
    ])
  })

  it('are cached for a short time, because another process may destroy them', async () => {
    const [quick, other] = [contactKeys(pool, master, { freshMs: 30 }), contactKeys(pool, master)]
    expect(await quick.of(contact(7))).not.toBe(null)
    await other.destroy(contact(7))
    await expect.poll(() => quick.of(contact(7))).toBe(null)
  })

  it('are cached up to a limit and loaded in one query', async () => {
    let questions = 0
    const query = (...ask: [string, unknown[]]) => {
      questions += 1
      return pool.query(...ask)
    }
    const counted = { query } as unknown as pg.Pool
    const ids = Array.from({ length: 30 }, (_, i) => 100 + i)
    const writer = contactKeys(pool, master)
    for (const id of ids) await writer.of(contact(id))
    const reader = contactKeys(counted, master)
    await reader.load(1, ids)
    for (const id of ids) expect(await reader.find(contact(id))).not.toBe(null)
    expect(questions).toBe(1)
    const small = contactKeys(counted, master, { most: 10 })
    await small.load(1, ids)
    questions = 0
    for (const id of ids.slice(-10)) await small.find(contact(id))
    expect(questions).toBe(0)
    await small.find(contact(ids[0]!))
    expect(questions).toBe(1)
  })
})

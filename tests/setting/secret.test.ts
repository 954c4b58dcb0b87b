import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rotate, verifyMasterKey } from '#app/crypto/master-key.ts'
import { settingStore } from '#app/setting/store.ts'
import { admin, flags, superAdmin, type Viewer } from '#domain/access.ts'
import { type Setting, settings } from '#domain/setting/contract.ts'
import { type Company, seedCompanies } from '#tests/support/seed-companies.ts'
import { openTables } from '#tests/support/tables.ts'

/* No current setting is secret, so the test uses a store with two secret ones. */
const table: Record<string, Setting> = {
  mailPassword: { of: 'company', shape: settings.transferMessage.shape, default: '', read: admin, write: admin, secret: true },
  providerKey: { of: 'platform', shape: settings.transferMessage.shape, default: '', read: superAdmin, write: superAdmin, secret: true },
}
let tables: Awaited<ReturnType<typeof openTables>>
let company: Company
beforeAll(async () => {
  tables = await openTables()
  company = await seedCompanies(tables.db)
})
afterAll(() => tables.drop())

const viewer = (companyId: number): Viewer => ({
  ...{
    id: 1,
    name: 'Chefe',
    companyId,
    profile: 'admin',
    super: true,
    plan: {},
    queueIds: [],
    retiredQueueIds: [],
    reportQueueIds: null,
    masked: false,
  },
  ...{
    timeZone: 'UTC',
    phoneCountry: 'BR' as const,
    companyLanguage: 'pt-BR' as const,
    flags: Object.fromEntries(flags.map((name) => [name, true])) as Viewer['flags'],
  },
})

const by = (who: Viewer) => ({
  viewer: who,
  command: { id: crypto.randomUUID(), call: 'PUT /settings/:key', asked: '' },
  wire: { ip: '::1' },
})

const broadcast = async () => {}

it('a secret setting is encrypted, never returned, and survives a new master key (A-SET-06)', async () => {
  const { db } = tables
  const { casa, vizinha } = company.companies
  const masterKey = await verifyMasterKey(db, randomBytes(32))
  const store = settingStore({ db, masterKey, broadcast, table })
  const [here, there] = [viewer(casa), viewer(vizinha)]
  expect(await store.all(here)).toEqual([
    { key: 'mailPassword', value: '' },
    { key: 'providerKey', value: '' },
  ])
  expect(await store.set(by(here), 'mailPassword', 'abre-te sésamo', 'value')).toEqual({ key: 'mailPassword', value: 'set' })
  await store.set(by(here), 'providerKey', 'chave de todos', 'value')
  expect((await store.all(there)).map(({ value }) => value)).toEqual(['', 'set'])
  expect([await store.secret(casa, 'mailPassword'), await store.secret(vizinha, 'mailPassword')]).toEqual(['abre-te sésamo', null])
  expect(await store.secret(vizinha, 'providerKey')).toBe('chave de todos')

  const stored = JSON.stringify([
    ...(await db.selectFrom('secretSetting').selectAll().execute()).map((row) => ({ ...row, wrapped: row.wrapped.toString('latin1') })),
    ...(await db.selectFrom('companySetting').selectAll().execute()),
    ...(await db.selectFrom('platformSetting').selectAll().execute()),
    ...(await db.selectFrom('securityEvent').selectAll().execute()),
  ])
  expect(stored).not.toMatch(/sésamo|chave de todos/)

  const next = await rotate(db, masterKey, () => {})
  expect(await settingStore({ db, masterKey: next, broadcast, table }).secret(casa, 'mailPassword')).toBe('abre-te sésamo')
  await expect(store.secret(casa, 'mailPassword')).rejects.toThrow()
  await settingStore({ db, masterKey: next, broadcast, table }).set(by(here), 'mailPassword', '', 'value')
  expect(await store.secret(casa, 'mailPassword')).toBeNull()
})

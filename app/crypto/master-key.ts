import { hkdfSync, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { rewrapSigningKeys } from '../anchor/signing-key.ts'
import { ConfigError } from '../config.ts'
import { rewrapMetaAccounts } from '../meta/accounts.ts'
import { rewrapMetaLogins } from '../meta/logins.ts'
import { presence } from '../postgres/notification-bus.ts'
import { noCompany, recordSecurity } from '../security/log.ts'
import { rewrapSettings } from '../setting/store.ts'
import { rewrapAccounts } from '../whatsapp/account-keys.ts'
import { rewrapTokens } from './connection-tokens.ts'
import { rewrapContactKeys } from './contact-keys.ts'
import { rewrapLogKeys } from './event-mac-keys.ts'
import { checkOf, unwrapKey, unwrapNext, wrapNext } from './seal.ts'

/** All tables whose rows the master key wraps; a new one must be added here. Each step rewraps some rows and returns their number. */
export type Rewrap = (db: Kysely<Database>, from: Buffer, to: Buffer) => Promise<number>
const wrapped: Record<string, Rewrap> = {
  'contact keys': rewrapContactKeys,
  'log keys': rewrapLogKeys,
  'house keys': rewrapSigningKeys,
  'secret settings': rewrapSettings,
  'tokens of connections': rewrapTokens,
  'WhatsApp accounts': rewrapAccounts,
  'accounts at Meta': rewrapMetaAccounts,
  'logins at Meta': rewrapMetaLogins,
}

const fault = (line: string) => new ConfigError([`MASTER_KEY: ${line}`])
const short = (check: string) => check.slice(0, 8)

/** A secret derived from the master key for one purpose. It changes with the master key, so no stored data may depend on it. */
export const derived = (master: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', purpose, 32))

/** Checks that the key matches the store and returns it. A key is created only if no contact is sealed yet (A-KEY-01). */
export async function verifyMasterKey(db: Kysely<Database>, given: Buffer | null, make?: () => Promise<Buffer>): Promise<Buffer> {
  const known = await db.selectFrom('masterKey').selectAll().executeTakeFirst()
  if (!known) return firstKey(db, given, make)
  if (!given) throw fault(`is missing, and the contacts of this store are sealed with key ${short(known.checkValue)}: put it back`)
  const check = checkOf(given)
  if (check === known.handedFrom) throw fault(`was rotated to key ${short(known.checkValue)}; npm run keys -- rotate hands it out again`)
  if (check !== known.checkValue)
    throw fault(`is key ${short(check)}, and the contacts of this store are sealed with key ${short(known.checkValue)}: put that one back`)
  if (known.nextCheck) throw fault('is being rotated: finish that with npm run keys -- rotate')
  if (known.handedFrom) await db.updateTable('masterKey').set({ handedFrom: null, nextWrapped: null }).execute()
  return given
}

async function firstKey(db: Kysely<Database>, given: Buffer | null, make?: () => Promise<Buffer>): Promise<Buffer> {
  const sealed = await db.selectFrom('contactKey').selectAll().where('wrapped', 'is not', null).limit(1).executeTakeFirst()
  if (!given && (sealed || !make)) throw fault('is missing, and the contacts of this store are sealed with it: put it back')
  const key = given ?? (await make!())
  if (sealed && !opens(key, sealed)) throw fault('is not the key that the contacts of this store are sealed with: put that one back')
  const checkValue = checkOf(key)
  await db
    .insertInto('masterKey')
    .values({ checkValue })
    .onConflict((row) => row.doNothing())
    .execute()
  const first = await db.selectFrom('masterKey').select('checkValue').executeTakeFirstOrThrow()
  return first.checkValue === checkValue ? key : verifyMasterKey(db, key) // another process created its key first
}

function opens(key: Buffer, row: { wrapped: Buffer | null; companyId: number; contactId: number }): boolean {
  try {
    return unwrapKey(key, row.wrapped!, row.companyId, row.contactId).length > 0
  } catch {
    return false
  }
}

/** Rewraps everything with a new key. After an interruption it resumes when it is called again with the old key. */
export async function rotate(db: Kysely<Database>, old: Buffer, progress: (what: string, done: number) => void): Promise<Buffer> {
  await assertNoOtherProcess(db)
  const check = checkOf(old)
  const known = await db.selectFrom('masterKey').selectAll().executeTakeFirst()
  if (known?.handedFrom === check && known.nextWrapped) return unwrapNext(old, known.nextWrapped)
  if (!known?.nextCheck) await verifyMasterKey(db, old)
  else if (known.checkValue !== check)
    throw fault(`is key ${short(check)}, and key ${short(known.checkValue)} is being rotated: give that one`)
  const next = known?.nextWrapped && known.nextCheck ? unwrapNext(old, known.nextWrapped) : await begin(db, old)
  for (const [what, some] of Object.entries(wrapped))
    for (let done = 0, found = 1; found > 0; progress(what, done)) {
      found = await some(db, old, next)
      done += found
    }
  await db.transaction().execute(async (tx) => {
    await recordSecurity(tx, {
      companyId: noCompany,
      kind: 'keyRotated',
      userId: null,
      address: null,
      detail: { key: short(checkOf(next)) },
    })
    await tx
      .updateTable('masterKey')
      .set({ checkValue: checkOf(next), nextCheck: null, handedFrom: check, since: new Date().toISOString() })
      .execute()
  })
  return next
}

/** Stores the new key before anything is wrapped with it, or an interruption would lose the wrapped rows. */
async function begin(db: Kysely<Database>, old: Buffer): Promise<Buffer> {
  const next = randomBytes(32)
  await db
    .updateTable('masterKey')
    .set({ nextCheck: checkOf(next), nextWrapped: wrapNext(old, next) })
    .execute()
  return next
}

async function assertNoOtherProcess(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = ${presence}`.execute(db)
  if (rows[0]!.n > 0) throw fault(`${rows[0]!.n} processes of Guichê still run on this store: stop them, then rotate`)
}

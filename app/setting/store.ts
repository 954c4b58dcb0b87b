import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import {
  isDueAfterLate,
  missingText,
  type Setting,
  type SettingKey,
  type StoredSetting,
  settings,
  textsInUse,
} from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../crypto/event-mac-keys.ts'
import { checkOf, unwrapSecret, wrapSecret } from '../crypto/seal.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command, HttpExchange } from '../http/serve.ts'
import type { Broadcast } from '../postgres/notification-bus.ts'
import { noCompany, recordSecurity } from '../security/log.ts'
import { leaveNewestSessions } from '../session/devices.ts'
import { settingsOf } from './read.ts'

type Table = Record<string, Setting>
/** Who changes the setting, under which command id. */
type By = { viewer: Viewer; command: Command; wire: Pick<HttpExchange, 'ip'> }
type Deps = { db: Kysely<Database>; masterKey: Buffer; broadcast: Broadcast; table?: Table }
export type SettingStore = ReturnType<typeof settingStore>

const purpose = (id: string) => `setting ${id}`
export const rewrapSettings = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'secretSetting', purpose, from, to)

/** The settings of companies and of the platform: who may read and change each, and where it is stored. */
export function settingStore({ db, masterKey, broadcast, table = settings }: Deps) {
  const lineOf = (key: string): Setting => (Object.hasOwn(table, key) ? table[key]! : refuse('ERR_NO_SETTING_FOUND'))
  const owner = ({ of }: Setting, companyId: number) => (of === 'platform' ? 0 : companyId)
  const idOf = (key: string, companyId: number) => `${owner(lineOf(key), companyId)}/${key}`

  async function secretsOf(companyId: number): Promise<Set<string>> {
    if (!Object.values(table).some(({ secret }) => secret)) return new Set()
    const rows = await db.selectFrom('secretSetting').select('key').where('companyId', 'in', [0, companyId]).execute()
    return new Set(rows.map(({ key }) => key))
  }

  /** The settings that the viewer may read; null: an anonymous caller. */
  async function all(viewer: Viewer | null): Promise<StoredSetting[]> {
    const companyId = viewer?.companyId ?? 0
    const [now, secret] = await Promise.all([settingsOf(db, companyId), secretsOf(companyId)])
    return Object.entries(table)
      .filter(([, line]) => (viewer ? line.read(viewer) === null : line.public === true))
      .map(([key, line]) => ({ key, value: line.secret ? (secret.has(key) ? 'set' : '') : (now[key as SettingKey] ?? line.default) }))
  }

  async function one(viewer: Viewer | null, key: string): Promise<StoredSetting> {
    const line = lineOf(key)
    const no = viewer ? line.read(viewer) : null
    if (no) refuse(no)
    return (await all(viewer)).find((row) => row.key === key) ?? refuse('ERR_NO_SETTING_FOUND')
  }

  return {
    all,
    one,
    /** Returns the value of a secret setting for internal use. */
    async secret(companyId: number, key: string): Promise<string | null> {
      const id = idOf(key, companyId)
      const row = await db.selectFrom('secretSetting').select('wrapped').where('id', '=', id).executeTakeFirst()
      return row ? unwrapSecret(masterKey, row.wrapped, purpose(id)).toString() : null
    },
    /** `field`: the field of the call that held the value, for errors. */
    async set({ viewer, command, wire }: By, key: string, given: string | boolean, field: string): Promise<StoredSetting> {
      const line = lineOf(key)
      const no = line.write(viewer)
      if (no) refuse(no)
      const value = typeof given === 'boolean' ? toSettingValue(line, given) : given
      if (!Check(line.shape, value) || !(line.fits?.(value) ?? true)) refuse('ERR_INVALID_INPUT', { field, rule: 'setting' })
      const { companyId } = viewer
      const before = await settingsOf(db, companyId)
      if (value.trim() === '' && textsInUse(before).includes(key as SettingKey)) refuse('ERR_INVALID_INPUT', { field, rule: 'minLength' })
      if (key === 'userRating' && value === 'enabled') await requireRatingTexts(db, companyId, field)
      const text = missingText(before, key as SettingKey, value)
      if (text) refuse('ERR_INVALID_INPUT', { field, rule: 'needsText', setting: text })
      if (isDueAfterLate(before, key as SettingKey, value)) refuse('ERR_WAITING_LIMITS', { field })
      if (!line.secret && before[key as SettingKey] === value) {
        await storeCommandId(db, viewer, command, 0)
        return { key, value }
      }
      const detail = { setting: key, ...(!line.secret && { from: before[key as SettingKey] ?? line.default, to: value }) }
      await db.transaction().execute(async (tx) => {
        await keep(tx, masterKey, line, { companyId: owner(line, companyId), key, value })
        if (key === 'severalDevices' && value === 'disabled') await leaveNewestSessions({ tx, broadcast }, companyId)
        const whose = line.of === 'platform' ? noCompany : companyId // admins of the super user's company cannot read it
        await recordSecurity(tx, { companyId: whose, kind: 'settingChanged', userId: viewer.id, address: wire.ip, detail })
        await storeCommandId(tx, viewer, command, 0)
      })
      return one(viewer, key)
    },
  }
}

async function keep(
  tx: Kysely<Database>,
  masterKey: Buffer,
  { of, secret }: Setting,
  row: { companyId: number; key: string; value: string },
): Promise<void> {
  const { companyId, key, value } = row
  if (secret) return keepSecret(tx, masterKey, row)
  if (of === 'platform')
    await tx
      .insertInto('platformSetting')
      .values({ key, value })
      .onConflict((known) => known.column('key').doUpdateSet({ value }))
      .execute()
  else
    await tx
      .insertInto('companySetting')
      .values({ companyId, key, value })
      .onConflict((known) => known.columns(['companyId', 'key']).doUpdateSet({ value }))
      .execute()
}
/** Without a value the secret is deleted. */
async function keepSecret(
  tx: Kysely<Database>,
  masterKey: Buffer,
  { companyId, key, value }: { companyId: number; key: string; value: string },
): Promise<void> {
  const id = `${companyId}/${key}`
  if (value === '') return void (await tx.deleteFrom('secretSetting').where('id', '=', id).execute())
  const sealed = { wrapped: wrapSecret(masterKey, Buffer.from(value), purpose(id)), wrappedBy: checkOf(masterKey) }
  await tx
    .insertInto('secretSetting')
    .values({ id, companyId, key, ...sealed })
    .onConflict((known) => known.column('id').doUpdateSet(sealed))
    .execute()
}

/**
 * Refuses to switch ratings on while a connection has no rating text or no time limit for the answer
 * (R-CONN-05).
 */
async function requireRatingTexts(db: Kysely<Database>, companyId: number, field: string): Promise<void> {
  const own = db.selectFrom('connection').select(['name', 'ratingMessage', 'expiresTicketNPS']).where('companyId', '=', companyId)
  const mute = (await own.orderBy('id').execute()).filter((row) => !row.ratingMessage?.trim() || row.expiresTicketNPS === 0)
  if (mute.length > 0) refuse('ERR_INVALID_INPUT', { field, rule: 'needsRating', connections: mute.map(({ name }) => name).join(', ') })
}

/** Converts a boolean to the setting's own words. */
const toSettingValue = ({ shape }: Setting, on: boolean) =>
  'enum' in shape && (shape.enum as string[]).includes('enabled') ? (on ? 'enabled' : 'disabled') : String(on)

/** A setting that anonymous callers may read; null: not set. */
export async function publicSetting(db: Kysely<Database>, key: string): Promise<string | null> {
  if (!Object.hasOwn(settings, key) || !(settings[key as SettingKey] as Setting).public) refuse('ERR_NO_SETTING_FOUND')
  const value = (await settingsOf(db, 0))[key as SettingKey]
  return value === '' ? null : value
}

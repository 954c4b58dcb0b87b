import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { plan, type Viewer } from '#domain/access.ts'
import { channels, isProvider, providers, setupOf } from '#domain/channel/channels.ts'
import { type Connection, connection, type connections } from '#domain/connection/contract.ts'
import { connectionFault, isEnded, newToken, type Ruled } from '#domain/connection/rules.ts'
import type { Ask } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { hoursFault, type Schedules } from '#domain/hours/contract.ts'
import { on as isOn } from '#domain/setting/contract.ts'
import { dayIn } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import { toCells } from '#projections/postgres.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { ownColumns, rowsIn, saveRelations } from '../http/relations.ts'
import type { Command } from '../http/serve.ts'
import { storeAccount, verifyAccount, verifyChangedAccount } from '../meta/connect.ts'
import { requirePlanCapacity } from '../plan/limits.ts'
import { settingsOf } from '../setting/read.ts'
import { type FileChange, withPath } from '../storage/row-file.ts'
import { pairingIn } from './pairing.ts'
import { sessionsOf } from './session.ts'

export type Deps = Pick<
  AppContext,
  'db' | 'media' | 'tokens' | 'whatsappAccountKeys' | 'meta' | 'graph' | 'clock' | 'config' | 'enqueue' | 'logger'
>
export type Act = { viewer: Viewer; command: Command }
export type StoredConnection = Omit<Connection, 'greetingMediaAttachment'>
type Change = Omit<Ask<typeof connections.update>['body'], 'version'>

export async function connectionIn(
  { tokens, meta, whatsappAccountKeys }: Pick<Deps, 'tokens' | 'meta' | 'whatsappAccountKeys'>,
  on: Kysely<Database>,
  companyId: number,
  id: number,
  lock = false,
): Promise<StoredConnection> {
  const rows = rowsIn(on, connection, companyId) as unknown as SelectQueryBuilder<
    Database,
    'connection',
    Omit<StoredConnection, 'token' | 'account' | 'pairing'>
  >
  const row = await rows
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  const found = row ?? refuse('ERR_NO_WAPP_FOUND')
  const code = await whatsappAccountKeys.code(on, found)
  const pairing = pairingIn(code)
  return { ...found, qrcode: pairing ? '' : code, pairing, token: await tokens.of(on, id), account: await meta.publicPart(on, id) }
}

/** Converts a row to the published shape, in which the file has a name and a URL. */
export function published({ media }: Pick<Deps, 'media'>, row: StoredConnection): Connection {
  const whole = withPath(media, row)
  return { ...whole, greetingMediaAttachment: whole.mediaName }
}

export async function create(
  deps: Deps,
  act: Act,
  { token = newToken(), cloud, ...body }: Ask<typeof connections.create>['body'],
): Promise<StoredConnection> {
  const { viewer } = act
  const noPlan = plan(channels[body.channel].planFlag)(viewer)
  if (noPlan) refuse(noPlan)
  if (setupOf(body.channel) === 'login') refuse('ERR_INVALID_INPUT', { field: 'channel', rule: 'const' }) // A-CONN-04
  const sessions = sessionsOf(deps, body.provider)
  const provider = isProvider(body.provider) ? providers[body.provider] : refuse('ERR_INVALID_INPUT', { field: 'provider', rule: 'enum' })
  if (provider.simulated && !sessions) refuse('ERR_INVALID_INPUT', { field: 'provider', rule: 'enum' })
  const needsCredentials = provider.setup === 'credentials'
  if (needsCredentials !== (cloud !== undefined) || needsCredentials !== (setupOf(body.channel) === 'credentials'))
    refuse('ERR_INVALID_INPUT', { field: cloud ? 'channel' : 'cloud', rule: 'required' }) // A-CONN-03
  if (provider.setup === 'login') refuse('ERR_INVALID_INPUT', { field: 'provider', rule: 'const' }) // A-CONN-04
  const account = cloud ? await verifyAccount(deps, cloud) : null
  const id = 0 // no id yet: the session starts without an account
  const begun = sessions?.begin({ id, provider: body.provider, number: null, status: 'DISCONNECTED', reason: null }) ?? {
    status: 'DISCONNECTED' as const,
    qrcode: '',
  }
  return audited(deps.db, connection, act, async (on) => {
    const { companyId } = viewer
    await lockCompany(on, companyId)
    await requirePlanCapacity(on, companyId, 'connections')
    const given = tidied(body)
    await check(deps, on, companyId, given, given, null)
    const others = await on.selectFrom('connection').select('id').where('companyId', '=', companyId).where('isDefault', '=', true).execute()
    const isDefault = given.isDefault || others.length === 0 // A-CONN-01
    if (isDefault) await clearDefault(on, companyId)
    const row = on.insertInto('connection').values({ ...toCells(ownColumns(connection, { ...given, isDefault })), ...begun, companyId })
    const made = await saveRelations(on, connection, viewer, given, async () => (await row.returning('id').executeTakeFirstOrThrow()).id)
    await deps.tokens.set(on, { id: made, companyId }, token)
    if (account) await storeAccount(deps, on, { id: made, companyId }, account)
    return { before: null, after: await connectionIn(deps, on, companyId, made) }
  })
}

export async function update(
  deps: Deps,
  act: Act,
  { id, companyId }: { id: number; companyId: number },
  { version, token, cloud, ...body }: Ask<typeof connections.update>['body'] & FileChange,
): Promise<StoredConnection> {
  const account = cloud ? await verifyChangedAccount(deps, id, cloud) : null
  return audited(deps.db, connection, act, async (on) => {
    await lockCompany(on, companyId)
    const before = await connectionIn(deps, on, companyId, id, true)
    if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
    for (const fixed of ['channel', 'provider'] as const)
      if (body[fixed] !== undefined && body[fixed] !== before[fixed]) refuse('ERR_INVALID_INPUT', { field: fixed, rule: 'const' })
    const given = tidied(body)
    await check(deps, on, companyId, given, { ...before, ...given }, before)
    if (given.isDefault === true && !before.isDefault) await clearDefault(on, companyId)
    if (given.isDefault === false && before.isDefault) await refuseOnlyDefault(on, companyId, id)
    const renewed = token !== undefined && token !== before.token
    if (Object.keys(given).length > 0 || renewed || account) {
      const change = { ...toCells(ownColumns(connection, given)), version: before.version + 1, updatedAt: deps.clock.iso() }
      const row = on.updateTable('connection').set(change).where('id', '=', id).returning('id')
      await saveRelations(on, connection, { ...act.viewer, companyId }, given, async () => (await row.executeTakeFirstOrThrow()).id)
    }
    if (renewed) await deps.tokens.set(on, { id, companyId }, token)
    if (account) await storeAccount(deps, on, { id, companyId }, account, !isEnded(before))
    return { before, after: await connectionIn(deps, on, companyId, id) }
  })
}

/** Serialises changes of a company's connections, because the default and the plan limit depend on all of them. */
export const lockCompany = (on: Kysely<Database>, companyId: number) =>
  on.selectFrom('company').select('id').where('id', '=', companyId).forNoKeyUpdate().execute()

const clearDefault = (on: Kysely<Database>, companyId: number) =>
  on
    .updateTable('connection')
    .set({ isDefault: false, version: sql`version + 1` })
    .where('companyId', '=', companyId)
    .where('isDefault', '=', true)
    .execute()

/** Another connection must become the default first (R-CONN-13, A-CONN-01). */
export async function refuseOnlyDefault(on: Kysely<Database>, companyId: number, id: number): Promise<void> {
  const others = on.selectFrom('connection').select('id').where('companyId', '=', companyId).where('id', '!=', id)
  if (await others.limit(1).executeTakeFirst()) refuse('ERR_NO_OTHER_WHATSAPP')
}

const tidied = <Body extends { name?: string; timeSendQueue?: string }>(body: Body): Body => ({
  ...body,
  ...(body.name !== undefined && { name: body.name.trim() }),
  ...(body.timeSendQueue !== undefined && { timeSendQueue: String(Number(body.timeSendQueue)) }), // an empty value is '0' (R-CONN-06)
})

/** References to features that do not exist yet, so any id is refused. */
const nowhere = ['integrationId', 'promptId', 'flowIdWelcome', 'flowIdNotPhrase'] as const

async function check(
  deps: Deps,
  on: Kysely<Database>,
  companyId: number,
  given: Change,
  is: object,
  before: StoredConnection | null,
): Promise<void> {
  for (const field of nowhere) if (typeof given[field] === 'number') refuse('ERR_NOT_FOUND', { field })
  if (given.schedules) checkHours(given.schedules)
  const settings = await settingsOf(on, companyId)
  const now = deps.clock.now()
  const around = { userRating: isOn(settings, 'userRating'), now, today: dayIn(settings.timeZone, new Date(now)) }
  const fault = connectionFault(given, is as Ruled, { before: before as Ruled | null, ...around })
  if (fault?.rule === 'greeting') refuse('ERR_WAPP_GREETING_REQUIRED', { field: fault.field })
  if (fault) refuse('ERR_INVALID_INPUT', fault)
}

/** R-CONN-09, A-HOURS-01. */
export function checkHours(schedules: Schedules): void {
  const fault = hoursFault(schedules)
  if (fault) refuse('ERR_INVALID_INPUT', { field: `schedules/${fault.at}`, rule: fault.rule })
}

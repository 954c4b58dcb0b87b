import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type Channel, channelOfProduct, channels, loginProducts } from '#domain/channel/channels.ts'
import type { connections } from '#domain/connection/contract.ts'
import { connection } from '#domain/connection/contract.ts'
import { isEnded, newToken } from '#domain/connection/rules.ts'
import type { Ask } from '#domain/contract.ts'
import { cleanName } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { on as isOn } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { connectionIn, type Deps, lockCompany } from '../connection/save.ts'
import { requirePlanCapacity } from '../plan/limits.ts'
import { settingsOf } from '../setting/read.ts'
import { refuseGraphError, storeAccount } from './connect.ts'
import { appOf, exchangeToken, noPlanFor } from './dialog.ts'
import { accountsOf, type FoundAccount, pagesOf } from './pages.ts'
import { subscribe } from './proof.ts'

/**
 * Connects all pages of the login, and with `addInstagram` the linked Instagram accounts, or only the chosen
 * ones (A-CONN-04). Existing connections receive the new token. Accounts of another company, or refused by
 * Meta or the plan, are reported by name. A disconnected connection stays disconnected, unless it was chosen.
 */
export async function connectPages(deps: Deps, viewer: Viewer, body: Ask<typeof connections.facebook>['body']) {
  const { appSecret } = appOf(deps)
  const { facebookUserToken, login, addInstagram = false, accounts } = body
  const long = login
    ? await deps.meta.logins.of(deps.db, login, viewer)
    : await exchangeToken(deps, facebookUserToken?.trim() || refuse('ERR_INVALID_INPUT', { field: 'facebookUserToken', rule: 'required' }))
  const pages = await pagesOf(deps, { token: long.token, appSecret })
  const { tokenExpiresAt } = long
  const all = pages.flatMap((page) => accountsOf(page, addInstagram || accounts !== undefined))
  const found = accounts ? all.filter(({ accountId }) => accounts.includes(accountId)) : all
  for (const product of loginProducts) {
    const noPlan = found.some((one) => one.product === product) ? noPlanFor(product, viewer) : null
    if (noPlan) refuse(noPlan)
  }
  if (found.length === 0) refuse('ERR_CHANNEL_ACCOUNT')
  const known = await Promise.all(found.map((one) => deps.meta.byAccount(deps.db, one.product, one.accountId)))
  const theirs = known.map((one) => one !== null && one.companyId !== viewer.companyId)
  if (theirs.every((is) => is)) refuse('ERR_CHANNEL_TAKEN')
  const taken = found.filter((_, i) => theirs[i]).map(({ name }) => name)
  const done = { created: 0, renewed: 0, taken, left: [] as string[] }
  let no: Refusal | undefined
  for (const [i, one] of found.entries()) {
    if (theirs[i]) continue
    try {
      await refuseGraphError(subscribe(deps, { ...one, appSecret }))
      await connectAccount(deps, viewer, one, tokenExpiresAt, known[i]?.connectionId ?? null, accounts !== undefined)
      done[known[i] ? 'renewed' : 'created'] += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      no ??= error
      done.left.push(one.name)
    }
  }
  if (no && done.created + done.renewed === 0) throw no
  return done
}

/** Creates the connection, or gives an existing one the new token. */
async function connectAccount(
  deps: Deps,
  viewer: Viewer,
  { name, ...found }: FoundAccount,
  tokenExpiresAt: string | null,
  known: number | null,
  chosen: boolean,
): Promise<void> {
  const { companyId } = viewer
  const account = { ...found, appSecret: null, verifyToken: null, tokenExpiresAt, number: '', reason: null }
  if (known !== null)
    return deps.db.transaction().execute(async (on) => {
      const before = await connectionIn(deps, on, companyId, known, true)
      await storeAccount(deps, on, { id: known, companyId }, account, chosen || !isEnded(before))
      await recordChange(on, connection, viewer, { before, after: await connectionIn(deps, on, companyId, known) })
    })
  await deps.db.transaction().execute(async (on) => {
    await lockCompany(on, companyId)
    await requirePlanCapacity(on, companyId, 'connections')
    const others = await on.selectFrom('connection').select('id').where('companyId', '=', companyId).where('isDefault', '=', true).execute()
    const rating = await ratingOf(on, companyId)
    const channel = channelOfProduct(found.product)
    const row = {
      ...{ companyId, channel, name: nameFor(name, channel), provider: channels[channel].provider },
      ...{ status: 'CONNECTED' as const, isDefault: others.length === 0 },
      whenExpiresTicket: '1' as const, // A-EXP-02
      ...rating,
    }
    const { id } = await on.insertInto('connection').values(row).returning('id').executeTakeFirstOrThrow()
    await deps.tokens.set(on, { id, companyId }, newToken())
    await storeAccount(deps, on, { id, companyId }, account)
    await recordChange(on, connection, viewer, { before: null, after: await connectionIn(deps, on, companyId, id) })
  })
}

/**
 * The login of a page asks for no rating text: if ratings are on, the page takes text and time limit of the
 * default connection (R-CONN-05).
 */
async function ratingOf(on: Kysely<Database>, companyId: number) {
  if (!isOn(await settingsOf(on, companyId), 'userRating')) return {}
  const own = on.selectFrom('connection').select(['ratingMessage', 'expiresTicketNPS']).where('companyId', '=', companyId)
  const asking = await own
    .where(sql<boolean>`trim(rating_message) <> ''`)
    .where('expiresTicketNPS', '>', 0)
    .orderBy('isDefault', 'desc')
    .limit(1)
    .executeTakeFirst()
  return asking ?? refuse('ERR_INVALID_INPUT', { field: 'ratingMessage', rule: 'required' })
}

const nameFor = (name: string, channel: Channel) => {
  const clean = cleanName(name).slice(0, 50)
  return clean.length < 2 ? channels[channel].name : clean
}

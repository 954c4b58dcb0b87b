import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import { digits } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { CloudAccount } from '#domain/meta/contract.ts'
import type { Database } from '#projections/database.ts'
import { setConnectionState } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import type { Account } from './accounts.ts'
import { GraphApiError } from './graph.ts'
import { faultOfNumber, findTokenExpiry, numberFields, type Reason, subscribe } from './proof.ts'

type Deps = Pick<AppContext, 'db' | 'meta' | 'graph' | 'clock' | 'logger'>
type Given = Static<typeof CloudAccount>
/** An account that Meta has confirmed, with its number. `reason`: why it cannot send yet. */
export type VerifiedAccount = Omit<Account, 'connectionId' | 'companyId' | 'hook' | 'hookProvenAt'> & {
  number: string
  reason: Reason | null
}

/** Turns Meta's refusal into a refusal for the user, with the form field that it concerns. */
export async function refuseGraphError<T>(act: Promise<T>, account?: 'phoneNumberId' | 'businessId'): Promise<T> {
  const about = (field?: string) => (account ? { field: `cloud/${field}` } : undefined)
  return act.catch((error: unknown) => {
    if (!(error instanceof GraphApiError)) throw error
    if (error.code === 'ERR_CHANNEL_TOKEN') refuse('ERR_CHANNEL_TOKEN', about('accessToken'))
    if (error.outcome !== 'never') refuse('ERR_CHANNEL_AWAY')
    if (error.code === 'ERR_CHANNEL_PIN') refuse('ERR_CHANNEL_PIN', { field: 'pin' })
    if (error.code === 'ERR_CHANNEL_PIN_LATER') refuse('ERR_CHANNEL_PIN_LATER')
    const where = error.ofSecret ? 'appSecret' : account
    refuse(error.code === 'ERR_CHANNEL_FORBIDDEN' ? 'ERR_CHANNEL_FORBIDDEN' : 'ERR_CHANNEL_ACCOUNT', about(where))
  })
}

/** Verifies with Meta that the token fits the number and the number the business, then subscribes to webhooks. */
export async function verifyAccount({ graph }: Pick<Deps, 'graph'>, given: Given): Promise<VerifiedAccount> {
  const { phoneNumberId, businessId, accessToken, appSecret, verifyToken } = trimmed(given)
  for (const [field, value] of Object.entries({ accessToken, appSecret, verifyToken }))
    if (value === '') refuse('ERR_INVALID_INPUT', { field: `cloud/${field}`, rule: 'required' })
  const access = { token: accessToken, appSecret }
  const ofNumber = graph.call('GET', phoneNumberId, access, { query: { fields: numberFields } })
  const found = await refuseGraphError(ofNumber, 'phoneNumberId')
  const ofBusiness = graph.call('GET', `${businessId}/phone_numbers`, access, { query: { fields: 'id', limit: '100' } })
  const { data } = await refuseGraphError(ofBusiness, 'businessId')
  if (!Array.isArray(data) || !data.some(({ id }: { id: unknown }) => String(id) === phoneNumberId))
    refuse('ERR_CHANNEL_ACCOUNT', { field: 'cloud/businessId' })
  const account = { product: 'whatsapp' as const, accountId: phoneNumberId, businessId, token: accessToken, appSecret }
  await refuseGraphError(subscribe({ graph }, account), 'businessId')
  const tokenExpiresAt = (await findTokenExpiry({ graph }, access)) ?? null
  const number = digits(String(found.display_phone_number ?? ''))
  return { ...account, verifyToken, tokenExpiresAt, number, reason: faultOfNumber(found) }
}

/** Registers a number with the Cloud API. An unregistered number can neither send nor receive. */
export async function register({ db, meta, graph }: Pick<Deps, 'db' | 'meta' | 'graph'>, connectionId: number, pin: string): Promise<void> {
  const account = await meta.of(db, connectionId)
  if (account?.product !== 'whatsapp') return refuse('ERR_WAPP_NOT_INITIALIZED')
  const { accountId, token, appSecret } = account
  await refuseGraphError(
    graph.call('POST', `${accountId}/register`, { token, appSecret }, { json: { messaging_product: 'whatsapp', pin } }),
  )
}

/** Verifies changed credentials; empty fields keep their value. */
export async function verifyChangedAccount(deps: Deps, connectionId: number, given: Partial<Given>): Promise<VerifiedAccount | null> {
  const before = (await deps.meta.of(deps.db, connectionId)) ?? refuse('ERR_INVALID_INPUT', { field: 'cloud', rule: 'const' })
  if (before.product !== 'whatsapp') refuse('ERR_INVALID_INPUT', { field: 'cloud', rule: 'const' })
  const changed = Object.fromEntries(Object.entries(trimmed(given)).filter(([, value]) => value !== ''))
  if (Object.keys(changed).length === 0) return null
  const { accountId, businessId, token, appSecret, verifyToken } = before
  const known = {
    phoneNumberId: accountId,
    businessId: businessId ?? '',
    accessToken: token,
    appSecret: appSecret ?? '',
    verifyToken: verifyToken ?? '',
  }
  return verifyAccount(deps, { ...known, ...changed })
}

export async function storeAccount(
  { meta, clock, logger }: Pick<Deps, 'meta' | 'clock' | 'logger'>,
  on: Kysely<Database>,
  { id, companyId }: { id: number; companyId: number },
  { number, reason, ...account }: VerifiedAccount,
  up = true, // false: a user disconnected it, and it stays disconnected
): Promise<void> {
  await meta.set(on, { connectionId: id, companyId, ...account })
  // clients read the token's expiry from this row
  await on.updateTable('connection').set({ updatedAt: clock.iso() }).where('id', '=', id).execute()
  const standing =
    up && reason === null ? { status: 'CONNECTED' as const } : { status: 'DISCONNECTED' as const, reason: up ? reason : null }
  await setConnectionState({ db: on, clock, logger }, { id }, { ...standing, ...(number !== '' && { number }) })
}

const trimmed = <T extends Partial<Given>>(given: T): T =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value).trim()])) as T

import type { outages } from '#domain/connection/rules.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { AppContext } from '../context.ts'
import { type Account, type Product, senderIdOf } from './accounts.ts'
import { type Access, type Graph, GraphApiError } from './graph.ts'
import { type Json, list, object, text } from './json.ts'
import { products } from './products.ts'

type Deps = Pick<AppContext, 'graph' | 'config' | 'clock'>
export type Reason = keyof typeof outages

/** Webhook fields of a page and its Instagram account. */
const webhookFields = [
  ...['messages', 'messaging_postbacks', 'message_deliveries', 'message_reads', 'message_reactions', 'message_echoes'],
  ...['message_edits', 'messaging_referrals', 'messaging_optins', 'standby'],
]
/** Subscribes to webhooks; safe to repeat. */
export function subscribe({ graph }: Pick<Deps, 'graph'>, account: Pick<Account, 'product' | 'accountId' | 'businessId'> & Access) {
  const { product, businessId, token, appSecret = null } = account
  const whose = product === 'whatsapp' ? businessId : senderIdOf(account)
  const query = product === 'whatsapp' ? {} : { query: { subscribed_fields: webhookFields.join() } }
  return graph.call('POST', `${whose}/subscribed_apps`, { token, appSecret }, query)
}

/** The fields of a number: its name, and whether it can send. */
export const numberFields = 'display_phone_number,verified_name,status,platform_type'
/** A number that is not registered with the Cloud API cannot send: Graph answers with 133010. */
export function faultOfNumber({ status, platform_type }: Json): Reason | null {
  if (text(status) === 'BANNED') return 'FORBIDDEN'
  const away = ['PENDING', 'UNVERIFIED', 'DISCONNECTED', 'MIGRATED', 'DELETED'].includes(text(status))
  return away || ['NOT_APPLICABLE', 'ON_PREMISE'].includes(text(platform_type)) ? 'NOT_REGISTERED' : null
}

/** Returns why an account cannot send or receives no webhooks; null: both work, as far as Meta reports. */
export async function findAccountFault({ graph, config, clock }: Deps, account: Account): Promise<Reason | null> {
  const { product, accountId, businessId, token, appSecret } = account
  const access = { token, appSecret }
  const ofNumber = product === 'whatsapp' ? await graph.call('GET', accountId, access, { query: { fields: numberFields } }) : {}
  const fault = faultOfNumber(ofNumber)
  if (fault) return fault
  const whose = product === 'whatsapp' ? businessId : senderIdOf(account)
  const { data } = await graph.call('GET', `${whose}/subscribed_apps`, access)
  if (product === 'whatsapp') return list(data).length > 0 ? null : 'UNSUBSCRIBED'
  const { appId } = config.meta
  const ours = list(data).find(({ id, subscribed_fields: fields }) => (appId === null || text(id) === appId) && isSubscribed(fields))
  if (!ours) return 'UNSUBSCRIBED'
  const { subscribed_fields: fields } = ours
  // subscribed by an earlier release with fewer fields
  if (Array.isArray(fields) && !webhookFields.every((one) => fields.includes(one)))
    await subscribe({ graph }, account).catch(ignoreGraphError)
  return (await receivesWebhooks({ graph, config, clock }, product)) ? null : 'NO_WEBHOOK'
}
/** Without a list of fields it may be subscribed. */
const isSubscribed = (fields: unknown): boolean =>
  !Array.isArray(fields) || fields.some((one) => (typeof one === 'string' ? one : text(object(one).name)) === 'messages')

const believedMs = minuteMs
type Subscriptions = Promise<Json[] | null>
const known = new WeakMap<Graph, { until: number; all: Subscriptions }>()
/**
 * Returns whether the app receives webhooks for its pages or Instagram accounts. The result counts for all of
 * them. If Meta does not say, it may.
 */
async function receivesWebhooks({ graph, config: { meta }, clock }: Deps, product: Product): Promise<boolean> {
  const { appId, appSecret } = meta
  const one = known.get(graph)
  const fresh = one !== undefined && one.until > clock.now()
  const all = fresh ? one.all : subscriptions(graph, { appId, appSecret })
  if (!fresh) known.set(graph, { until: clock.now() + believedMs, all })
  const found = await all
  const calls =
    found === null ||
    found.some(({ object: of, active, fields }) => text(of) === products[product].webhookObject && active !== false && isSubscribed(fields))
  if (!calls) known.delete(graph)
  return calls
}
async function subscriptions(graph: Graph, { appId, appSecret }: { appId: string | null; appSecret: string | null }): Subscriptions {
  if (appId === null || appSecret === null) return null
  const request = graph.call('GET', `${appId}/subscriptions`, { token: `${appId}|${appSecret}`, appSecret })
  return request.then(({ data }) => list(data), ignoreGraphError)
}

/** Returns when a token expires, as reported by Meta; null: never or unknown. */
export async function findTokenExpiry(
  { graph }: Pick<Deps, 'graph'>,
  { token, appSecret = null }: Access,
): Promise<string | null | undefined> {
  const request = graph.call('GET', 'debug_token', { token, appSecret }, { query: { input_token: token } })
  const found = await request.then(({ data }) => object(data), ignoreGraphError)
  if (found === null) return undefined
  const seconds = Number(text(found.expires_at))
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : null
}

/** The result is optional, so a fault is ignored. */
function ignoreGraphError(error: unknown): null {
  if (error instanceof GraphApiError) return null
  throw error
}

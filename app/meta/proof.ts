import type { outages } from '#domain/connection/rules.ts'
import type { AppContext } from '../context.ts'
import { type Account, type Product, speakerOf } from './accounts.ts'
import { type Access, type Graph, GraphFault } from './graph.ts'
import { type Json, list, object, text } from './json.ts'

type Deps = Pick<AppContext, 'graph' | 'config' | 'clock'>
export type Reason = keyof typeof outages

/** What we are told of at a page, for its Instagram account too. */
const wanted = [
  ...['messages', 'messaging_postbacks', 'message_deliveries', 'message_reads', 'message_reactions', 'message_echoes'],
  ...['message_edits', 'messaging_referrals', 'messaging_optins', 'standby'],
]
/** Asks to be told of what happens there; asked again it stays so. */
export function subscribe({ graph }: Pick<Deps, 'graph'>, account: Pick<Account, 'product' | 'accountId' | 'businessId'> & Access) {
  const { product, businessId, token, appSecret = null } = account
  const whose = product === 'whatsapp' ? businessId : speakerOf(account)
  const query = product === 'whatsapp' ? {} : { query: { subscribed_fields: wanted.join() } }
  return graph.call('POST', `${whose}/subscribed_apps`, { token, appSecret }, query)
}

/** Asks for nothing but what a number is: its name, and whether it may be spoken by. */
export const numberFields = 'display_phone_number,verified_name,status,platform_type'
/** A number that nobody registered with the Cloud API says nothing: what it is asked to send is answered with 133010. */
export function faultOfNumber({ status, platform_type }: Json): Reason | null {
  if (text(status) === 'BANNED') return 'FORBIDDEN'
  const away = ['PENDING', 'UNVERIFIED', 'DISCONNECTED', 'MIGRATED', 'DELETED'].includes(text(status))
  return away || ['NOT_APPLICABLE', 'ON_PREMISE'].includes(text(platform_type)) ? 'NOT_REGISTERED' : null
}

/** Why an account of Meta's cannot speak, or tells us nothing; null: it does both, as far as Meta says. */
export async function faultAt({ graph, config, clock }: Deps, account: Account): Promise<Reason | null> {
  const { product, accountId, businessId, token, appSecret } = account
  const access = { token, appSecret }
  const ofNumber = product === 'whatsapp' ? await graph.call('GET', accountId, access, { query: { fields: numberFields } }) : {}
  const fault = faultOfNumber(ofNumber)
  if (fault) return fault
  const whose = product === 'whatsapp' ? businessId : speakerOf(account)
  const { data } = await graph.call('GET', `${whose}/subscribed_apps`, access)
  if (product === 'whatsapp') return list(data).length > 0 ? null : 'UNSUBSCRIBED'
  const { appId } = config.meta
  const ours = list(data).find(({ id, subscribed_fields: fields }) => (appId === null || text(id) === appId) && isSubscribed(fields))
  if (!ours) return 'UNSUBSCRIBED'
  const { subscribed_fields: fields } = ours
  if (Array.isArray(fields) && !wanted.every((one) => fields.includes(one))) await subscribe({ graph }, account).catch(nothing) // by a release that wanted less
  return (await callsUs({ graph, config, clock }, product)) ? null : 'NO_WEBHOOK'
}
/** Where no fields are named, it may be. */
const isSubscribed = (fields: unknown): boolean =>
  !Array.isArray(fields) || fields.some((one) => (typeof one === 'string' ? one : text(object(one).name)) === 'messages')

const believedMs = 60_000
type Subscriptions = Promise<Json[] | null>
const known = new WeakMap<Graph, { until: number; all: Subscriptions }>()
/** Whether the app calls us of what happens at its pages or Instagram accounts: a yes is one for all of them. Where it does not say, it may. */
async function callsUs({ graph, config: { meta }, clock }: Deps, product: Product): Promise<boolean> {
  const { appId, appSecret } = meta
  const one = known.get(graph)
  const fresh = one !== undefined && one.until > clock.now()
  const all = fresh ? one.all : subscriptions(graph, { appId, appSecret })
  if (!fresh) known.set(graph, { until: clock.now() + believedMs, all })
  const found = await all
  const calls =
    found === null || found.some(({ object: of, active, fields }) => text(of) === product && active !== false && isSubscribed(fields))
  if (!calls) known.delete(graph)
  return calls
}
async function subscriptions(graph: Graph, { appId, appSecret }: { appId: string | null; appSecret: string | null }): Subscriptions {
  if (appId === null || appSecret === null) return null
  const asked = graph.call('GET', `${appId}/subscriptions`, { token: `${appId}|${appSecret}`, appSecret })
  return asked.then(({ data }) => list(data), nothing)
}

/** Until when a token lasts, by its own word; null: for ever, or nobody says. */
export async function lastsUntil({ graph }: Pick<Deps, 'graph'>, { token, appSecret = null }: Access): Promise<string | null | undefined> {
  const asked = graph.call('GET', 'debug_token', { token, appSecret }, { query: { input_token: token } })
  const found = await asked.then(({ data }) => object(data), nothing)
  if (found === null) return undefined
  const seconds = Number(text(found.expires_at))
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : null
}

/** What is good to know, and does without. */
function nothing(error: unknown): null {
  if (error instanceof GraphFault) return null
  throw error
}

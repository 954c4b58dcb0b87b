import { plan, type Viewer } from '#domain/access.ts'
import { channelOfProduct, channels, type LoginProduct, loginProducts } from '#domain/channel/channels.ts'
import type { connections } from '#domain/connection/contract.ts'
import { isEnded } from '#domain/connection/rules.ts'
import type { Answer } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { linkRootOf } from '../config.ts'
import type { Deps } from '../connection/save.ts'
import { refuseGraphError } from './connect.ts'
import { text } from './json.ts'
import type { Login } from './logins.ts'
import { accountsOf, pagesOf } from './pages.ts'
import { loginScopes } from './products.ts'

export function appOf({ config: { meta } }: Pick<Deps, 'config'>): { appId: string; appSecret: string } {
  const { appId, appSecret } = meta
  return appId && appSecret ? { appId, appSecret } : refuse('ERR_META_NOT_SET')
}
/** The URL to which Meta returns the user. It must be listed in the app exactly like this. */
const returnTo = ({ config }: Pick<Deps, 'config'>) => `${linkRootOf(config)}/connections`

/** The error code if the company's plan has no such channel; null: it has. */
export const noPlanFor = (product: LoginProduct, viewer: Viewer) => plan(channels[channelOfProduct(product)].planFlag)(viewer)

/** Returns the URL of the login dialog in which the user authorises our app. */
export async function dialogUrl(deps: Deps, viewer: Viewer): Promise<{ url: string }> {
  const { appId } = appOf(deps)
  if (loginProducts.every((product) => noPlanFor(product, viewer))) refuse('ERR_NO_PLAN')
  const { loginUrl, graphVersion } = deps.config.meta
  const url = new URL(`${loginUrl}/${graphVersion}/dialog/oauth`)
  const state = await deps.meta.logins.begin(deps.db, viewer)
  const query = { client_id: appId, redirect_uri: returnTo(deps), state, response_type: 'code', scope: loginScopes.join(',') }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return { url: url.href }
}

/** Exchanges a token that lasts hours for one that lasts weeks. */
export async function exchangeToken(deps: Deps, token: string): Promise<Login> {
  const { appId: client_id, appSecret: client_secret } = appOf(deps)
  const query = { grant_type: 'fb_exchange_token', client_id, client_secret, fb_exchange_token: token }
  const long = await refuseGraphError(deps.graph.call('GET', 'oauth/access_token', { token: '' }, { query }))
  const lasts = Number(text(long.expires_in))
  return { token: text(long.access_token), tokenExpiresAt: lasts > 0 ? new Date(deps.clock.now() + lasts * 1000).toISOString() : null }
}

/** Handles the return from the dialog: lists the user's pages and Instagram accounts to choose from. */
export async function finishLogin(
  deps: Deps,
  viewer: Viewer,
  { code, state }: { code: string; state: string },
): Promise<Answer<typeof connections.facebookPages>> {
  const { appId: client_id, appSecret: client_secret } = appOf(deps)
  await deps.meta.logins.enter(deps.db, state, viewer)
  const query = { client_id, client_secret, redirect_uri: returnTo(deps), code }
  const short = await refuseGraphError(deps.graph.call('GET', 'oauth/access_token', { token: '' }, { query }))
  const long = await exchangeToken(deps, text(short.access_token))
  const pages = await pagesOf(deps, { token: long.token, appSecret: client_secret })
  await deps.meta.logins.keep(deps.db, state, long)
  const accounts = []
  for (const { product, accountId, businessId, name } of pages.flatMap((page) => accountsOf(page, true))) {
    const known = await deps.meta.byAccount(deps.db, product, accountId)
    const here = known?.companyId === viewer.companyId ? known.connectionId : null
    const connection = deps.db.selectFrom('connection').select(['status', 'reason']).where('id', '=', here)
    const row = here === null ? undefined : await connection.executeTakeFirst()
    const ended = row !== undefined && isEnded(row)
    accounts.push({ product, accountId, businessId, name, connectionId: here, ended, taken: known !== null && here === null })
  }
  return { login: state, accounts, tokenExpiresAt: long.tokenExpiresAt }
}

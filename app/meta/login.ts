import type { Viewer } from '#domain/access.ts'
import { plan } from '#domain/access.ts'
import type { connections } from '#domain/connection/contract.ts'
import { connection } from '#domain/connection/contract.ts'
import { newToken } from '#domain/connection/rules.ts'
import type { Ask } from '#domain/contract.ts'
import { cleanName } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { recordChange } from '../audit/record.ts'
import { alone, connectionIn, type Deps } from '../connection/save.ts'
import { roomInPlan } from '../plan/limits.ts'
import { asked, enter } from './connect.ts'
import { type Json, list, object, text } from './json.ts'

type Found = { product: 'page' | 'instagram'; accountId: string; businessId: string | null; name: string; token: string }

/**
 * A-CONN-04: all pages of who logged in become connections, and with `addInstagram` the Instagram accounts that are linked to them; those
 * that are here already get the new token. Answers how many came anew.
 */
export async function connectPages(
  deps: Deps,
  viewer: Viewer,
  { facebookUserToken, addInstagram = false }: Ask<typeof connections.facebook>['body'],
): Promise<{ created: number; renewed: number }> {
  const { appId, appSecret } = deps.settings.meta
  if (!appId || !appSecret) refuse('ERR_META_NOT_SET')
  const noPlan = plan('useFacebook')(viewer) ?? (addInstagram ? plan('useInstagram')(viewer) : null)
  if (noPlan) refuse(noPlan)
  const exchange = {
    grant_type: 'fb_exchange_token',
    client_id: appId,
    client_secret: appSecret,
    fb_exchange_token: facebookUserToken.trim(),
  }
  const long = await asked(deps.graph.call('GET', 'oauth/access_token', { token: '' }, { query: exchange }))
  const lasts = Number(text(long.expires_in))
  const tokenExpiresAt = lasts > 0 ? new Date(deps.clock.now() + lasts * 1000).toISOString() : null
  const pages = await pagesOf(deps, { token: text(long.access_token), appSecret })
  const found = pages.flatMap((page) => accountsOf(page, addInstagram))
  if (found.length === 0) refuse('ERR_CHANNEL_ACCOUNT')
  let created = 0
  for (const one of found) {
    if (one.product === 'page') {
      const fields = 'messages,messaging_postbacks,message_deliveries,message_reads,message_reactions,message_echoes,message_edits,standby'
      const access = { token: one.token, appSecret }
      await asked(deps.graph.call('POST', `${one.accountId}/subscribed_apps`, access, { query: { subscribed_fields: fields } }))
    }
    if (await connected(deps, viewer, one, tokenExpiresAt)) created += 1
  }
  return { created, renewed: found.length - created }
}

async function pagesOf({ graph }: Pick<Deps, 'graph'>, access: { token: string; appSecret: string }): Promise<Json[]> {
  const pages: Json[] = []
  for (let after = '', turn = 0; turn < 20; turn++) {
    const query = { fields: 'id,name,access_token,instagram_business_account{id,username}', limit: '100', ...(after && { after }) }
    const { data, paging } = await asked(graph.call('GET', 'me/accounts', access, { query }))
    pages.push(...list(data))
    after = object(paging).next ? text(object(object(paging).cursors).after) : ''
    if (after === '') break
  }
  return pages
}

function accountsOf(page: Json, addInstagram: boolean): Found[] {
  const [accountId, token] = [text(page.id), text(page.access_token)]
  if (accountId === '' || token === '') return []
  const linked = object(page.instagram_business_account)
  const own: Found = { product: 'page', accountId, businessId: null, name: text(page.name), token }
  if (!addInstagram || text(linked.id) === '') return [own]
  return [own, { product: 'instagram', accountId: text(linked.id), businessId: accountId, name: text(linked.username) || own.name, token }]
}

/** Whether it came anew; one of another company's is left to it. */
async function connected(deps: Deps, viewer: Viewer, { name, ...found }: Found, tokenExpiresAt: string | null): Promise<boolean> {
  const { companyId } = viewer
  const account = { ...found, appSecret: null, verifyToken: null, tokenExpiresAt, number: '' }
  const known = await deps.meta.byAccount(deps.db, found.product, found.accountId)
  if (known) {
    if (known.companyId !== companyId) refuse('ERR_CHANNEL_TAKEN')
    await enter(deps, deps.db, { id: known.connectionId, companyId }, account)
    return false
  }
  await deps.db.transaction().execute(async (on) => {
    await alone(on, companyId)
    await roomInPlan(on, companyId, 'connections')
    const others = await on.selectFrom('connection').select('id').where('companyId', '=', companyId).where('isDefault', '=', true).execute()
    const row = {
      ...{ companyId, name: nameFor(name), channel: found.product === 'page' ? ('facebook' as const) : ('instagram' as const) },
      ...{ provider: 'graph', status: 'CONNECTED' as const, isDefault: others.length === 0 },
    }
    const { id } = await on.insertInto('connection').values(row).returning('id').executeTakeFirstOrThrow()
    await deps.tokens.set(on, { id, companyId }, newToken())
    await enter(deps, on, { id, companyId }, account)
    await recordChange(on, connection, viewer, { before: null, after: await connectionIn(deps, on, companyId, id) })
  })
  return true
}

const nameFor = (name: string) => {
  const clean = cleanName(name).slice(0, 50)
  return clean.length < 2 ? 'Página' : clean
}

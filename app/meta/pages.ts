import type { LoginProduct } from '#domain/channel/channels.ts'
import type { AppContext } from '../context.ts'
import { refuseGraphError } from './connect.ts'
import { type Json, list, object, text } from './json.ts'

export type FoundAccount = { product: LoginProduct; accountId: string; businessId: string | null; name: string; token: string }

/** All pages of the login, each with its linked Instagram account. */
export async function pagesOf({ graph }: Pick<AppContext, 'graph'>, access: { token: string; appSecret: string }): Promise<Json[]> {
  const pages: Json[] = []
  for (let after = '', turn = 0; turn < 20; turn++) {
    const query = { fields: 'id,name,access_token,instagram_business_account{id,username}', limit: '100', ...(after && { after }) }
    const { data, paging } = await refuseGraphError(graph.call('GET', 'me/accounts', access, { query }))
    pages.push(...list(data))
    after = object(paging).next ? text(object(object(paging).cursors).after) : ''
    if (after === '') break
  }
  return pages
}

export function accountsOf(page: Json, addInstagram: boolean): FoundAccount[] {
  const [accountId, token] = [text(page.id), text(page.access_token)]
  if (accountId === '' || token === '') return []
  const linked = object(page.instagram_business_account)
  const own: FoundAccount = { product: 'page', accountId, businessId: null, name: text(page.name), token }
  if (!addInstagram || text(linked.id) === '') return [own]
  return [own, { product: 'instagram', accountId: text(linked.id), businessId: accountId, name: text(linked.username) || own.name, token }]
}

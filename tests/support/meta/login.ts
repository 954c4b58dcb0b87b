import type { FastifyReply } from 'fastify'
import { appId, appSecret, type Called, hour, No, type World } from './world.ts'

const longMs = 60 * 24 * hour

/** The login dialog, its tokens, and their permissions. */
export function login(world: World) {
  const codes = new Map<string, string>()
  return {
    async answer({ method, path, query, token }: Called, reply: FastifyReply): Promise<unknown> {
      if (path === 'dialog/oauth') {
        const code = world.newId('AQ')
        codes.set(code, world.grant('user', ['pages_messaging', 'instagram_manage_messages'], 2 * hour))
        const back = new URL(query.redirect_uri!)
        for (const [name, value] of Object.entries({ code, state: query.state ?? '' })) back.searchParams.set(name, value)
        return reply.redirect(back.href)
      }
      if (path === 'oauth/access_token') {
        if (query.client_id !== appId || query.client_secret !== appSecret)
          throw new No(1, undefined, 400, 'Error validating client secret.')
        if (query.grant_type === 'fb_exchange_token') {
          world.bearer(query.fb_exchange_token ?? null, undefined)
          return { access_token: world.grant('user', [], longMs), token_type: 'bearer', expires_in: longMs / 1000 }
        }
        const granted = codes.get(query.code ?? '')
        if (!granted) throw new No(100, 36007)
        codes.delete(query.code!)
        return { access_token: granted, token_type: 'bearer', expires_in: 7200 }
      }
      if (path === `${appId}/subscriptions`) {
        if (world.bearer(token, query.appsecret_proof).of !== 'app')
          throw new No(15, undefined, 400, 'This method must be called with an app access token.')
        const fields = [{ name: 'messages', version: 'v25.0' }]
        return { data: [...world.hooks.hooks.values()].map(({ object, url }) => ({ object, callback_url: url, active: true, fields })) }
      }
      if (path === 'debug_token') {
        const asks = world.bearer(token, query.appsecret_proof)
        if (asks.app !== (world.tokens.get(query.input_token ?? '')?.app ?? asks.app)) throw new No(100)
        const found = world.tokens.get(query.input_token ?? '')
        const alive = found !== undefined && !found.dead && (found.expiresAt === null || found.expiresAt > world.now())
        const expires = found?.expiresAt == null ? 0 : Math.floor(found.expiresAt / 1000)
        return {
          data: { app_id: found?.app, is_valid: alive, expires_at: expires, data_access_expires_at: expires, scopes: found?.scopes },
        }
      }
      if (method === 'GET' && path === 'me/accounts') {
        world.bearer(token, query.appsecret_proof)
        const all = [...world.accounts.values()]
        const data = all
          .filter(({ product }) => product === 'page')
          .map(({ id, name }) => {
            const linked = all.find((one) => one.product === 'instagram' && one.page === id)
            const account = linked && { instagram_business_account: { id: linked.id, username: linked.name } }
            return { id, name, access_token: world.grant(id, ['pages_messaging']), tasks: ['MESSAGING'], ...account }
          })
        return { data, paging: {} }
      }
      if (method === 'GET' && path === 'me') {
        world.bearer(token, query.appsecret_proof)
        return { id: '1700', name: 'Dona da página' }
      }
      return undefined
    },
  }
}

import type { Locator, Page } from 'playwright-core'
import { enterAs, type Person } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { type Meta, startMeta } from '#tests/support/meta/double.ts'
import { appId, appSecret } from '#tests/support/meta/world.ts'
import { type Client, client, freePort, signIn } from '#tests/support/processes.ts'

export const own = { secret: 'their-own-secret', word: 'palavra-da-loja' }
export const verifyToken = 'palavra-da-plataforma'

export type AtMeta = { meta: Meta; on: Stage; ask: Client; clear: () => Promise<void> }
/** A server with the Meta double, and a client of its super user. */
export async function atMeta(): Promise<AtMeta> {
  const meta = await startMeta()
  const port = await freePort()
  const app = { META_APP_ID: appId, META_APP_SECRET: appSecret, META_VERIFY_TOKEN: verifyToken }
  const where = { PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${port}`, GRAPH_URL: meta.url, META_LOGIN_URL: meta.url }
  const on = await startBrowserEnv({ ...where, ...app })
  const { token } = await signIn(() => on.server.url, 'super@demo.test')
  return {
    ...{ meta, on, ask: client(() => on.server.url, token) },
    async clear() {
      await on.clear()
      await meta.stop()
    },
  }
}
export async function adminOn(on: Stage, look: Parameters<Stage['come']>[0] = {}): Promise<Person> {
  const one = await on.come(look)
  await enterAs(one, 'admin@demo.test')
  return one
}
export const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

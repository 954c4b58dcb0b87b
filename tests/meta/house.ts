import type { Clock } from '#app/scheduler/clock.ts'
import { startMeta } from '#tests/support/meta/double.ts'
import { appId, appSecret, hour } from '#tests/support/meta/world.ts'
import { startTestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

export const own = { phoneNumberId: '1001', businessId: '9001', appSecret: 'their-own-secret', verifyToken: 'palavra-combinada' }
export const verifyToken = 'palavra-da-plataforma'

/** An app whose Graph API is the double, with webhooks for pages and Instagram accounts. */
export async function startWithMeta({
  clock,
  log,
  graphTimeoutMs,
}: {
  clock?: Clock
  log?: (line: string) => void
  graphTimeoutMs?: number
} = {}) {
  const meta = await startMeta()
  const settings = {
    meta: {
      graphUrl: meta.url,
      graphVersion: 'v25.0',
      loginUrl: meta.url,
      appId,
      appSecret,
      verifyToken,
      ...(graphTimeoutMs && { graphTimeoutMs }),
    },
    publicUrl: 'http://127.0.0.1:1',
  }
  const app = await startTestApp({ config: settings, ...(clock && { clock }), ...(log && { log }) })
  const admin = app.as('admin')

  /** A connection of the Cloud API, with webhooks of its own Meta app. */
  async function cloud(name = 'Oficial') {
    const accessToken = meta.whatsapp.account(own.businessId, own.phoneNumberId, 'Loja', '+55 11 4000-1000', own.appSecret)
    const made = await admin('POST', '/whatsapp', {
      ...{ name, channel: 'whatsappapi', provider: 'cloud', queueIds: [app.company.queues.vendas] },
      cloud: { ...own, accessToken: `  ${accessToken}\n` },
    })
    if (made.status !== 200) throw new Error(JSON.stringify(made.body))
    const url = `${app.url}/api/webhooks/whatsappapi/${made.body.account.hook}`
    const proven = await meta.hooks.subscribe({
      object: 'whatsapp_business_account',
      url,
      secret: own.appSecret,
      verifyToken: own.verifyToken,
    })
    return { id: made.body.id as number, row: made.body, proven, accessToken, url }
  }

  const messagesOf = async (ticketId: number) => (await admin('GET', `/messages/${ticketId}?pageNumber=1`)).body.messages as any[]
  /** The messages in the newest ticket of a contact of this channel, oldest first. */
  async function thread(name: string): Promise<{ id: number; messages: any[] }> {
    const row = await app.db
      .selectFrom('ticket')
      .innerJoin('contact', 'contact.id', 'ticket.contactId')
      .select('ticket.id')
      .where('contact.name', '=', name)
      .orderBy('ticket.id', 'desc')
      .executeTakeFirst()
    return row ? { id: row.id, messages: await messagesOf(row.id) } : { id: 0, messages: [] }
  }
  return {
    ...{ meta, house: app, admin, cloud, thread, hour },
    /** Waits until a contact's thread is as it should be. */
    shows: (name: string, fits: (messages: any[]) => boolean) =>
      eventually(
        () => thread(name),
        ({ messages }) => fits(messages),
      ),
    async stop(): Promise<void> {
      await meta.hooks.quiet()
      await app.stop()
      await meta.stop()
    },
  }
}
export type WithMeta = Awaited<ReturnType<typeof startWithMeta>>

/** The same with one account of each kind: a number, a page and its Instagram account. */
export async function startAtAll(how: Parameters<typeof startWithMeta>[0] = {}): Promise<WithMeta> {
  const at = await startWithMeta(how)
  await at.cloud()
  at.meta.page.account('2001', 'Loja na página')
  at.meta.instagram.account('3001', 'loja.insta', '2001')
  await at.meta.tells(at.house.url, verifyToken)
  const login = { facebookUserToken: at.meta.world.grant('user', []), addInstagram: true }
  const { status, body } = await at.admin('POST', '/facebook', login)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return at
}

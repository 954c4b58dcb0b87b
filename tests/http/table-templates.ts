import { createGraphClient } from '#app/meta/graph.ts'
import { startMeta } from '#tests/support/meta/double.ts'
import type { Scene } from './scene.ts'
import type { Case } from './table.ts'

const missing = 2147483647
const scenes = new WeakMap<Scene, Promise<{ id: number }>>()
/** A ticket of ana on a Cloud API number whose account has a template. */
async function ofCloud(s: Scene): Promise<{ id: number }> {
  const known = scenes.get(s) ?? opened(s)
  scenes.set(s, known)
  return known
}
async function opened(s: Scene): Promise<{ id: number }> {
  const meta = await startMeta()
  s.house.server.server.once('close', () => void meta.stop())
  s.house.ctx.graph = createGraphClient({ url: meta.url, version: 'v25.0' })
  const accessToken = meta.whatsapp.account('9001', '1001', 'Loja', '+55 11 4000-1000', 'their-own-secret')
  meta.whatsapp.template('9001', 'volta', 'Olá {{1}}')
  const cloud = { phoneNumberId: '1001', businessId: '9001', accessToken, appSecret: 'their-own-secret', verifyToken: 'palavra' }
  const { id: whatsappId } = await s.made('admin', 'POST', '/whatsapp', {
    ...{ name: 'Oficial', channel: 'whatsappapi', provider: 'cloud', queueIds: [s.queues.vendas], cloud },
  })
  return s.made('ana', 'POST', '/tickets', { contactId: (await s.contact()).id, queueId: s.queues.vendas, whatsappId })
}

export const ofTemplates: Record<string, Case> = {
  'GET /templates/:ticketId': {
    pass: async (s) => ({ path: `/templates/${(await ofCloud(s)).id}` }),
    gives: { templates: [{ name: 'volta', status: 'approved', fields: [{ at: 'body', name: '1' }] }] },
    no: async (s) => [{ path: `/templates/${(await s.served()).id}` }, 400, 'ERR_CHANNEL_CANNOT'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/templates/${theirs.ticket.id}` }],
  },
  'POST /templates/:ticketId': {
    pass: async (s) => ({
      path: `/templates/${(await ofCloud(s)).id}`,
      body: { template: { name: 'volta', language: 'pt_BR', values: ['Ida'] } },
    }),
    gives: { body: 'Olá Ida', fromMe: true },
    no: () => [{ path: `/templates/${missing}`, body: { template: { name: 'a', language: 'b', values: [] } } }, 404, 'ERR_NO_TICKET_FOUND'],
    foreign: ({ theirs }) => [
      { who: 'admin', path: `/templates/${theirs.ticket.id}`, body: { template: { name: 'a', language: 'b', values: [] } } },
    ],
  },
}

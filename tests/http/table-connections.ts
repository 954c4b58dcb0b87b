import { expect } from 'vitest'
import { createGraphClient } from '#app/meta/graph.ts'
import { startMeta } from '#tests/support/meta/double.ts'
import { appId, appSecret } from '#tests/support/meta/world.ts'
import type { Scene } from './scene.ts'
import type { Case } from './table.ts'

const missing = 2147483647
const made = { name: 'Nova', channel: 'whatsapp', provider: 'sandbox' }

function file(): FormData {
  const form = new FormData()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.append('file', new Blob([Buffer.from(png, 'base64')]), 'ola.png')
  return form
}

/** Numbers of the Cloud API created so far. Each belongs to one connection only. */
let numbers = 0

export const connections: Record<string, Case> = {
  'GET /whatsapp': {
    pass: () => ({ path: '/whatsapp' }),
    gives: [{ name: 'Loja' }, { name: 'Balcão' }],
    no: () => [{ path: '/whatsapp?session=x' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /whatsapp/filter': {
    pass: () => ({ path: '/whatsapp/filter?session=0&channel=whatsapp' }),
    gives: { 0: { name: 'Loja' } },
    no: () => [{ path: '/whatsapp/filter?channel=fax' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /whatsapp/all': {
    pass: async (s) => ({ who: await s.superUser(), path: '/whatsapp/all?session=0' }),
    gives: { 0: { name: 'Loja', company: { name: 'Casa' } } },
    no: () => [{ who: 'admin', path: '/whatsapp/all' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /whatsapp/companies': {
    pass: async (s) => ({ who: await s.superUser(), path: '/whatsapp/companies' }),
    gives: { 0: { name: 'Casa' } },
    no: () => [{ who: 'admin', path: '/whatsapp/companies' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /whatsapp/providers': {
    pass: () => ({ who: 'admin', path: '/whatsapp/providers' }),
    gives: ['sandbox', 'cloud', 'graph'],
    no: () => [{ path: '/whatsapp/providers' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /whatsapp/alarm': {
    pass: () => ({ who: 'admin', path: '/whatsapp/alarm' }),
    gives: { mails: expect.any(Boolean) },
    no: () => [{ path: '/whatsapp/alarm' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /whatsapp-admin/:id': {
    pass: async (s) => ({ who: await s.superUser(), path: `/whatsapp-admin/${s.companies.vizinha}?session=0` }),
    gives: [{ name: 'Deles' }],
    no: (s) => [{ who: 'admin', path: `/whatsapp-admin/${s.companies.casa}` }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /whatsapp': {
    pass: () => ({ who: 'admin', path: '/whatsapp', body: made }),
    gives: { name: 'Nova', status: 'qrcode', isDefault: false, maxUseBotQueues: 3, timeSendQueue: '0' },
    no: () => [{ path: '/whatsapp', body: made }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: '/whatsapp', body: { ...made, queueIds: [s.theirs.queue] } }],
  },
  'GET /whatsapp/:id': {
    pass: (s) => ({ who: 'admin', path: `/whatsapp/${s.connections.balcao}?session=0` }),
    gives: { name: 'Balcão', queues: [{ name: 'Vendas' }] },
    no: (s) => [{ path: `/whatsapp/${s.connections.loja}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}` }],
  },
  'GET /whatsapp/:id/quality': {
    pass: (s) => ({ who: 'admin', path: `/whatsapp/${s.connections.balcao}/quality` }),
    gives: { quality: null },
    no: (s) => [{ path: `/whatsapp/${s.connections.loja}/quality` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}/quality` }],
  },
  'GET /whatsapp/:id/traffic': {
    pass: (s) => ({ who: 'admin', path: `/whatsapp/${s.connections.balcao}/traffic?days=7` }),
    gives: { connection: { name: 'Balcão' }, leaving: { n: 0, since: null } },
    no: (s) => [{ path: `/whatsapp/${s.connections.loja}/traffic` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}/traffic` }],
  },
  'PUT /whatsapp/:id': {
    pass: async (s) => ({ who: 'admin', path: `/whatsapp/${(await s.connection()).id}`, body: { name: 'Outra', allowGroup: true } }),
    gives: { name: 'Outra', allowGroup: true },
    no: (s) => [{ who: 'admin', path: `/whatsapp/${s.connections.loja}`, body: { isDefault: false } }, 400, 'ERR_NO_OTHER_WHATSAPP'],
    foreign: (s) => [
      { who: 'admin', path: `/whatsapp/${s.theirs.connection}`, body: { name: 'Nossa' } },
      { who: 'admin', path: `/whatsapp/${s.connections.balcao}`, body: { sendIdQueue: s.theirs.queue, timeSendQueue: '5' } },
    ],
  },
  'DELETE /whatsapp/:id': {
    pass: async (s) => ({ who: 'admin', path: `/whatsapp/${(await s.connection()).id}` }),
    no: (s) => [{ who: 'admin', path: `/whatsapp/${s.connections.loja}` }, 400, 'ERR_NO_OTHER_WHATSAPP'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}` }],
  },
  'POST /whatsapp/:id/media-upload': {
    pass: async (s) => ({ who: 'admin', path: `/whatsapp/${(await s.connection()).id}/media-upload`, body: file() }),
    gives: { greetingMediaAttachment: 'ola.png', isMedia: true },
    no: (s) => [{ path: `/whatsapp/${s.connections.loja}/media-upload`, body: file() }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}/media-upload`, body: file() }],
  },
  'DELETE /whatsapp/:id/media-upload': {
    async pass(s) {
      const path = `/whatsapp/${(await s.connection()).id}/media-upload`
      await s.house.as('admin')('POST', path, file())
      return { who: 'admin', path }
    },
    no: (s) => [{ path: `/whatsapp/${s.connections.loja}/media-upload` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsapp/${s.theirs.connection}/media-upload` }],
  },
  'POST /whatsappsession/:id': {
    pass: async (s) => ({ who: 'admin', path: `/whatsappsession/${(await s.connection()).id}` }),
    gives: { status: 'qrcode' },
    no: () => [{ who: 'admin', path: `/whatsappsession/${missing}` }, 404, 'ERR_NO_WAPP_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/whatsappsession/${s.theirs.connection}` }],
  },
  'PUT /whatsappsession/:id': {
    pass: async (s) => ({ who: 'admin', path: `/whatsappsession/${(await s.connection()).id}` }),
    gives: { status: 'qrcode' },
    no: (s) => [{ path: `/whatsappsession/${s.connections.balcao}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsappsession/${s.theirs.connection}` }],
  },
  'POST /whatsappsession/:id/code': {
    pass: async (s) => ({
      who: 'admin',
      path: `/whatsappsession/${(await s.connection()).id}/code`,
      body: { number: '\u202a(11)\u00a091234\u20115678\u202c' }, // as copied from a phone, without its country code
    }),
    gives: { status: 'qrcode', qrcode: '', pairing: { number: '5511912345678', until: null } },
    no: (s) => [{ path: `/whatsappsession/${s.connections.balcao}/code`, body: { number: '5511912345678' } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsappsession/${s.theirs.connection}/code`, body: { number: '5511912345678' } }],
  },
  'POST /whatsappsession/:id/register': {
    async pass(s) {
      const meta = await atMeta(s)
      const phoneNumberId = `110${++numbers}`
      const accessToken = meta.whatsapp.account('9100', phoneNumberId, 'Número oficial', `+55 11 4000-${phoneNumberId}`, 'its-own-secret')
      meta.whatsapp.registered(phoneNumberId, false)
      const cloud = { phoneNumberId, businessId: '9100', accessToken, appSecret: 'its-own-secret', verifyToken: 'palavra' }
      const { id } = await s.made('admin', 'POST', '/whatsapp', {
        name: 'Oficial',
        channel: 'whatsappapi',
        provider: 'cloud',
        queueIds: [],
        cloud,
      })
      return { who: 'admin', path: `/whatsappsession/${id}/register`, body: { pin: '135790' } }
    },
    gives: { status: 'OPENING' },
    no: (s) => [{ path: `/whatsappsession/${s.connections.balcao}/register`, body: { pin: '135790' } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsappsession/${s.theirs.connection}/register`, body: { pin: '135790' } }],
  },
  'DELETE /whatsappsession/:id': {
    pass: async (s) => ({ who: 'admin', path: `/whatsappsession/${(await s.connection()).id}` }),
    no: (s) => [{ path: `/whatsappsession/${s.connections.balcao}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/whatsappsession/${s.theirs.connection}` }],
  },
  'POST /closedimported/:id': {
    pass: (s) => ({ who: 'admin', path: `/closedimported/${s.connections.balcao}` }),
    gives: { kind: 'closeTickets', total: 0 },
    no: (s) => [{ path: `/closedimported/${s.connections.balcao}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/closedimported/${s.theirs.connection}` }],
  },
  'POST /whatsapp-restart': {
    pass: () => ({ who: 'root', path: '/whatsapp-restart' }),
    gives: { restarted: 1 },
    no: () => [{ path: '/whatsapp-restart' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /facebook': {
    async pass(s) {
      const meta = await atMeta(s)
      return { who: 'admin', path: '/facebook', body: { facebookUserId: '1700', facebookUserToken: meta.world.grant('user', []) } }
    },
    gives: { created: 1, renewed: 0, taken: [], left: [] },
    no: () => [{ path: '/facebook', body: { facebookUserToken: 'x' } }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /facebook/login': {
    async pass({ house: app }) {
      app.ctx.config.meta = { ...app.ctx.config.meta, appId, appSecret }
      return { who: 'admin', path: '/facebook/login' }
    },
    gives: { url: expect.stringContaining('/dialog/oauth?') },
    no: () => [{ path: '/facebook/login' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /facebook/pages': {
    async pass(s) {
      const { code, state } = await letIn(s)
      return { who: 'admin', path: '/facebook/pages', body: { code, state } }
    },
    gives: { accounts: [{ product: 'page', accountId: '2001', taken: false }] },
    no: () => [{ who: 'admin', path: '/facebook/pages', body: { code: 'x', state: 'y' } }, 400, 'ERR_META_LOGIN'],
  },
  'POST /sandbox/:connectionId/scan': {
    pass: async (s) => ({ who: 'admin', path: `/sandbox/${(await s.connection()).id}/scan` }),
    no: (s) => [{ path: `/sandbox/${s.connections.loja}/scan` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/scan` }],
  },
}

/** A Graph API double with one page, at which this app is registered. */
async function atMeta({ house: app }: Scene) {
  const meta = await startMeta()
  app.server.server.once('close', () => void meta.stop())
  meta.page.account('2001', 'Página da casa')
  const { ctx: whole } = app
  whole.config.meta = { ...whole.config.meta, appId, appSecret, loginUrl: meta.url }
  whole.graph = createGraphClient({ url: meta.url, version: 'v25.0' })
  return meta
}
/** The parameters of the redirect after an admin finished the login dialog. */
async function letIn(s: Scene): Promise<{ code: string; state: string }> {
  await atMeta(s)
  const { url } = await s.made('admin', 'POST', '/facebook/login', {})
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
  return { code: back.searchParams.get('code')!, state: back.searchParams.get('state')! }
}

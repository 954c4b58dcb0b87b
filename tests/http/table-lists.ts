import type { Case } from './table.ts'
import { connections } from './table-connections.ts'
import { supervision } from './table-dashboard.ts'
import { dataRequests } from './table-data-requests.ts'
import { files } from './table-files.ts'
import { board } from './table-kanban.ts'
import { people } from './table-people.ts'
import { replies } from './table-replies.ts'
import { reportFilterCases } from './table-report-filters.ts'
import { trees } from './table-trees.ts'
import { works } from './table-works.ts'

const missing = 2147483647
const tag = { name: 'Marca', color: '#123456' }

/** The plain lists and related calls. */
export const lists: Record<string, Case> = {
  'GET /tickets/listed/close': {
    pass: () => ({ who: 'admin', path: '/tickets/listed/close?status=group' }),
    gives: { count: 0, holders: [] },
    no: () => [{ path: '/tickets/listed/close?status=group' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /tickets/listed/close': {
    pass: () => ({ who: 'admin', path: '/tickets/listed/close', body: { status: 'group' } }),
    gives: { count: 0 },
    no: () => [{ path: '/tickets/listed/close', body: { status: 'open' } }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /contacts': { pass: () => ({ path: '/contacts?searchParam=maria' }), gives: { contacts: [{ name: 'Maria Silva' }], count: 1 } },
  'POST /contacts': {
    pass: () => ({ path: '/contacts', body: { name: 'Nova Pessoa', number: '+55 11 91111-2222' } }),
    gives: { name: 'Nova Pessoa', number: '5511911112222' },
    no: () => [{ path: '/contacts', body: { name: 'Maria', number: '1187654321' } }, 409, 'ERR_DUPLICATED_CONTACT'], // the same number with the ninth digit (A-CONTACT-02)
  },
  'GET /contacts/export': {
    pass: () => ({ path: '/contacts/export?searchParam=maria' }),
    no: () => [{ path: '/contacts/export?contactTag=x' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /contacts/export/csv': {
    pass: () => ({ path: '/contacts/export/csv?searchParam=maria' }),
    no: () => [{ path: '/contacts/export/csv?isGroup=talvez' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /contacts/list': {
    pass: () => ({ path: '/contacts/list?name=maria' }),
    gives: [{ name: 'Maria Silva', number: '5511987654321' }],
    no: () => [{ path: `/contacts/list?name=${'x'.repeat(201)}` }, 400, 'ERR_INVALID_INPUT'],
  },
  'POST /contactsImport': {
    pass: () => ({
      path: '/contactsImport',
      body: { name: 'Da Planilha', number: '(11) 95555-7070', email: 'p@casa.test', tags: 'Feira, VIP', validateContact: 'false' },
    }),
    gives: { name: 'Da Planilha', number: '5511955557070', email: 'p@casa.test', tags: [{ name: 'VIP' }, { name: 'Feira' }] },
    no: () => [{ path: '/contactsImport', body: { name: 'Curto', number: '5,51E+12' } }, 400, 'ERR_IMPORT_SHORTENED'], // A-IMP-06
  },
  'GET /contacts/profile/:number': {
    pass: () => ({ path: '/contacts/profile/5511987654321' }),
    gives: { number: '5511987654321', exists: true, urlPicture: null },
    no: () => [{ path: '/contacts/profile/maria' }, 400, 'ERR_WAPP_INVALID_CONTACT'],
  },
  'GET /contacts/:id': {
    pass: (s) => ({ path: `/contacts/${s.contacts.maria}` }),
    gives: { name: 'Maria Silva' },
    no: () => [{ path: `/contacts/${missing}` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}` }],
  },
  'GET /contacts/:id/duplicates': {
    pass: (s) => ({ path: `/contacts/${s.contacts.maria}/duplicates` }),
    gives: [],
    no: () => [{ path: `/contacts/${missing}/duplicates` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/duplicates` }],
  },
  'GET /contacts/:id/similar': {
    pass: (s) => ({ path: `/contacts/${s.contacts.maria}/similar` }),
    gives: [],
    no: () => [{ path: `/contacts/${missing}/similar` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/similar` }],
  },
  'GET /contacts/:id/overview': {
    pass: (s) => ({ path: `/contacts/${s.contacts.maria}/overview` }),
    gives: { merges: [] },
    no: () => [{ path: `/contacts/${missing}/overview` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/overview` }],
  },
  'GET /contacts/:id/files': {
    pass: (s) => ({ path: `/contacts/${s.contacts.maria}/files` }),
    gives: { cursor: null },
    no: () => [{ path: `/contacts/${missing}/files` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/files` }],
  },
  'POST /contacts/:id/merge': {
    pass: async (s) => ({ path: `/contacts/${(await s.contact()).id}/merge`, body: { targetId: (await s.contact()).id } }),
    no: (s) => [{ path: `/contacts/${s.contacts.joao}/merge`, body: { targetId: s.contacts.joao } }, 400, 'ERR_MERGE_SELF'],
    foreign: (s) => [
      { path: `/contacts/${s.theirs.contact}/merge`, body: { targetId: s.contacts.joao } },
      { path: `/contacts/${s.contacts.joao}/merge`, body: { targetId: s.theirs.contact } },
    ],
  },
  'POST /contacts/:id/separate': {
    pass: async (s) => {
      const [source, target] = [await s.contact(), await s.contact()]
      await s.made('ana', 'POST', `/contacts/${source.id}/merge`, { targetId: target.id })
      return { path: `/contacts/${source.id}/separate` }
    },
    no: () => [{ path: `/contacts/${missing}/separate` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/separate` }],
  },
  'PUT /contacts/:id': {
    pass: async (s) => ({ path: `/contacts/${(await s.contact()).id}`, body: { name: 'Outro Nome', number: '5511900001111' } }),
    gives: { name: 'Outro Nome', number: '5511900001111' },
    no: (s) => [{ path: `/contacts/${s.contacts.joao}`, body: { name: 'João', number: '5511987654321' } }, 409, 'ERR_DUPLICATED_CONTACT'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}`, body: { name: 'Roubado', number: '5511900002222' } }],
  },
  'PUT /contacts/block/:id': {
    pass: async (s) => ({ path: `/contacts/block/${(await s.contact()).id}`, body: { active: false } }),
    gives: { active: false },
    no: (s) => [{ path: `/contacts/block/${s.contacts.joao}`, body: { active: 'talvez' } }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ path: `/contacts/block/${s.theirs.contact}`, body: { active: false } }],
  },
  'DELETE /contacts/:id': {
    pass: async (s) => ({ who: 'admin', path: `/contacts/${(await s.contact()).id}` }),
    no: async (s) => [{ who: 'admin', path: `/contacts/${(await s.served()).contactId}` }, 409, 'ERR_OTHER_OPEN_TICKET'], // A-CONTACT-01
    foreign: (s) => [{ who: 'admin', path: `/contacts/${s.theirs.contact}` }],
  },
  'GET /contactTags/:contactId': {
    pass: (s) => ({ path: `/contactTags/${s.contacts.maria}` }),
    no: () => [{ path: `/contactTags/${missing}` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contactTags/${s.theirs.contact}` }],
  },
  'POST /tags/sync': {
    pass: async (s) => ({ path: '/tags/sync', body: { contactId: (await s.contact()).id, tags: [{ id: s.tags.vip }] } }),
    gives: { tags: [{ name: 'VIP' }] },
    no: (s) => [{ path: '/tags/sync', body: { contactId: missing, tags: [{ id: s.tags.vip }] } }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: '/tags/sync', body: { contactId: s.theirs.contact, tags: [] } }],
  },

  'PUT /contacts/toggleAcceptAudio/:id': {
    pass: async (s) => ({ path: `/contacts/toggleAcceptAudio/${(await s.contact()).id}` }),
    gives: { acceptAudioMessage: false },
    no: () => [{ path: `/contacts/toggleAcceptAudio/${missing}` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/toggleAcceptAudio/${s.theirs.contact}` }],
  },
  'PUT /contacts/toggleDisableBot/:contactId': {
    pass: async (s) => ({ path: `/contacts/toggleDisableBot/${(await s.contact()).id}` }),
    gives: { disableBot: true },
    no: () => [{ path: `/contacts/toggleDisableBot/${missing}` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/toggleDisableBot/${s.theirs.contact}` }],
  },
  'PUT /contacts/:id/tags': {
    pass: async (s) => ({ path: `/contacts/${(await s.contact()).id}/tags`, body: { added: [s.tags.vip], taken: [] } }),
    gives: { tags: [{ name: 'VIP' }] },
    no: (s) => [{ path: `/contacts/${missing}/tags`, body: { added: [s.tags.vip], taken: [] } }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: (s) => [{ path: `/contacts/${s.theirs.contact}/tags`, body: { added: [], taken: [] } }],
  },

  'GET /tags': {
    pass: () => ({ path: '/tags?searchParam=vip' }),
    gives: { tags: [{ name: 'VIP' }] },
    no: () => [{ path: '/tags?pageNumber=0' }, 400, 'ERR_INVALID_INPUT'],
  },
  'POST /tags': {
    pass: (s) => ({ who: 'dulce', path: '/tags', body: { ...tag, kanban: 1, nextLaneId: s.tags.pista } }),
    gives: { name: 'Marca', kanban: 1, contactsCount: 0 },
    no: (s) => [{ who: 'dulce', path: '/tags', body: { ...tag, kanban: 1, nextLaneId: s.tags.vip } }, 404, 'ERR_NO_TAG_FOUND'], // A-LANE-01: a tag is no lane
    foreign: (s) => [
      { who: 'dulce', path: '/tags', body: { ...tag, kanban: 1, nextLaneId: s.theirs.tag } },
      { who: 'dulce', path: '/tags', body: { ...tag, kanban: 1, rollbackLaneId: s.theirs.tag } },
    ],
  },
  'GET /tags/:id': {
    pass: (s) => ({ path: `/tags/${s.tags.vip}` }),
    gives: { name: 'VIP' },
    no: () => [{ path: `/tags/${missing}` }, 404, 'ERR_NO_TAG_FOUND'],
    foreign: (s) => [{ path: `/tags/${s.theirs.tag}` }],
  },
  'PUT /tags/:id': {
    pass: async (s) => ({ path: `/tags/${(await s.tag()).id}`, body: { ...tag, name: 'Renomeada' } }),
    gives: { name: 'Renomeada' },
    no: () => [{ path: `/tags/${missing}`, body: tag }, 404, 'ERR_NO_TAG_FOUND'],
    foreign: async (s) => [
      { path: `/tags/${s.theirs.tag}`, body: tag },
      { who: 'dulce', path: `/tags/${(await s.tag(1)).id}`, body: { ...tag, kanban: 1, nextLaneId: s.theirs.tag } },
    ],
  },
  'DELETE /tags/:id': {
    pass: async (s) => ({ path: `/tags/${(await s.tag()).id}` }),
    no: async (s) => [{ who: 'bruno', path: `/tags/${(await s.tag()).id}` }, 403, 'ERR_NO_PERMISSION'], // every user creates tags; the creator or an admin deletes them
    foreign: (s) => [{ path: `/tags/${s.theirs.tag}` }],
  },
  'GET /tags/list': {
    pass: () => ({ path: '/tags/list?kanban=1' }),
    gives: { 0: { kanban: 1 } },
    no: () => [{ path: '/tags/list?kanban=x' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /tag/kanban': { pass: () => ({ path: '/tag/kanban' }), gives: { lista: { 0: { name: 'Pista', kanban: 1 } } } },
  'DELETE /tags-contacts/:tagId/:contactId': {
    async pass(s) {
      const { id: contactId } = await s.contact()
      await s.made('ana', 'POST', '/tags/sync', { contactId, tags: [{ id: s.tags.novo }] })
      return { path: `/tags-contacts/${s.tags.novo}/${contactId}` }
    },
    no: (s) => [{ path: `/tags-contacts/${missing}/${s.contacts.maria}` }, 404, 'ERR_NO_TAG_FOUND'],
    foreign: (s) => [
      { path: `/tags-contacts/${s.theirs.tag}/${s.contacts.maria}` },
      { path: `/tags-contacts/${s.tags.vip}/${s.theirs.contact}` },
    ],
  },

  ...replies,
  ...files,
  ...board,
  ...supervision,

  'GET /queue': { pass: () => ({ path: '/queue' }), gives: [{ name: 'Vendas' }, { name: 'Suporte' }] },
  'POST /queue': {
    pass: () => ({ who: 'admin', path: '/queue', body: { name: 'Financeiro', color: '#d97706' } }),
    gives: { name: 'Financeiro' },
    no: () => [{ who: 'admin', path: '/queue', body: { name: 'Outra', color: '#2563EB' } }, 409, 'ERR_QUEUE_COLOR_ALREADY_EXISTS'], // R-QUEUE-02
  },
  'GET /queue/:id': {
    pass: (s) => ({ path: `/queue/${s.queues.vendas}` }),
    gives: { name: 'Vendas' },
    no: () => [{ path: `/queue/${missing}` }, 404, 'ERR_NO_QUEUE_FOUND'],
    foreign: (s) => [{ path: `/queue/${s.theirs.queue}` }],
  },
  'PUT /queue/order': {
    pass: (s) => ({ who: 'admin', path: '/queue/order', body: { ids: [s.queues.vendas, s.queues.suporte] } }),
    gives: { 0: { name: 'Vendas', orderQueue: 1 } },
    no: (s) => [{ path: '/queue/order', body: { ids: [s.queues.vendas] } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: '/queue/order', body: { ids: [s.theirs.queue] } }],
  },
  'PUT /queue/:id': {
    pass: async (s) => ({ who: 'admin', path: `/queue/${(await s.queue()).id}`, body: { name: 'Cobrança', color: '#facade' } }),
    gives: { name: 'Cobrança' },
    no: (s) => [{ path: `/queue/${s.queues.vendas}`, body: { name: 'Minha', color: '#000000' } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/queue/${s.theirs.queue}`, body: { name: 'Nossa', color: '#000001' } }],
  },
  'DELETE /queue/:id': {
    pass: async (s) => ({ who: 'admin', path: `/queue/${(await s.queue()).id}?moveTo=${s.queues.vendas}` }),
    no: (s) => [{ who: 'admin', path: `/queue/${s.queues.vendas}` }, 409, 'ERR_QUEUE_IN_USE'],
    foreign: async (s) => [
      { who: 'admin', path: `/queue/${s.theirs.queue}` },
      { who: 'admin', path: `/queue/${(await s.queue()).id}?moveTo=${s.theirs.queue}` },
    ],
  },

  ...works,
  ...dataRequests,
  'GET /audit': {
    pass: async (s) => ({ who: 'dulce', path: `/audit?list=tag&rowId=${(await s.tag()).id}` }),
    gives: { changes: { 0: { list: 'tag', act: 'created', before: null } }, hasMore: false },
    no: () => [{ path: '/audit' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /settings': { pass: () => ({ path: '/settings' }), gives: { 0: { key: 'timeZone', value: 'America/Sao_Paulo' } } },
  'PUT /settings/:key': {
    pass: () => ({ who: 'admin', path: '/settings/showNotificationPending', body: { value: true } }),
    gives: { key: 'showNotificationPending', value: true },
    no: () => [{ path: '/settings/showNotificationPending', body: { value: true } }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /setting/:key': {
    pass: () => ({ path: '/setting/requiredTag' }),
    gives: { key: 'requiredTag', value: 'disabled' },
    no: () => [{ path: '/setting/none' }, 404, 'ERR_NO_SETTING_FOUND'],
  },
  'GET /companySettings/:companyId': {
    pass: (s) => ({ path: `/companySettings/${s.companies.casa}` }),
    gives: { scheduleType: 'disabled', sendFarewellWaitingTicket: 'enabled' },
    no: () => [{ path: `/companySettings/${missing}` }, 404, 'ERR_NOT_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/companySettings/${s.companies.vizinha}` }],
  },
  'GET /companySettingOne': {
    pass: () => ({ path: '/companySettingOne?column=userRating' }),
    gives: { userRating: 'disabled' },
    no: () => [{ path: '/companySettingOne?column=none' }, 404, 'ERR_NO_SETTING_FOUND'],
  },
  'PUT /companySettings': {
    pass: () => ({ who: 'admin', path: '/companySettings', body: { column: 'closeTicketOnTransfer', data: false } }),
    gives: { key: 'closeTicketOnTransfer', value: false },
    no: () => [{ who: 'admin', path: '/companySettings', body: { column: 'scheduleType', data: 'never' } }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /settings/userCreation': {
    ...{ open: true, pass: () => ({ who: null, path: '/settings/userCreation' }) },
    gives: { userCreation: 'enabled' },
  },
  'GET /public-settings/:key': {
    ...{ open: true, pass: () => ({ who: null, path: '/public-settings/primaryColorLight' }) },
    no: () => [{ who: null, path: '/public-settings/transferMessage' }, 404, 'ERR_NO_SETTING_FOUND'],
  },

  ...people,
  ...connections,
  ...trees,
  'GET /sandbox/:connectionId/customers': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/customers` }),
    no: (s) => [{ path: `/sandbox/${s.connections.loja}/customers` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/customers` }],
  },
  'GET /sandbox/:connectionId/phone/:number': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/phone/5511987654321` }),
    no: (s) => [{ path: `/sandbox/${s.connections.loja}/phone/5511987654321` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/phone/5511987654321` }],
  },
  'POST /sandbox/:connectionId/inbound': {
    pass: (s) => ({
      who: 'admin',
      path: `/sandbox/${s.connections.balcao}/inbound`,
      body: { id: 'tabela-1', from: '5511922223333', name: 'Zé', body: 'oi' },
    }),
    gives: { duplicate: false },
    no: (s) => [
      { who: 'admin', path: `/sandbox/${s.connections.balcao}/inbound`, body: { id: 'tabela-2', from: '5511922223333', name: 'Zé' } },
      400,
      'ERR_INVALID_INPUT',
    ],
    foreign: (s) => [
      { who: 'admin', path: `/sandbox/${s.theirs.connection}/inbound`, body: { id: 'x', from: '5511922223333', name: 'Zé', body: 'oi' } },
    ],
  },
  'GET /sandbox/:connectionId/outbox': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/outbox?limit=1` }),
    no: (s) => [{ who: 'admin', path: `/sandbox/${s.connections.loja}/outbox?limit=0` }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/outbox` }],
  },
  'POST /sandbox/:connectionId/marks': {
    async pass(s) {
      const ticket = await s.served()
      await s.message(ticket)
      await s.house.settled()
      const lines = (await s.house.as('admin')('GET', `/sandbox/${s.connections.loja}/outbox?limit=1000`)).body
      return { who: 'admin', path: `/sandbox/${s.connections.loja}/marks`, body: { id: lines.at(-1).id, mark: 'read' } }
    },
    no: (s) => [
      { who: 'admin', path: `/sandbox/${s.connections.loja}/marks`, body: { id: 'nobody', mark: 'read' } },
      404,
      'ERR_FETCH_WAPP_MSG',
    ],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/marks`, body: { id: 'x', mark: 'read' } }],
  },
  'POST /sandbox/:connectionId/session': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/session`, body: { status: 'CONNECTED' } }),
    no: (s) => [{ path: `/sandbox/${s.connections.loja}/session`, body: { status: 'CONNECTED' } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/session`, body: { status: 'CONNECTED' } }],
  },
  'POST /sandbox/:connectionId/people': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/people`, body: { source: 'book', people: [] } }),
    no: (s) => [{ path: `/sandbox/${s.connections.loja}/people`, body: { source: 'book', people: [] } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/people`, body: { source: 'book', people: [] } }],
  },
  'GET /sandbox/clock': {
    pass: () => ({ who: 'admin', path: '/sandbox/clock' }),
    no: () => [{ path: '/sandbox/clock' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /sandbox/clock': {
    async pass(s) {
      await s.house.db.updateTable('user').set({ super: true }).where('id', '=', s.users.bruno).execute()
      await s.house.db.deleteFrom('connection').where('provider', 'in', ['graph', 'cloud']).execute()
      return { who: 'bruno', path: '/sandbox/clock', body: { advanceMs: 1 } }
    },
    no: () => [{ who: 'admin', path: '/sandbox/clock', body: { advanceMs: 1 } }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /sandbox/:connectionId/faults': {
    pass: (s) => ({ who: 'admin', path: `/sandbox/${s.connections.loja}/faults`, body: { count: 0 } }),
    no: (s) => [{ who: 'admin', path: `/sandbox/${s.connections.loja}/faults`, body: { count: -1 } }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/sandbox/${s.theirs.connection}/faults`, body: { count: 1 } }],
  },
  ...reportFilterCases, // last, because a case configures the mail server
}

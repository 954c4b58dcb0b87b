import type { ErrorCode } from '#domain/errors.ts'
import { type Person, password } from '#tests/support/seed-companies.ts'
import type { Scene } from './scene.ts'

/** One request. `who` is ana by default, null for an unauthenticated caller. The method is the call's. */
export type Try = { path: string; who?: Person | null; body?: unknown; headers?: Record<string, string> }
export type Case = {
  /** A successful request, and what its body must contain. */
  pass: (scene: Scene) => Promise<Try> | Try
  gives?: object
  /** A refusal of this call's own, besides the one for unauthenticated callers. */
  no?: (scene: Scene) => Promise<[Try, number, ErrorCode]> | [Try, number, ErrorCode]
  /** Requests that name another company's ids, one for each id. */
  foreign?: (scene: Scene) => Promise<Try[]> | Try[]
  /** Unauthenticated callers may send it. */
  open?: true
}

const missing = 2147483647
const invalid = (path: string, body?: unknown): [Try, number, ErrorCode] => [{ path, body, who: 'admin' }, 400, 'ERR_INVALID_INPUT']
const none = (path: string, error: ErrorCode, body?: unknown): [Try, number, ErrorCode] => [{ path, body }, 404, error]

/** Every call that the app serves, with its test cases. The spec test compares the keys with the mounted routes. */
export const table: Record<string, Case> = {
  'POST /auth/login': {
    ...{ open: true, pass: () => ({ who: null, path: '/auth/login', body: { email: ' CARLA@casa.test ', password } }) },
    gives: { user: { name: 'carla' } },
    no: () => [{ who: null, path: '/auth/login', body: { email: 'carla@casa.test', password: 'errada' } }, 401, 'ERR_INVALID_CREDENTIALS'],
  },
  'POST /auth/refresh_token': {
    ...{ open: true, gives: { user: { name: 'carla' } } },
    pass: async (s) => ({ who: null, path: '/auth/refresh_token', headers: { cookie: await s.cookie('carla', password) } }),
    no: () => [{ who: null, path: '/auth/refresh_token' }, 401, 'ERR_SESSION_EXPIRED'],
  },
  'POST /auth/password-link': {
    ...{ open: true, gives: { email: 'dulce@casa.test', company: 'Casa' } },
    pass: async (s) => ({ who: null, path: '/auth/password-link', body: { token: await s.passwordLink('dulce') } }),
    no: () => [{ who: null, path: '/auth/password-link', body: { token: 'x'.repeat(43) } }, 400, 'ERR_PASSWORD_LINK'],
  },
  'POST /auth/password': {
    ...{ open: true, gives: { user: { name: 'carla' } } },
    pass: async (s) => ({ who: null, path: '/auth/password', body: { token: await s.passwordLink('carla'), password } }),
  },
  'POST /auth/forgot-password': {
    open: true,
    pass: () => ({ who: null, path: '/auth/forgot-password', body: { email: 'ninguem@casa.test' } }),
    no: () => [{ who: null, path: '/auth/forgot-password', body: { email: 'ana' } }, 400, 'ERR_INVALID_INPUT'],
  },
  'POST /auth/reset-password': {
    ...{ open: true, gives: { email: 'carla@casa.test' } },
    pass: async (s) => ({
      ...{ who: null, path: '/auth/reset-password' },
      body: { token: await s.passwordLink('carla'), newPassword: password },
    }),
    no: () => [{ who: null, path: '/auth/reset-password', body: { newPassword: password } }, 400, 'ERR_RESET_TOKEN'],
  },
  'GET /auth/sign-ins': { pass: () => ({ who: 'ana', path: '/auth/sign-ins' }) },
  'DELETE /auth/sign-ins': {
    pass: () => ({ who: 'ana', path: '/auth/sign-ins' }),
    gives: { ended: 0 },
    no: () => [{ who: null, path: '/auth/sign-ins' }, 403, 'ERR_SESSION_EXPIRED'],
  },
  'DELETE /auth/logout': { open: true, pass: () => ({ who: null, path: '/auth/logout' }) },
  'GET /auth/me': {
    pass: () => ({ path: '/auth/me' }),
    gives: { name: 'ana', profile: 'user', allTicket: 'disable', meetingBaseUrl: 'https://meet.jit.si' },
  },
  'GET /security-log': {
    pass: () => ({ who: 'dulce', path: '/security-log?kind=signedIn&from=2020-01-01T00:00:00Z&searchParam=dulce' }),
    gives: { events: { 0: { kind: 'signedIn', user: { name: 'dulce' } } } },
    no: () => [{ path: '/security-log' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /security-log/check': {
    pass: () => ({ who: 'admin', path: '/security-log/check' }),
    gives: { holds: true, brokenAt: null },
    no: () => [{ path: '/security-log/check' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /parked': {
    async pass(s) {
      await s.parked()
      return { who: 'dulce', path: '/parked' }
    },
    gives: { streams: { 0: { kind: 'ticket', company: { name: 'Casa' }, eventType: 'TicketQueued', waiting: 2, released: false } } },
    no: () => [{ who: 'admin', path: '/parked' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /parked/:id/release': {
    pass: async (s) => ({ who: 'dulce', path: `/parked/${(await s.parked()).id}/release` }),
    no: async (s) => [{ who: 'admin', path: `/parked/${(await s.parked()).id}/release` }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /parked/:id/give-up': {
    async pass(s) {
      const { id, eventId } = await s.parked()
      return { who: 'dulce', path: `/parked/${id}/give-up`, body: { eventId, reason: 'bad luck' } }
    },
    async no(s) {
      const asked = { who: 'dulce' as const, path: `/parked/${(await s.parked()).id}/give-up` }
      return [{ ...asked, body: { eventId: crypto.randomUUID(), reason: 'of another event' } }, 404, 'ERR_NOT_FOUND']
    },
  },
  'GET /version': { open: true, pass: () => ({ who: null, path: '/version' }), gives: { version: '17.8.3' } },

  'GET /tickets': {
    pass: () => ({ path: '/tickets?status=pending&showAll=true&queueIds=[1]' }),
    no: () => invalid('/tickets?status=nothing'),
  },
  'POST /tickets': {
    pass: async (s) => ({ path: '/tickets', body: { contactId: (await s.contact()).id, queueId: s.queues.vendas } }),
    gives: { status: 'open' },
    no: async (s) => [
      { path: '/tickets', body: { contactId: (await s.served()).contactId, queueId: s.queues.vendas } },
      409,
      'ERR_OTHER_OPEN_TICKET',
    ],
    async foreign({ contacts: { maria: contactId }, queues: { vendas: queueId }, theirs }) {
      const of = (body: object): Try => ({ path: '/tickets', who: 'admin', body: { contactId, queueId, ...body } })
      return [
        of({ contactId: theirs.contact }),
        of({ queueId: theirs.queue }),
        of({ whatsappId: theirs.connection }),
        of({ userId: theirs.user }),
      ]
    },
  },
  'GET /tickets/waiting-elsewhere': { pass: () => ({ path: '/tickets/waiting-elsewhere' }), gives: {} },
  'GET /tickets/notifications': { pass: () => ({ path: '/tickets/notifications' }), gives: { tickets: {}, hasMore: false } },
  'GET /tickets/unread': { pass: () => ({ path: '/tickets/unread' }), gives: { ids: {} } },
  'GET /tickets/u/:uuid': {
    pass: async (s) => ({ path: `/tickets/u/${(await s.served()).uuid}` }),
    no: () => none(`/tickets/u/${crypto.randomUUID()}`, 'ERR_NO_TICKET_FOUND'),
    foreign: ({ theirs }) => [{ path: `/tickets/u/${theirs.ticket.uuid}` }],
  },
  'POST /tickets/:id/seen': {
    pass: async (s) => {
      const ticket = await s.served()
      return { path: `/tickets/${ticket.id}/seen`, body: { messageId: (await s.message(ticket)).id } }
    },
    gives: { unreadMessages: 0 },
    no: () => none(`/tickets/${missing}/seen`, 'ERR_NO_TICKET_FOUND', { messageId: 1 }),
    foreign: ({ theirs }) => [{ path: `/tickets/${theirs.ticket.id}/seen`, who: 'admin', body: { messageId: theirs.message.id } }],
  },
  'PUT /tickets/:id': {
    pass: async (s) => ({ path: `/tickets/${(await s.waiting()).id}`, body: { status: 'open', userId: s.users.ana } }),
    gives: { status: 'open', user: { name: 'ana' } },
    no: async (s) => [{ path: `/tickets/${(await s.waiting()).id}`, body: { status: 'closed' } }, 403, 'ERR_NO_PERMISSION'],
    async foreign(s) {
      const to = async (body: object): Promise<Try> => ({ who: 'admin', path: `/tickets/${(await s.served()).id}`, body })
      const transfer = { isTransfered: true, queueId: s.queues.vendas, userId: s.users.bruno }
      return [
        { path: `/tickets/${s.theirs.ticket.id}`, body: { status: 'closed' } },
        { path: `/tickets/${s.theirs.ticket.id}`, who: 'admin', body: { status: 'open', userId: s.users.admin } },
        await to({ ...transfer, queueId: s.theirs.queue }),
        await to({ ...transfer, userId: s.theirs.user }),
        { who: 'admin', path: `/tickets/${(await s.waiting()).id}`, body: { status: 'open', userId: s.theirs.user } },
        { who: 'admin', path: `/tickets/${(await s.waiting()).id}`, body: { status: 'open', queueId: s.theirs.queue } },
      ]
    },
  },
  'DELETE /tickets/:id': {
    pass: async (s) => ({ who: 'admin', path: `/tickets/${(await s.served()).id}` }),
    no: async (s) => [{ path: `/tickets/${(await s.served()).id}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/tickets/${theirs.ticket.id}` }],
  },
  'POST /tickets/closeAll': {
    pass: (s) => ({ who: 'admin', path: '/tickets/closeAll', body: { status: 'group', selectedQueueIds: [s.queues.vendas] } }),
    gives: { count: 0 },
    no: () => [{ path: '/tickets/closeAll', body: { status: 'open', selectedQueueIds: [] } }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /tickets/closeAll': {
    pass: (s) => ({ who: 'admin', path: `/tickets/closeAll?status=group&selectedQueueIds=[${s.queues.vendas}]` }),
    gives: { count: 0 },
    no: () => [{ path: '/tickets/closeAll?status=group&selectedQueueIds=[1]' }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /tickets/closeAll/undo': {
    pass: () => ({ who: 'admin', path: '/tickets/closeAll/undo', body: { batch: crypto.randomUUID() } }),
    gives: { count: 0 },
    no: () => [{ path: '/tickets/closeAll/undo', body: { batch: crypto.randomUUID() } }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /tickets/:id/undo': {
    pass: async (s) => {
      const { id } = await s.served()
      await s.made('ana', 'PUT', `/tickets/${id}`, { status: 'closed' })
      return { path: `/tickets/${id}/undo`, body: {} }
    },
    gives: { status: 'open' },
    no: async (s) => [{ path: `/tickets/${(await s.served()).id}/undo`, body: {} }, 409, 'ERR_UNDO_GONE'],
    foreign: ({ theirs }) => [{ path: `/tickets/${theirs.ticket.id}/undo`, who: 'admin', body: {} }],
  },
  'GET /tickets/:id/automation': {
    pass: async (s) => ({ path: `/tickets/${(await s.served()).id}/automation` }),
    gives: { steps: [] },
    no: () => none(`/tickets/${missing}/automation`, 'ERR_NO_TICKET_FOUND'),
    foreign: ({ theirs }) => [{ path: `/tickets/${theirs.ticket.id}/automation`, who: 'admin' }],
  },
  'GET /tickets-log/:ticketId': {
    pass: async (s) => ({ path: `/tickets-log/${(await s.served()).id}` }),
    gives: [{ type: 'create' }, { type: 'open' }],
    no: () => none(`/tickets-log/${missing}`, 'ERR_NO_TICKET_FOUND'),
    foreign: ({ theirs }) => [{ path: `/tickets-log/${theirs.ticket.id}`, who: 'admin' }],
  },

  'GET /ticket-notes/list': {
    async pass(s) {
      const ticket = await s.served()
      await s.note(ticket)
      return { path: `/ticket-notes/list?ticketId=${ticket.id}&contactId=${ticket.contactId}` }
    },
    gives: [{ note: 'Pediu boleto' }],
    no: () => invalid('/ticket-notes/list'),
    foreign: async (s) => [
      { path: `/ticket-notes/list?ticketId=${s.theirs.ticket.id}` },
      { path: `/ticket-notes/list?ticketId=${(await s.served()).id}&contactId=${s.theirs.contact}` },
    ],
  },
  'POST /ticket-notes': {
    pass: async (s) => ({ path: '/ticket-notes', body: { ticketId: (await s.served()).id, note: 'Ligar amanhã' } }),
    gives: { note: 'Ligar amanhã', user: { name: 'ana' } },
    no: async (s) => invalid('/ticket-notes', { ticketId: (await s.served()).id, note: ' x ' }),
    foreign: async (s) => [
      { path: '/ticket-notes', body: { ticketId: s.theirs.ticket.id, note: 'Olá' } },
      { path: '/ticket-notes', body: { ticketId: (await s.served()).id, contactId: s.theirs.contact, note: 'Olá' } },
    ],
  },
  'DELETE /ticket-notes/:id': {
    pass: async (s) => ({ path: `/ticket-notes/${(await s.note(await s.served())).id}` }),
    no: async (s) => [{ who: 'bruno', path: `/ticket-notes/${(await s.note(await s.served())).id}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-notes/${theirs.note.id}` }],
  },
  'GET /ticket-history': {
    async pass(s) {
      await s.served()
      return { who: 'dulce', path: '/ticket-history' }
    },
    gives: { tickets: { 0: { companyId: 1 } } },
    no: () => [{ path: '/ticket-history' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticket-history/queues': {
    pass: () => ({ who: 'dulce', path: '/ticket-history/queues' }),
    no: () => [{ path: '/ticket-history/queues' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticket-history/people': {
    pass: () => ({ who: 'dulce', path: '/ticket-history/people' }),
    no: () => [{ path: '/ticket-history/people' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticket-history/key': {
    pass: () => ({ who: 'dulce', path: '/ticket-history/key' }),
    gives: { newest: null },
    no: () => [{ path: '/ticket-history/key' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticket-history/:uuid': {
    pass: async (s) => ({ who: 'dulce', path: `/ticket-history/${(await s.served()).uuid}` }),
    gives: {
      chain: { holds: true },
      anchored: null,
      events: { 0: { type: 'TicketOpened' }, 1: { type: 'TicketAccepted' }, 2: { type: 'TicketAccessed' } },
    },
    no: async (s) => [{ path: `/ticket-history/${(await s.served()).uuid}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-history/${theirs.ticket.uuid}` }],
  },
  'GET /ticket-history/:uuid/chain': {
    pass: async (s) => ({ who: 'dulce', path: `/ticket-history/${(await s.served()).uuid}/chain` }),
    gives: { chain: { holds: true }, anchored: null, length: 3 },
    no: async (s) => [{ path: `/ticket-history/${(await s.served()).uuid}/chain` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-history/${theirs.ticket.uuid}/chain` }],
  },
  'GET /ticket-history/:uuid/files': {
    pass: async (s) => ({ who: 'dulce', path: `/ticket-history/${(await s.served()).uuid}/files` }),
    gives: { files: 0, bad: [] },
    no: async (s) => [{ path: `/ticket-history/${(await s.served()).uuid}/files` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-history/${theirs.ticket.uuid}/files` }],
  },
  'GET /ticket-history/:uuid/records/:revision': {
    pass: async (s) => ({ who: 'dulce', path: `/ticket-history/${(await s.served()).uuid}/records/1` }),
    gives: { revision: 1, type: 'TicketAccepted', meta: { companyId: 1 } },
    no: async (s) => [{ who: 'dulce', path: `/ticket-history/${(await s.served()).uuid}/records/99` }, 404, 'ERR_NOT_FOUND'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-history/${theirs.ticket.uuid}/records/0` }],
  },
  'GET /ticket-history/:uuid/export': {
    pass: async (s) => ({ who: 'admin', path: `/ticket-history/${(await s.served()).uuid}/export` }),
    gives: { format: 'guiche-ticket-history', version: 2 },
    no: () => [{ who: 'admin', path: `/ticket-history/${crypto.randomUUID()}/export` }, 404, 'ERR_NO_TICKET_FOUND'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/ticket-history/${theirs.ticket.uuid}/export` }],
  },
}

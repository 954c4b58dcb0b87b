import type { ErrorCode } from '#domain/errors.ts'
import type { Case, Try } from './table.ts'

const missing = 2147483647
const invalid = (path: string): [Try, number, ErrorCode] => [{ path, who: 'admin' }, 400, 'ERR_INVALID_INPUT']
const none = (path: string, error: ErrorCode, body?: unknown): [Try, number, ErrorCode] => [{ path, body }, 404, error]

/** Messages of a ticket and their delivery. */
export const said: Record<string, Case> = {
  'GET /messages/failed': {
    async pass(s) {
      await s.failed(await s.served())
      return { path: '/messages/failed' }
    },
    gives: { messages: { 0: { body: 'Bom dia', inSight: true, failed: 'BLOCKED' } } },
  },
  'POST /messages/:id/dismiss': {
    pass: async (s) => ({ path: `/messages/${(await s.failed(await s.served())).id}/dismiss` }),
    no: async (s) => [{ path: `/messages/${(await s.message(await s.served())).id}/dismiss` }, 404, 'ERR_FETCH_WAPP_MSG'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}/dismiss` }],
  },
  'GET /messages/:ticketId': {
    async pass(s) {
      const ticket = await s.served()
      await s.message(ticket)
      return { path: `/messages/${ticket.id}` }
    },
    gives: { messages: [{ body: 'Bom dia', fromMe: true }], hasMore: false },
    no: () => none(`/messages/${missing}`, 'ERR_NO_TICKET_FOUND'),
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.ticket.id}` }],
  },
  'GET /messages/:ticketId/search': {
    async pass(s) {
      const ticket = await s.served()
      await s.message(ticket)
      return { path: `/messages/${ticket.id}/search?searchParam=DÍA` }
    },
    gives: { messages: [{ before: 'Bom ', hit: 'dia', after: '', pageNumber: 1 }], hasMore: false, count: 1 },
    no: async (s) => invalid(`/messages/${(await s.served()).id}/search?searchParam=%20`),
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.ticket.id}/search?searchParam=dia` }],
  },
  'GET /messages/search': {
    async pass(s) {
      const ticket = await s.served()
      await s.message(ticket, 'ana', { body: 'Segunda via' })
      return { path: '/messages/search?searchParam=SEGÚNDA' }
    },
    gives: {
      tickets: {
        0: {
          count: 1,
          messages: [
            {
              snippet: [
                { text: 'Segunda', isHit: true },
                { text: ' via', isHit: false },
              ],
              fileName: null,
            },
          ],
        },
      },
      isCountCapped: false,
      cursor: null,
    },
    no: () => [{ path: '/messages/search?searchParam=ok' }, 400, 'ERR_SEARCH_TOO_SHORT'],
  },
  'POST /messages/:ticketId/print': {
    async pass(s) {
      const ticket = await s.served()
      await s.message(ticket)
      return { path: `/messages/${ticket.id}/print` }
    },
    gives: { messages: 1, earlier: 0 },
    no: () => none(`/messages/${missing}/print`, 'ERR_NO_TICKET_FOUND'),
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.ticket.id}/print` }],
  },
  'POST /messages/:ticketId': {
    pass: async (s) => ({ path: `/messages/${(await s.served()).id}`, body: { body: 'Olá', signMessage: true } }),
    gives: { messages: [{ body: '*ana:*\nOlá', user: { name: 'ana' } }] },
    no: async (s) => [{ path: `/messages/${(await s.waiting()).id}`, body: { body: 'Olá' } }, 400, 'ERR_SENDING_WAPP_MSG'],
    foreign: async (s) => [
      { who: 'admin', path: `/messages/${s.theirs.ticket.id}`, body: { body: 'Olá' } },
      { path: `/messages/${(await s.served()).id}`, body: { body: 'Olá', quotedMsg: { id: s.theirs.message.id } } },
    ],
  },
  'POST /messages/edit/:id': {
    pass: async (s) => ({ path: `/messages/edit/${(await s.message(await s.served())).id}`, body: { body: 'Boa tarde' } }),
    gives: { body: 'Boa tarde', isEdited: true },
    no: async (s) => [
      { who: 'bruno', path: `/messages/edit/${(await s.message(await s.served())).id}`, body: { body: 'x' } },
      403,
      'ERR_NO_PERMISSION',
    ],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/edit/${theirs.message.id}`, body: { body: 'x' } }],
  },
  'PUT /messages/:id': {
    pass: async (s) => ({ path: `/messages/${(await s.message(await s.served())).id}`, body: { body: 'Boa noite' } }),
    gives: { body: 'Boa noite', isEdited: true },
    no: () => none(`/messages/${missing}`, 'ERR_FETCH_WAPP_MSG', { body: 'x' }),
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}`, body: { body: 'x' } }],
  },
  'DELETE /messages/:id': {
    pass: async (s) => ({ path: `/messages/${(await s.message(await s.served())).id}` }),
    gives: { isDeleted: true, deletedBy: 'us' },
    no: async (s) => [{ who: 'bruno', path: `/messages/${(await s.message(await s.served())).id}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}` }],
  },
  'POST /messages/:id/reactions': {
    pass: async (s) => ({ path: `/messages/${(await s.message(await s.served())).id}/reactions`, body: { type: '👍' } }),
    gives: { reactions: [{ mediaType: 'reactionMessage', emoji: '👍', from: 'us', name: null }] },
    no: async (s) => [
      { path: `/messages/${(await s.message(await s.served(), 'ana', { isPrivate: true })).id}/reactions`, body: { type: '👍' } },
      ...([404, 'ERR_FETCH_WAPP_MSG'] as const),
    ],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}/reactions`, body: { type: '👍' } }],
  },
  'POST /messages/:id/check': {
    pass: async (s) => ({ path: `/messages/${(await s.failed(await s.served())).id}/check` }),
    gives: { outcome: 'unknown' },
    no: () => none(`/messages/${missing}/check`, 'ERR_FETCH_WAPP_MSG'),
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}/check` }],
  },
  'POST /messages/:id/again': {
    async pass(s) {
      return { path: `/messages/${(await s.failed(await s.served())).id}/again` }
    },
    gives: { body: 'Bom dia', failed: null },
    no: async (s) => [{ path: `/messages/${(await s.message(await s.served())).id}/again` }, 404, 'ERR_FETCH_WAPP_MSG'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/messages/${theirs.message.id}/again` }],
  },
  'POST /message/forward': {
    pass: async (s) => ({
      path: '/message/forward',
      body: { messageId: (await s.message(await s.served())).id, contactId: (await s.contact()).id },
    }),
    gives: { sent: true },
    no: async (s) =>
      none('/message/forward', 'ERR_NO_CONTACT_FOUND', { messageId: (await s.message(await s.served())).id, contactId: missing }),
    foreign: async (s) => [
      { who: 'admin', path: '/message/forward', body: { messageId: s.theirs.message.id, contactId: s.contacts.maria } },
      { path: '/message/forward', body: { messageId: (await s.message(await s.served())).id, contactId: s.theirs.contact } },
    ],
  },
}

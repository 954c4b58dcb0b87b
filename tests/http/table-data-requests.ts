import type { Case } from './table.ts'

const missing = 2147483647

/** Erasure of people, and exports of their data. */
export const dataRequests: Record<string, Case> = {
  'GET /data-requests': {
    pass: () => ({ who: 'admin', path: '/data-requests' }),
    gives: { hasMore: false },
    no: () => [{ path: '/data-requests' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /contacts/:id/erasure': {
    pass: async (s) => ({ who: 'admin', path: `/contacts/${(await s.contact()).id}/erasure` }),
    gives: { ticket: null, counts: { tickets: 0, messages: 0 } },
    no: () => [{ who: 'admin', path: `/contacts/${missing}/erasure` }, 404, 'ERR_NO_CONTACT_FOUND'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/contacts/${theirs.contact}/erasure` }],
  },
  'POST /contacts/:id/erasure': {
    async pass(s) {
      const { id } = await s.contact()
      return { who: 'admin', path: `/contacts/${id}/erasure`, body: { name: await s.nameOf(id) } }
    },
    gives: { kind: 'erasure' },
    no: async (s) => [
      { who: 'admin', path: `/contacts/${(await s.contact()).id}/erasure`, body: { name: 'Outra' } },
      400,
      'ERR_ERASURE_NAME',
    ],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/contacts/${theirs.contact}/erasure`, body: { name: 'Deles' } }],
  },
  'GET /data-requests/:id/receipt': {
    pass: async (s) => ({ who: 'admin', path: `/data-requests/${await s.dataRequest('erasure')}/receipt` }),
    gives: { format: 'guiche-erasure-receipt' },
    no: () => [{ who: 'admin', path: `/data-requests/${missing}/receipt` }, 404, 'ERR_NO_DATA_REQUEST_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `/data-requests/${await s.dataRequest('erasure', 'root')}/receipt` }],
  },
  'POST /contacts/:id/export': {
    pass: async (s) => ({ who: 'admin', path: `/contacts/${(await s.contact()).id}/export` }),
    gives: { kind: 'export' },
    no: () => [{ path: `/contacts/${missing}/export` }, 403, 'ERR_NO_PERMISSION'],
    foreign: ({ theirs }) => [{ who: 'admin', path: `/contacts/${theirs.contact}/export` }],
  },
  'GET /data-requests/:id/file': {
    pass: async (s) => ({ who: 'admin', path: `/data-requests/${await s.dataRequest('export')}/file` }),
    no: () => [{ who: 'admin', path: `/data-requests/${missing}/file` }, 404, 'ERR_NO_DATA_REQUEST_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `/data-requests/${await s.dataRequest('export', 'root')}/file` }],
  },
}

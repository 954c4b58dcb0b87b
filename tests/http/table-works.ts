import type { Case } from './table.ts'

const missing = 2147483647

/** Bulk operations. */
export const works: Record<string, Case> = {
  'GET /works': { pass: () => ({ path: '/works' }) },
  'POST /tickets/listed/close-work': {
    pass: () => ({ who: 'admin', path: '/tickets/listed/close-work', body: { status: 'group' } }),
    gives: { kind: 'closeTickets', total: 0, done: 0 },
    no: () => [{ path: '/tickets/listed/close-work', body: { status: 'open' } }, 403, 'ERR_NO_PERMISSION'],
  },
  'POST /works/:id/cancel': {
    pass: async (s) => ({ who: 'admin', path: `/works/${(await s.work()).id}/cancel` }),
    gives: { total: 0 },
    no: async (s) => [{ path: `/works/${(await s.work()).id}/cancel` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `/works/${(await s.work('root')).id}/cancel` }],
  },
  'GET /works/:id/errors': {
    pass: async (s) => ({ who: 'admin', path: `/works/${(await s.work()).id}/errors` }),
    no: () => [{ path: `/works/${missing}/errors` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `/works/${(await s.work('root')).id}/errors` }],
  },
  'DELETE /works/:id': {
    async pass(s) {
      const { id } = await s.work()
      await s.made('admin', 'POST', `/works/${id}/cancel`, {})
      return { who: 'admin', path: `/works/${id}` }
    },
    no: () => [{ path: `/works/${missing}` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `/works/${(await s.work('root')).id}` }],
  },
}

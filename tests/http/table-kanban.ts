import { expect } from 'vitest'
import type { Case } from './table.ts'

const missing = 2147483647

/** The kanban board and its moves. */
export const board: Record<string, Case> = {
  'PUT /tag/kanban/order': {
    pass: (s) => ({ who: 'dulce', path: '/tag/kanban/order', body: { ids: [s.tags.pista] } }),
    gives: { lista: { 0: { kanban: 1 } } },
    no: (s) => [{ who: 'dulce', path: '/tag/kanban/order', body: { ids: [s.tags.vip] } }, 404, 'ERR_NO_TAG_FOUND'],
    foreign: (s) => [{ who: 'dulce', path: '/tag/kanban/order', body: { ids: [s.theirs.tag] } }],
  },
  'GET /ticket/kanban': {
    async pass(s) {
      const { id } = await s.served()
      await s.made('ana', 'PUT', `/ticket-tags/${id}/${s.tags.pista}`, {})
      return { path: `/ticket/kanban?queueIds=[${s.queues.vendas}]&startDate=2020-01-01` }
    },
    gives: { tickets: { 0: { status: 'open' } }, hasMore: false },
    no: () => [{ path: '/ticket/kanban?startDate=today' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /ticket/kanban/counts': {
    async pass(s) {
      const { id } = await s.served()
      await s.made('ana', 'PUT', `/ticket-tags/${id}/${s.tags.pista}`, {})
      return { path: '/ticket/kanban/counts?startDate=2020-01-01' }
    },
    gives: { lanes: expect.arrayContaining([{ laneId: expect.any(Number), count: expect.any(Number), worth: expect.any(Number) }]) },
    no: () => [{ path: '/ticket/kanban/counts?endDate=today' }, 400, 'ERR_INVALID_INPUT'],
  },
  'PUT /ticket-tags/:ticketId/:tagId': {
    pass: async (s) => ({ path: `/ticket-tags/${(await s.served()).id}/${s.tags.pista}` }),
    no: async (s) => [{ path: `/ticket-tags/${(await s.served()).id}/${s.tags.vip}` }, 404, 'ERR_NO_TAG_FOUND'], // A-LANE-02: a tag is no lane
    foreign: async (s) => [
      { path: `/ticket-tags/${s.theirs.ticket.id}/${s.tags.pista}` },
      { path: `/ticket-tags/${(await s.served()).id}/${s.theirs.tag}` },
    ],
  },
  'DELETE /ticket-tags/:ticketId': {
    async pass(s) {
      const { id } = await s.served()
      await s.made('ana', 'PUT', `/ticket-tags/${id}/${s.tags.pista}`, {})
      return { path: `/ticket-tags/${id}` }
    },
    gives: { laneId: null },
    no: () => [{ path: `/ticket-tags/${missing}` }, 404, 'ERR_NO_TICKET_FOUND'],
    foreign: (s) => [{ path: `/ticket-tags/${s.theirs.ticket.id}` }],
  },
}

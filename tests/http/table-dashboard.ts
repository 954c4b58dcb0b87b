import { expect } from 'vitest'
import type { Case } from './table.ts'

const inverted = 'initialDate=2026-11-02&finalDate=2026-11-01'

/** The numbers of supervisors. */
export const supervision: Record<string, Case> = {
  'GET /dashboard': {
    pass: (s) => ({ who: 'admin', path: `/dashboard?queueIds=[${s.queues.vendas}]` }),
    gives: {
      counters: { supportHappening: expect.any(Number), npsScore: 0, usersTotal: expect.any(Number), previous: { npsScore: 0 } },
      target: null,
    },
    no: () => [{ who: 'admin', path: '/dashboard?date_from=2026-11-02&date_to=2026-11-01' }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /usersMoments': {
    pass: async (s) => ({ who: 'admin', path: (await s.served()) && '/usersMoments' }),
    gives: { tickets: { 0: { status: expect.any(String) } }, hasMore: false },
    no: () => [{ who: 'admin', path: '/usersMoments?pageNumber=0' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /dashboard/moments': {
    pass: async (s) => ({ who: 'admin', path: (await s.served()) && '/dashboard/moments?status=open' }),
    gives: { tickets: { 0: { status: 'open' } } },
    no: () => [{ who: 'admin', path: '/dashboard/moments?dateStart=2026-11-02&dateEnd=2026-11-01' }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /dashboard/attendants': {
    pass: () => ({ who: 'admin', path: '/dashboard/attendants' }),
    no: () => [{ who: 'admin', path: '/dashboard/attendants?date_from=2026-11-02&date_to=2026-11-01' }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /dashboard/breakdown': {
    pass: () => ({ who: 'admin', path: '/dashboard/breakdown?by=queue&date_from=2026-01-01&date_to=2026-01-31' }),
    gives: { groups: [] },
    no: () => [{ who: 'admin', path: '/dashboard/breakdown?by=planet' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /dashboard/week': {
    pass: () => ({ who: 'admin', path: '/dashboard/week?date_from=2026-01-01&date_to=2026-01-31' }),
    gives: { hours: [] },
    no: () => [{ who: 'admin', path: '/dashboard/week?date_from=2026-11-02&date_to=2026-11-01' }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /dashboard/now': {
    pass: () => ({ who: 'admin', path: '/dashboard/now' }),
    gives: { supportPending: expect.any(Number), usersOnline: expect.any(Number) },
    no: () => [{ who: 'admin', path: '/dashboard/now?queueIds=all' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /dashboard/at': {
    pass: (s) => ({ who: 'admin', path: `/dashboard/at?moment=2026-01-01T10:40:00-03:00&queueIds=[${s.queues.vendas}]` }),
    gives: { moment: '2026-01-01T13:40:00.000Z', supportPending: 0, supportFinished: 0, longestWait: null },
    no: () => [{ who: 'admin', path: '/dashboard/at?moment=2999-01-01T00:00:00Z' }, 400, 'ERR_FUTURE_MOMENT'],
  },
  'GET /dashboard/film': {
    pass: () => ({ who: 'admin', path: '/dashboard/film?day=2026-01-01' }),
    gives: { steps: { 0: { supportPending: 0 }, 287: { supportWithBot: 0 } } },
    no: () => [{ who: 'admin', path: '/dashboard/film?day=2999-01-01' }, 400, 'ERR_FUTURE_MOMENT'],
  },
  'GET /usersMoments/at': {
    pass: () => ({ who: 'admin', path: '/usersMoments/at?moment=2026-01-01T10:40:00Z' }),
    gives: { tickets: [], hasMore: false },
    no: () => [{ who: 'admin', path: '/usersMoments/at?moment=yesterday' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /dashboard/ticketsUsers': {
    pass: () => ({ who: 'admin', path: '/dashboard/ticketsUsers?initialDate=2026-01-01&finalDate=2026-01-31' }),
    gives: { data: [] },
    no: () => [{ who: 'admin', path: `/dashboard/ticketsUsers?${inverted}` }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /dashboard/ticketsDay': {
    pass: () => ({ who: 'admin', path: '/dashboard/ticketsDay?initialDate=2026-01-01&finalDate=2026-01-31' }),
    gives: { count: 0, data: { 0: { data: '2026-01-01', total: 0 } } },
    no: () => [{ who: 'admin', path: `/dashboard/ticketsDay?${inverted}` }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /ticketreport/reports': {
    pass: (s) => ({ who: 'admin', path: `/ticketreport/reports?queueIds=[${s.queues.vendas}]&status=["nosuch"]&pageSize=5` }),
    gives: { tickets: [], totalTickets: { total: 0 } },
    no: () => [{ who: 'admin', path: '/ticketreport/reports?dateFrom=2026-11-02&dateTo=2026-11-01' }, 400, 'ERR_INVALID_RANGE'],
  },
  'GET /ticketreport/reports/export': {
    pass: () => ({ who: 'admin', path: '/ticketreport/reports/export?dateFrom=2026-01-01' }),
    no: () => [{ path: '/ticketreport/reports/export' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticketreport/choices': {
    pass: () => ({ who: 'admin', path: '/ticketreport/choices' }),
    gives: { users: expect.any(Array), queues: expect.any(Array), connections: expect.any(Array), tags: expect.any(Array) },
    no: () => [{ path: '/ticketreport/choices' }, 403, 'ERR_NO_PERMISSION'],
  },
}

import type { Scene } from './scene.ts'
import type { Case } from './table.ts'

let saved = 0
const filter = { period: 'thisMonth', onlyRated: true }
const weekly = { active: false, weekday: 0, time: '08:00', recipients: [] as number[] }
const body = () => ({ name: `Filtro ${++saved}`, filter, shared: false })
/** A private filter of the admin. */
export const savedFilter = (s: Scene, who: 'admin' | 'dulce' = 'admin'): Promise<{ id: number }> =>
  s.made(who, 'POST', '/ticketreport/filters', body())
const ofDulce = async (s: Scene) => `/ticketreport/filters/${(await savedFilter(s, 'dulce')).id}`
/** A shared filter of the other company. */
const theirs = async (s: Scene) => {
  const { id } = await s.made('root', 'POST', '/ticketreport/filters', { ...body(), shared: true })
  return `/ticketreport/filters/${id}`
}
const ofAdmin = async (s: Scene) => `/ticketreport/filters/${(await savedFilter(s)).id}`

/** The saved filters of the report. */
export const reportFilterCases: Record<string, Case> = {
  'GET /ticketreport/filters': {
    pass: async (s) => ({ who: 'admin', path: (await savedFilter(s)) && '/ticketreport/filters' }),
    gives: { filters: { 0: { filter } } },
    no: () => [{ path: '/ticketreport/filters' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /ticketreport/filters/:id': {
    pass: async (s) => ({ who: 'admin', path: await ofAdmin(s) }),
    gives: { filter, shared: false },
    foreign: async (s) => [{ who: 'admin', path: await theirs(s) }],
    no: async (s) => [{ who: 'admin', path: await ofDulce(s) }, 404, 'ERR_NO_REPORT_FILTER_FOUND'],
  },
  'POST /ticketreport/filters': {
    pass: () => ({ who: 'admin', path: '/ticketreport/filters', body: body() }),
    gives: { filter, version: 1 },
    no: () => [{ who: 'admin', path: '/ticketreport/filters', body: { ...body(), name: ' ' } }, 400, 'ERR_INVALID_INPUT'],
  },
  'PUT /ticketreport/filters/:id': {
    pass: async (s) => ({ who: 'admin', path: await ofAdmin(s), body: { shared: true } }),
    gives: { shared: true, version: 2 },
    foreign: async (s) => [{ who: 'admin', path: await theirs(s), body: { name: 'Nosso' } }],
    no: async (s) => [{ who: 'admin', path: await ofDulce(s), body: { shared: true } }, 404, 'ERR_NO_REPORT_FILTER_FOUND'],
  },
  'GET /ticketreport/filters/:id/mail': {
    pass: async (s) => ({ who: 'admin', path: `${await ofAdmin(s)}/mail` }),
    gives: { mail: null, nextAt: null, sent: [] },
    no: async (s) => [{ who: 'admin', path: `${await ofDulce(s)}/mail` }, 404, 'ERR_NO_REPORT_FILTER_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `${await theirs(s)}/mail` }],
  },
  'PUT /ticketreport/filters/:id/mail': {
    pass: async (s) => ({ who: 'admin', path: `${await ofAdmin(s)}/mail`, body: { ...weekly, recipients: [s.users.dulce] } }),
    gives: { weekly: false },
    no: async (s) => [
      { who: 'admin', path: `${await ofAdmin(s)}/mail`, body: { ...weekly, recipients: [s.users.ana] } },
      400,
      'ERR_REPORT_MAIL_RECIPIENT',
    ],
    foreign: async (s) => [{ who: 'admin', path: `${await theirs(s)}/mail`, body: weekly }],
  },
  'POST /ticketreport/filters/:id/mail/test': {
    async pass(s) {
      await s.mailbox()
      return { who: 'admin', path: `${await ofAdmin(s)}/mail/test` }
    },
    gives: { state: 'sent', isTest: true, withFile: true },
    no: async (s) => [{ who: 'admin', path: `${await ofDulce(s)}/mail/test` }, 404, 'ERR_NO_REPORT_FILTER_FOUND'],
    foreign: async (s) => [{ who: 'admin', path: `${await theirs(s)}/mail/test` }],
  },
  'DELETE /ticketreport/filters/:id': {
    foreign: async (s) => [{ who: 'admin', path: await theirs(s) }],
    pass: async (s) => ({ who: 'admin', path: await ofAdmin(s) }),
    no: async (s) => [{ who: 'admin', path: await ofDulce(s) }, 404, 'ERR_NO_REPORT_FILTER_FOUND'],
  },
}

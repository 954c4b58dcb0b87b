import { defaultHours } from '#domain/hours/contract.ts'
import type { Case } from './table.ts'

const missing = 2147483647
const { company: schedules } = defaultHours
const turned = [{ ...schedules[0]!, endTimeA: '07:00' }]

/** The bot options of a queue, and a company's hours. */
export const trees: Record<string, Case> = {
  'POST /chatbot': {
    pass: (s) => ({
      who: 'admin',
      path: '/chatbot',
      body: { queueId: s.queues.vendas, name: `Segunda via ${crypto.randomUUID().slice(0, 4)}` },
    }),
    gives: { chatBotId: null, queueType: 'text', chatbots: [] },
    no: (s) => [
      {
        who: 'admin',
        path: '/chatbot',
        body: { queueId: s.queues.vendas, name: 'Volta', queueType: 'queue', optQueueId: s.queues.vendas },
      },
      400,
      'ERR_OPTION_OWN_QUEUE',
    ],
    foreign: (s) => [
      { who: 'admin', path: '/chatbot', body: { queueId: s.theirs.queue, name: 'Deles' } },
      {
        who: 'admin',
        path: '/chatbot',
        body: { queueId: s.queues.vendas, name: 'Para eles', queueType: 'queue', optQueueId: s.theirs.queue },
      },
      {
        who: 'admin',
        path: '/chatbot',
        body: { queueId: s.queues.vendas, name: 'Alguém deles', queueType: 'attendent', optUserId: s.users.rita },
      },
    ],
  },
  'GET /chatbot/:id': {
    pass: async (s) => ({ who: 'admin', path: `/chatbot/${(await s.option()).id}` }),
    gives: { chatbots: [] },
    no: () => [{ who: 'admin', path: `/chatbot/${missing}` }, 404, 'ERR_NO_CHATBOT_FOUND'],
  },
  'PUT /chatbot/:id': {
    pass: async (s) => ({ who: 'admin', path: `/chatbot/${(await s.option()).id}`, body: { greetingMessage: 'Certo', closeTicket: true } }),
    gives: { greetingMessage: 'Certo', closeTicket: true },
    async no(s) {
      const { id } = await s.option()
      return [{ who: 'admin', path: `/chatbot/${id}`, body: { chatBotId: id } }, 400, 'ERR_OPTION_LOOP']
    },
  },
  'DELETE /chatbot/:id': {
    pass: async (s) => ({ who: 'admin', path: `/chatbot/${(await s.option()).id}` }),
    no: async (s) => [{ path: `/chatbot/${(await s.option()).id}` }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /checklist': {
    pass: () => ({ who: 'admin', path: '/checklist' }),
    gives: [
      { step: 'team', done: true },
      { step: 'queue', done: true },
      { step: 'connection' },
      { step: 'greeting' },
      { step: 'hours' },
      {},
    ],
    no: () => [{ path: '/checklist' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /installation': {
    pass: () => ({ who: 'admin', path: '/installation' }),
    gives: { missingRoles: [], unavailable: [], publicUrl: null, localUrl: 'http://127.0.0.1:0' },
    no: () => [{ path: '/installation' }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /companies/:id/schedules': {
    pass: (s) => ({ path: `/companies/${s.companies.casa}/schedules` }),
    gives: { schedules: { 0: { weekdayEn: 'monday', startTimeA: '08:00' } } },
    no: () => [{ path: `/companies/${missing}/schedules` }, 404, 'ERR_NOT_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/companies/${s.companies.vizinha}/schedules` }],
  },
  'PUT /companies/:id/schedules': {
    pass: (s) => ({ who: 'admin', path: `/companies/${s.companies.casa}/schedules`, body: { schedules } }),
    gives: { schedules },
    no: (s) => [{ who: 'admin', path: `/companies/${s.companies.casa}/schedules`, body: { schedules: turned } }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/companies/${s.companies.vizinha}/schedules`, body: { schedules } }],
  },
  'GET /companies/:id/holidays/proposed': {
    pass: (s) => ({ who: 'admin', path: `/companies/${s.companies.casa}/holidays/proposed?year=2027&language=pt-BR&state=SP` }),
    gives: { country: 'BR', days: { 0: { date: '2027-01-01', name: 'Ano Novo', official: true } } },
    no: (s) => [{ path: `/companies/${s.companies.casa}/holidays/proposed?year=2027&language=pt-BR` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/companies/${s.companies.vizinha}/holidays/proposed?year=2027&language=pt-BR` }],
  },
  'PUT /companies/:id/holidays': {
    pass: (s) => ({
      ...{ who: 'admin', path: `/companies/${s.companies.casa}/holidays` },
      body: { added: [{ date: '2026-11-20', name: 'Consciência Negra' }], taken: ['2026-11-21'] },
    }),
    gives: { holidays: [{ date: '2026-11-20', name: 'Consciência Negra' }] },
    no: (s) => [{ path: `/companies/${s.companies.casa}/holidays`, body: { added: [], taken: [] } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/companies/${s.companies.vizinha}/holidays`, body: { added: [], taken: [] } }],
  },
}

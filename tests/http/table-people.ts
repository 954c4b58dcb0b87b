import { expect } from 'vitest'
import type { Case } from './table.ts'

function picture(): FormData {
  const form = new FormData()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.append('profileImage', new Blob([Buffer.from(png, 'base64')]), 'eu.png')
  return form
}

const notifications = {
  ...{ messageSound: true, waitingSound: false, volume: 0.3 },
  ...{ quiet: { from: '22:00', to: '07:00' }, notices: 'text' },
}

/** Users and their own settings. */
export const people: Record<string, Case> = {
  'GET /users': {
    pass: () => ({ path: '/users?searchParam=bruno' }),
    gives: { users: [{ name: 'bruno' }] },
    no: () => [{ path: '/users?pageNumber=-1' }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /users/list': {
    pass: () => ({ path: '/users/list' }),
    gives: [{ name: 'admin' }, { name: 'ana' }, { name: 'bruno' }, { name: 'carla' }, { name: 'dulce' }],
  },
  'GET /users/:id': {
    pass: (s) => ({ path: `/users/${s.users.ana}` }),
    gives: {
      name: 'ana',
      profile: 'user',
      allTicket: 'disable',
      queues: [{ name: 'Vendas' }],
      avatar: null,
      defaultTicketsManagerWidth: 420,
    },
    no: (s) => [{ path: `/users/${s.users.bruno}` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}` }],
  },
  'POST /users': {
    pass: (s) => ({ who: 'admin', path: '/users', body: { name: 'Nova', email: 'nova@casa.test', queueIds: [s.queues.vendas] } }),
    gives: { name: 'Nova', profile: 'user', hasPassword: false, queues: [{ name: 'Vendas' }] },
    no: () => [{ who: 'admin', path: '/users', body: { name: 'Ana', email: 'RITA@casa.test' } }, 409, 'ERR_DUPLICATED_EMAIL'], // A-USER-01
    foreign: (s) => [
      { who: 'admin', path: '/users', body: { name: 'Outra', email: 'outra@casa.test', queueIds: [s.theirs.queue] } },
      { who: 'admin', path: '/users', body: { name: 'Outra', email: 'outra@casa.test', whatsappId: s.theirs.connection } },
    ],
  },
  'PUT /users/:id': {
    pass: async (s) => ({ who: 'admin', path: `/users/${(await s.person()).id}`, body: { startWork: '22:00', endWork: '06:00' } }),
    gives: { startWork: '22:00', endWork: '06:00' },
    no: (s) => [{ path: `/users/${s.users.ana}`, body: { profile: 'admin' } }, 403, 'ERR_NO_PERMISSION'], // A-USER-02
    foreign: async (s) => [
      { who: 'admin', path: `/users/${s.theirs.user}`, body: { name: 'Nossa' } },
      { who: 'admin', path: `/users/${(await s.person()).id}`, body: { queueIds: [s.theirs.queue] } },
    ],
  },
  'DELETE /users/:id': {
    pass: async (s) => ({ who: 'admin', path: `/users/${(await s.person()).id}` }),
    no: (s) => [{ who: 'admin', path: `/users/${s.users.admin}` }, 400, 'ERR_OWN_USER'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}` }],
  },
  'POST /users/:id/password-link': {
    pass: async (s) => ({ who: 'admin', path: `/users/${(await s.person()).id}/password-link` }),
    gives: { sent: false, failed: null },
    no: (s) => [{ path: `/users/${s.users.bruno}/password-link` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/password-link` }],
  },
  'POST /settings/mail/test': {
    pass: async (s) => {
      await s.mailbox()
      return { who: 'dulce', path: '/settings/mail/test' }
    },
    gives: { to: 'dulce@casa.test' },
    no: () => [{ who: 'admin', path: '/settings/mail/test' }, 403, 'ERR_NO_PERMISSION'],
  },
  'PUT /users/:id/away': {
    pass: (s) => ({ path: `/users/${s.users.ana}/away`, body: { away: false } }),
    no: (s) => [{ path: `/users/${s.users.bruno}/away`, body: { away: true } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/away`, body: { away: true } }],
  },
  'PUT /users/:id/notifications': {
    pass: (s) => ({ path: `/users/${s.users.ana}/notifications`, body: notifications }),
    no: (s) => [{ path: `/users/${s.users.ana}/notifications`, body: { ...notifications, volume: 1.1 } }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/notifications`, body: notifications }],
  },
  'PUT /users/:id/language': {
    pass: (s) => ({ path: `/users/${s.users.ana}/language`, body: { language: 'tr' } }),
    no: (s) => [{ path: `/users/${s.users.bruno}/language`, body: { language: 'tr' } }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/language`, body: { language: 'tr' } }],
  },
  'PUT /users/toggleChangeWidht/:userId': {
    pass: (s) => ({ path: `/users/toggleChangeWidht/${s.users.ana}`, body: { defaultTicketsManagerWidth: 500 } }),
    no: (s) => [{ path: `/users/toggleChangeWidht/${s.users.ana}`, body: { defaultTicketsManagerWidth: 403 } }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/users/toggleChangeWidht/${s.theirs.user}`, body: { defaultTicketsManagerWidth: 500 } }],
  },
  'POST /users/:id/media-upload': {
    pass: (s) => ({ path: `/users/${s.users.ana}/media-upload`, body: picture() }),
    gives: {
      name: 'ana',
      profileImage: expect.stringMatching(/^\/api\/media\/1\/[0-9a-f]{64}\/eu\.png\?/),
      avatar: expect.stringContaining('eu.png'),
    },
    no: (s) => [{ path: `/users/${s.users.bruno}/media-upload`, body: picture() }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/media-upload`, body: picture() }],
  },
  'DELETE /users/:id/media-upload': {
    pass: (s) => ({ path: `/users/${s.users.ana}/media-upload` }),
    no: (s) => [{ path: `/users/${s.users.bruno}/media-upload` }, 403, 'ERR_NO_PERMISSION'],
    foreign: (s) => [{ who: 'admin', path: `/users/${s.theirs.user}/media-upload` }],
  },
}

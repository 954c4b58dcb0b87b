import { contactTable } from '#tests/support/contact-table.ts'
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
  'POST /contacts/upload': {
    pass: () => ({ path: '/contacts/upload', body: contactTable('Nome;Número\nRita;11 98555-7070\n;1\n') }),
    gives: { total: 2, columns: [{ title: 'Nome', field: 'name' }, { field: 'number' }], errors: [{ row: 3, code: 'ERR_IMPORT_NAME' }] },
    no: () => [{ path: '/contacts/upload', body: contactTable('\0\0\0') }, 400, 'ERR_IMPORT_FILE'],
  },
  'PUT /contacts/upload/:id': {
    pass: async (s) => ({ path: `/contacts/upload/${(await s.upload()).id}`, body: { fields: ['name', 'number', 'email'] } }),
    gives: { counts: { created: 1, ignored: 0 } },
    no: async (s) => [
      { path: `/contacts/upload/${(await s.upload()).id}`, body: { fields: ['name', 'number', 'number'] } },
      400,
      'ERR_IMPORT_FIELD_TWICE',
    ],
    foreign: async (s) => [{ path: `/contacts/upload/${(await s.upload('rita')).id}`, body: { fields: ['name', 'number', 'email'] } }],
  },
  'GET /contacts/upload/:id/rows': {
    pass: async (s) => ({ path: `/contacts/upload/${(await s.upload()).id}/rows?state=created` }),
    gives: { count: 1, rows: [{ row: 2, state: 'created' }] },
    no: () => [{ path: `/contacts/upload/${missing}/rows` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ path: `/contacts/upload/${(await s.upload('rita')).id}/rows` }],
  },
  'PUT /contacts/upload/:id/rows': {
    pass: async (s) => ({ path: `/contacts/upload/${(await s.upload()).id}/rows`, body: { isChosen: false, rowNumbers: [2] } }),
    gives: { counts: { created: 0, leftOut: 1 } },
    no: () => [{ path: `/contacts/upload/${missing}/rows`, body: { isChosen: true } }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ path: `/contacts/upload/${(await s.upload('rita')).id}/rows`, body: { isChosen: false } }],
  },
  'GET /contacts/upload/sample': { pass: () => ({ path: '/contacts/upload/sample' }) },
  'POST /contacts/upload/:id/begin': {
    pass: async (s) => ({ path: `/contacts/upload/${(await s.upload()).id}/begin`, body: { existing: 'keep' } }),
    gives: { kind: 'importContacts', total: 1 },
    no: async (s) => [{ path: `/contacts/upload/${(await s.upload('bruno')).id}/begin`, body: { existing: 'keep' } }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ path: `/contacts/upload/${(await s.upload('rita')).id}/begin`, body: { existing: 'update' } }],
  },
  'POST /contacts/import': {
    async pass(s) {
      await s.people('book')
      return { path: '/contacts/import' }
    },
    gives: { work: { kind: 'importContacts' } },
    no: () => [{ who: 'rita', path: '/contacts/import' }, 409, 'ERR_IMPORT_PHONE'],
  },
  'POST /contacts/import/chats': {
    async pass(s) {
      await s.people('chats')
      return { path: '/contacts/import/chats' }
    },
    gives: { work: { kind: 'importContacts' } },
    no: () => [{ who: 'rita', path: '/contacts/import/chats' }, 409, 'ERR_IMPORT_PHONE'],
  },
  'GET /contacts/upload/:id/result': {
    pass: async (s) => ({ path: `/contacts/upload/${(await s.upload()).id}/result` }),
    gives: { total: 1, created: 0, ignored: 0 },
    no: () => [{ path: `/contacts/upload/${missing}/result` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ path: `/contacts/upload/${(await s.upload('rita')).id}/result` }],
  },
  'GET /contacts/upload/errors/:workId': {
    pass: async (s) => ({ path: `/contacts/upload/errors/${(await s.imported()).id}` }),
    no: () => [{ path: `/contacts/upload/errors/${missing}` }, 404, 'ERR_NOT_FOUND'],
    foreign: async (s) => [{ path: `/contacts/upload/errors/${(await s.imported('rita')).id}` }],
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

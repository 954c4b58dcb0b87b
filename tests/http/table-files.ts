import type { Case } from './table.ts'

const list = { name: 'Catálogo', message: 'Segue o catálogo' }
const missing = 2147483647
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
function pictureFile(): FormData {
  const form = new FormData()
  form.append('files', new Blob([picture]), 'foto.png')
  return form
}

function partOfFile(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('part', new Blob(['0123']), 'part')
  return form
}

/** File lists and their files, and files that arrive in parts. */
export const files: Record<string, Case> = {
  'POST /uploads': {
    pass: () => ({ path: '/uploads', body: partOfFile({ key: 'a-1', position: '0' }) }),
    gives: { bytes: 4 },
    no: () => [{ path: '/uploads', body: partOfFile({ key: '../x', position: '0' }) }, 400, 'ERR_INVALID_INPUT'],
  },
  'GET /files': {
    async pass(s) {
      await s.fileList()
      return { path: '/files?searchParam=lista' }
    },
    gives: { files: { 0: { options: [] } } },
    no: () => [{ path: '/files?pageNumber=x' }, 400, 'ERR_INVALID_INPUT'],
  },
  'POST /files': {
    pass: (s) => ({ who: 'admin', path: '/files', body: { ...list, userId: s.users.ana, options: [{ name: 'Capa' }] } }),
    gives: { name: 'Catálogo', options: [{ name: 'Capa', path: null, mediaType: null }] },
    no: () => [{ path: '/files', body: list }, 403, 'ERR_NO_PERMISSION'],
  },
  'GET /files/:id': {
    pass: async (s) => ({ who: 'admin', path: `/files/${(await s.fileList()).id}` }),
    gives: { message: 'Segue' },
    no: () => [{ who: 'admin', path: `/files/${missing}` }, 404, 'ERR_NO_FILE_LIST_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/files/${s.theirs.fileList.id}` }],
  },
  'PUT /files/:id': {
    pass: async (s) => ({ who: 'admin', path: `/files/${(await s.fileList()).id}`, body: { message: 'Outra', options: [{ name: 'Um' }] } }),
    gives: { message: 'Outra', options: [{ name: 'Um' }] },
    no: () => [{ who: 'admin', path: `/files/${missing}`, body: list }, 404, 'ERR_NO_FILE_LIST_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/files/${s.theirs.fileList.id}`, body: list }],
  },
  'POST /files/uploadList/:id': {
    pass: async (s) => ({ who: 'admin', path: `/files/uploadList/${(await s.fileList()).id}`, body: pictureFile() }),
    gives: { options: [{ name: 'foto.png', mediaType: 'image/png' }] },
    no: async (s) => [{ who: 'admin', path: `/files/uploadList/${(await s.fileList()).id}`, body: {} }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/files/uploadList/${s.theirs.fileList.id}`, body: pictureFile() }],
  },
  'DELETE /files/:id': {
    pass: async (s) => ({ who: 'admin', path: `/files/${(await s.fileList()).id}` }),
    no: () => [{ who: 'admin', path: `/files/${missing}` }, 404, 'ERR_NO_FILE_LIST_FOUND'],
    foreign: async (s) => [
      { who: 'admin', path: `/files/${s.theirs.fileList.id}` },
      { who: 'admin', path: `/files/${(await s.fileList()).id}?moveTo=${s.theirs.fileList.id}` },
    ],
  },
}

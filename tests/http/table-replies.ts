import type { Case } from './table.ts'

const reply = { shortcode: 'abc', message: 'Olá' }
function textFile(): FormData {
  const form = new FormData()
  form.append('file', new Blob(['Um texto']), 'nota.txt')
  return form
}

/** Quick replies and their files. */
export const replies: Record<string, Case> = {
  'GET /quick-messages': {
    pass: () => ({ path: '/quick-messages?searchParam=oi' }),
    gives: { records: [{ shortcode: 'oi' }] },
    no: () => [{ path: '/quick-messages?pageNumber=x' }, 400, 'ERR_INVALID_INPUT'],
  },
  'POST /quick-messages': {
    pass: (s) => ({ path: '/quick-messages', body: { ...reply, userId: s.users.admin } }),
    gives: { shortcode: 'abc', visao: false, status: true },
    no: () => [{ path: '/quick-messages', body: { shortcode: 'ABC', message: 'x' } }, 409, 'ERR_DUPLICATED_NAME'],
  },
  'GET /quick-messages/:id': {
    pass: (s) => ({ path: `/quick-messages/${s.replies.shared}` }),
    gives: { shortcode: 'oi' },
    no: (s) => [{ path: `/quick-messages/${s.replies.adminOnly}` }, 404, 'ERR_NO_QUICK_MESSAGE_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/quick-messages/${s.theirs.reply}` }],
  },
  'PUT /quick-messages/:id': {
    pass: async (s) => ({ path: `/quick-messages/${(await s.reply()).id}`, body: { shortcode: 'novo', message: 'Oi', geral: true } }),
    gives: { shortcode: 'novo', geral: true },
    no: (s) => [{ path: `/quick-messages/${s.replies.adminOnly}`, body: reply }, 404, 'ERR_NO_QUICK_MESSAGE_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/quick-messages/${s.theirs.reply}`, body: reply }],
  },
  'DELETE /quick-messages/:id': {
    pass: async (s) => ({ path: `/quick-messages/${(await s.reply()).id}` }),
    no: (s) => [{ path: `/quick-messages/${s.replies.adminOnly}` }, 404, 'ERR_NO_QUICK_MESSAGE_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/quick-messages/${s.theirs.reply}` }],
  },
  'POST /quick-messages/:id/media-upload': {
    pass: async (s) => ({ path: `/quick-messages/${(await s.reply()).id}/media-upload`, body: textFile() }),
    gives: { isMedia: true, mediaName: 'nota.txt' },
    no: async (s) => [{ path: `/quick-messages/${(await s.reply()).id}/media-upload`, body: {} }, 400, 'ERR_INVALID_INPUT'],
    foreign: (s) => [{ who: 'admin', path: `/quick-messages/${s.theirs.reply}/media-upload`, body: textFile() }],
  },
  'DELETE /quick-messages/:id/media-upload': {
    pass: async (s) => ({ path: `/quick-messages/${(await s.reply()).id}/media-upload` }),
    no: (s) => [{ path: `/quick-messages/${s.replies.adminOnly}/media-upload` }, 404, 'ERR_NO_QUICK_MESSAGE_FOUND'],
    foreign: (s) => [{ who: 'admin', path: `/quick-messages/${s.theirs.reply}/media-upload` }],
  },
  'GET /quick-messages/list': {
    pass: () => ({ path: '/quick-messages/list' }),
    no: () => [{ path: '/quick-messages/list?userId=x' }, 400, 'ERR_INVALID_INPUT'],
  },
}

import { expect } from 'vitest'
import type { ErrorCode } from '#domain/errors.ts'
import type { Scene } from './scene.ts'
import type { Case, Try } from './table.ts'

const button = { title: 'Oferta', buttonText: 'Ver' }
const list = { ...button, description: 'Escolha', sections: [{ rows: [{ title: 'Manhã' }, { title: 'Tarde', description: 'até 18h' }] }] }
const pix = { title: 'Pedido 7', sendkey_type: 'PHONE', sendKey: '(11) 91111-2222', sendmerchant_name: 'Loja', sendvalue: '12,50' }

/** Each type is sent to a served ticket, refuses an invalid field, and never reaches another company's ticket. */
const kind = (path: string, body: object, gives: object, wrong: object): Case => {
  const at = ({ id }: { id: number }) => `/messages/${path}/${id}`
  return {
    pass: async (s: Scene): Promise<Try> => ({ path: at(await s.served()), body }),
    gives: { messages: [{ mediaType: 'interactiveMessage', interactive: gives }] },
    no: async (s: Scene): Promise<[Try, number, ErrorCode]> => [
      { path: at(await s.served()), body: { ...body, ...wrong } },
      400,
      'ERR_INVALID_INPUT',
    ],
    foreign: ({ theirs }: Scene): Try[] => [{ who: 'admin', path: at(theirs.ticket), body }],
  }
}

/** Messages with options or buttons. */
export const touched: Record<string, Case> = {
  'POST /messages/lista/:ticketId': kind(
    'lista',
    list,
    { kind: 'list', sections: [{ title: '', rows: [{ id: '1', title: 'Manhã', description: '' }, { id: '2' }] }] },
    { sections: [{ rows: [{ title: 'a' }] }, { title: 'b', rows: [{ title: 'c' }] }] },
  ),
  'POST /messages/copy/:id': kind('copy', { ...button, copyText: 'DEZ' }, { kind: 'copy', copies: 'DEZ' }, { copyText: ' ' }),
  'POST /messages/call/:id': kind(
    'call',
    { ...button, copyText: '(11) 4004-1234' },
    { kind: 'call', phone: '+551140041234' },
    { copyText: 'ligue já' },
  ),
  'POST /messages/URL/:id': kind(
    'URL',
    { ...button, copyText: 'loja.test/x', image: '' },
    { kind: 'url', url: 'https://loja.test/x' },
    { copyText: 'javascript:alert(1)' },
  ),
  'POST /messages/PIX/:id': kind(
    'PIX',
    pix,
    { kind: 'pix', key: '+5511911112222', cents: 1250, code: expect.stringContaining('540512.50') },
    { sendkey_type: 'CPF' },
  ),
}

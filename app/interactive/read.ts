import { refuse } from '#domain/errors.ts'
import type { CallBody, CopyBody, ListBody, PixBody, UrlBody } from '#domain/interactive/contract.ts'
import { dialled, type Interactive, most, pixCode, pixKey, type Section, webAddress } from '#domain/interactive/rules.ts'

export type Fields =
  | { kind: 'list'; body: ListBody }
  | { kind: 'copy'; body: CopyBody }
  | { kind: 'call'; body: CallBody }
  | { kind: 'url'; body: UrlBody }
  | { kind: 'pix'; body: PixBody }

const refuseField = (field: string): never => refuse('ERR_INVALID_INPUT', { field })

/** Parses a body, or refuses the field that is invalid. */
export function read({ kind, body }: Fields): Interactive {
  const title = body.title.trim()
  if (kind === 'pix') {
    const merchant = body.sendmerchant_name.trim()
    const key = pixKey(body.sendkey_type, body.sendKey) ?? refuseField('sendKey')
    const cents = centsOf(body.sendvalue)
    return { kind, title, description: '', keyType: body.sendkey_type, key, merchant, cents, code: pixCode(key, merchant, cents) }
  }
  const about = { title, description: (body.description ?? '').trim(), buttonText: body.buttonText.trim() }
  if (kind === 'list') return { kind, ...about, sections: numbered(body.sections) }
  const text = body.copyText.trim()
  if (kind === 'copy') return { kind, ...about, copies: text }
  if (kind === 'call') return { kind, ...about, phone: dialled(text) ?? refuseField('copyText') }
  return { kind, ...about, url: webAddress(text) ?? refuseField('copyText') }
}

/** Titles distinguish several sections. The number of options is limited. */
function numbered(given: ListBody['sections']): Section[] {
  let n = 0
  const sections = given.map(({ title = '', rows }) => ({
    title: title.trim(),
    rows: rows.map((row) => ({ id: String(++n), title: row.title.trim(), description: (row.description ?? '').trim() })),
  }))
  if (n > most.rows) refuseField('sections')
  const untitled = sections.findIndex(({ title }) => title === '')
  return sections.length > 1 && untitled >= 0 ? refuseField(`sections/${untitled}/title`) : sections
}

/** An amount in reais, with a comma or point before the cents; null: the payer chooses. */
function centsOf(value: PixBody['sendvalue']): number | null {
  if (typeof value === 'string' && !/^(\d{1,9}([.,]\d{1,2})?)?$/.test(value.trim())) return refuseField('sendvalue')
  const cents = Math.round(Number(typeof value === 'string' ? value.replace(',', '.') : (value ?? 0)) * 100)
  return cents > 0 ? cents : null
}

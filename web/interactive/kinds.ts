import type { TObject } from 'typebox'
import { callFields, copyFields, listFields, pixFields, urlFields } from '#domain/interactive/contract.ts'
import { dialled, type Interactive, type kinds, type PixKey, pixCode, pixKey, webAddress } from '#domain/interactive/rules.ts'
import { translate } from '#web/i18n.ts'
import { typedAmount } from '#web/ticket/drawer/typedAmount.ts'
import type { FieldRules } from '#web/ui/check.ts'
import { interactiveWords } from './words.ts'

export type Kind = (typeof kinds)[number]
type Row = { title: string; description: string }
/** All fields of the dialog, of every kind. */
export type Typed = {
  title: string
  description: string
  buttonText: string
  copyText: string
  sections: { title: string; rows: Row[] }[]
  sendkey_type: PixKey
  sendKey: string
  sendmerchant_name: string
  sendvalue: string
}
const row = (): Row => ({ title: '', description: '' })
export const blankSection = () => ({ title: '', rows: [row()] })
export const blankRow = row
export const blank = (): Typed => ({
  ...{ title: '', description: '', buttonText: '', copyText: '', sections: [blankSection()] },
  ...{ sendkey_type: 'CPF', sendKey: '', sendmerchant_name: '', sendvalue: '' },
})

/** The fields that each kind sends. */
export const bodies: Record<Kind, TObject> = { list: listFields, copy: copyFields, call: callFields, url: urlFields, pix: pixFields }
export const bodyFor = (kind: Kind, typed: Typed): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(bodies[kind].properties).map((name) => [
      name,
      name === 'sendvalue' ? (typedAmount(typed.sendvalue) ?? null) : typed[name as keyof Typed],
    ]),
  )

const unless = (right: boolean, word: keyof typeof interactiveWords) => (right ? null : translate(interactiveWords, word))
const filled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
/** Rules of a field beyond its length. The call itself refuses empty fields. */
export const fieldRulesOf = (kind: Kind, typed: Typed): FieldRules => ({
  ...(kind === 'url' && { copyText: (text) => unless(!filled(text) || webAddress(text) !== null, 'badLink') }),
  ...(kind === 'call' && { copyText: (text) => unless(!filled(text) || dialled(text) !== null, 'badPhone') }),
  ...(kind === 'pix' && {
    sendKey: (text) => unless(!filled(text) || pixKey(typed.sendkey_type, text) !== null, 'badKey'),
    sendvalue: () => unless(typedAmount(typed.sendvalue) !== undefined, 'badAmount'),
  }),
  ...(kind === 'list' &&
    typed.sections.length > 1 &&
    Object.fromEntries(typed.sections.map((_, i) => [`sections.${i}.title`, (text: unknown) => unless(filled(text), 'sectionUntitled')]))),
})

/** The preview for the customer, as far as the fields are filled. */
export function seen(kind: Kind, typed: Typed): Interactive {
  const { title, description, buttonText, copyText } = typed
  if (kind === 'pix') {
    const reais = typedAmount(typed.sendvalue) ?? 0
    const { sendkey_type: keyType, sendKey, sendmerchant_name: merchant } = typed
    const [known, cents] = [pixKey(keyType, sendKey), reais > 0 ? Math.round(reais * 100) : null]
    const pix = { keyType, key: known ?? sendKey, merchant, cents, code: known === null ? '' : pixCode(known, merchant, cents) }
    return { kind, title, description: '', ...pix }
  }
  const about = { title, description, buttonText }
  if (kind === 'list') {
    let n = 0
    return {
      kind,
      ...about,
      sections: typed.sections.map((one) => ({ ...one, rows: one.rows.map((each) => ({ id: String(++n), ...each })) })),
    }
  }
  if (kind === 'copy') return { kind, ...about, copies: copyText }
  if (kind === 'call') return { kind, ...about, phone: dialled(copyText) ?? copyText }
  return { kind, ...about, url: webAddress(copyText) ?? '#' }
}

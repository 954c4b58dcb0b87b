import { digits, numberSigns } from '#domain/contact/rules.ts'

/** A message with options or buttons that its reader taps. */
export type Interactive = { title: string; description: string } & (
  | { kind: 'list'; buttonText: string; sections: Section[] }
  | { kind: 'url'; buttonText: string; url: string }
  | { kind: 'copy'; buttonText: string; copies: string }
  | { kind: 'call'; buttonText: string; phone: string }
  /** `cents`: null: the payer chooses the amount. `code`: the text to paste into a banking app. */
  | { kind: 'pix'; keyType: PixKey; key: string; merchant: string; cents: number | null; code: string }
)
export type Section = { title: string; rows: Option[] }
/** `id`: its number in the list. */
export type Option = { id: string; title: string; description: string }
export type PixKey = (typeof pixKeys)[number]

export const kinds = ['list', 'url', 'copy', 'call', 'pix'] as const
export const pixKeys = ['CNPJ', 'CPF', 'PHONE', 'EMAIL', 'EVP'] as const

/** Maximum lengths in characters, and maximum counts, that WhatsApp shows completely. */
export const most = {
  ...{ title: 60, description: 900, buttonText: 20, copies: 500, url: 2000 },
  ...{ rows: 10, section: 24, row: 24, rowDescription: 72 },
  ...{ merchant: 25, key: 77, cents: 99_999_999_99 },
} as const

/** All options, in the order of their numbers in the text form. */
export const options = (sections: Section[]): Option[] => sections.flatMap(({ rows }) => rows)

/** The text form of an interactive message, for channels without support, search, quotes and print. It contains no words of ours. */
export function asText(message: Interactive): string {
  const { title, description } = message
  return [title, description, ...parts(message)].filter((part) => part !== '').join('\n\n')
}
function parts(message: Interactive): string[] {
  switch (message.kind) {
    case 'list':
      return message.sections.map(({ title, rows }) => [title, ...rows.map(numbered)].filter((line) => line !== '').join('\n'))
    case 'url':
      return [`${message.buttonText}: ${message.url}`]
    case 'copy':
      return [`${message.buttonText}:`, message.copies]
    case 'call':
      return [`${message.buttonText}: ${message.phone}`]
    case 'pix': {
      const { merchant, cents, key, code } = message
      return [[merchant, ...(cents === null ? [] : [reais(cents)]), `Pix: ${key}`].join('\n'), code]
    }
  }
}
const numbered = ({ id, title, description }: Option) => `${id}. ${title}${description === '' ? '' : ` – ${description}`}`
/** Formats an amount in reais, always in the Brazilian format. */
export const reais = (cents: number): string => new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100)

const isWritten = new RegExp(`^[${numberSigns}\\d]+$`)
/** Returns a number in international format; a Brazilian one may lack its country code. null: not a number. */
export function dialled(text: string): string | null {
  if (!isWritten.test(text)) return null
  const all = digits(text)
  const country = /^\D*\+/.test(text) || all.length > 11 ? '' : '55'
  return all.length >= 8 && all.length <= 15 ? `+${country}${all}` : null
}

/** Returns a web URL, with https:// added if it is missing; null: not a web URL. */
export function webAddress(text: string): string | null {
  const given = text.trim()
  const whole = /^[a-z][a-z\d+.-]*:/i.test(given) && !/^[^/]+:\d/.test(given) ? given : `https://${given}`
  const url = URL.canParse(whole) && !/\s/.test(given) ? new URL(whole) : null
  return url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null
}

/** Returns the normalized Pix key; null: invalid for its type. A phone number gets +55 if missing (R-MSG-10). */
export function pixKey(type: PixKey, text: string): string | null {
  const given = text.trim()
  return keyReaders[type](given)
}
const keyReaders: Record<PixKey, (given: string) => string | null> = {
  CPF: (given) => checked(given.replace(/[\s.-]/g, ''), /^\d{11}$/, cpfWeights),
  CNPJ: (given) => checked(given.toUpperCase().replace(/[\s./-]/g, ''), /^[\dA-Z]{12}\d{2}$/, cnpjWeights),
  PHONE: (given) => {
    const [, local] = /^(?:55)?([1-9]{2}\d{8,9})$/.exec(isWritten.test(given) ? digits(given) : '') ?? []
    return local ? `+55${local}` : null
  },
  EMAIL: (given) => (given.length <= most.key && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(given) ? given.toLowerCase() : null),
  EVP: (given) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given) ? given.toLowerCase() : null),
}
const cpfWeights = (n: number) => Array.from({ length: n }, (_, i) => n + 1 - i)
const cnpjWeights = (n: number) => Array.from({ length: n }, (_, i) => ((n - 1 - i) % 8) + 2)
/** Verifies the two check digits. A letter, allowed in a CNPJ since 2026, has a value from 17 on. */
function checked(text: string, form: RegExp, weights: (n: number) => number[]): string | null {
  if (!form.test(text) || /^(.)\1+$/.test(text)) return null
  const digit = (n: number) => {
    const sum = weights(n).reduce((all, weight, i) => all + weight * (text.charCodeAt(i) - 48), 0)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const end = text.length - 2
  return digit(end) === Number(text[end]) && digit(end + 1) === Number(text[end + 1]) ? text : null
}

/** The payment code in the EMV format of the central bank of Brazil, for "Pix copia e cola". */
export function pixCode(key: string, merchant: string, cents: number | null): string {
  const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`
  const name = plain(merchant).slice(0, most.merchant).trim() || 'N'
  const code = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    ...[field('52', '0000'), field('53', '986')],
    ...(cents === null ? [] : [field('54', (cents / 100).toFixed(2))]),
    ...[field('58', 'BR'), field('59', name), field('60', 'BRASIL'), field('62', field('05', '***'))],
    '6304',
  ].join('')
  return code + crc16(code)
}
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .toUpperCase()
/** CRC-16/CCITT-FALSE. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const letter of text) {
    crc ^= letter.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** Limits of buttons, quick replies and templates: their number, and their length in characters. */
const buttons = { most: 3, title: 20 }
const quick = { most: 13, title: 20 }
const template = { most: 640 }

/** The options of a list as buttons; null: too many or too long for buttons. */
export function asButtons({ sections }: { sections: Section[] }): Option[] | null {
  const all = options(sections)
  const fits = ({ title, description }: Option) => description === '' && title.length <= buttons.title
  return sections.length === 1 && all.length <= buttons.most && all.every(fits) ? all : null
}
/** The options of a list as quick replies below the text; null: too many or too long. */
export function asChoices(of: Interactive): Option[] | null {
  const all = of.kind === 'list' ? options(of.sections) : []
  return all.length > 0 && all.length <= quick.most && all.every(({ title }) => title.length <= quick.title) ? all : null
}
/** The text above a button. */
export const aboutIt = ({ title, description }: Interactive): string => [title, description].filter((part) => part !== '').join('\n\n')
export const fitsTemplate = (of: Interactive): boolean => aboutIt(of).length <= template.most

/** An interactive message with every text changed. */
export const everyText = (message: Interactive, change: (text: string) => string): Interactive =>
  JSON.parse(JSON.stringify(message), (_, one: unknown) => (typeof one === 'string' ? change(one) : one)) as Interactive

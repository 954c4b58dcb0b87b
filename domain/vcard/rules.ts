/* Contact cards (vCard 2.1, RFC 2426, RFC 6350): parsed as tolerantly as phones do, written as 3.0, in linear time. */

export type Card = {
  name: string
  organization: string
  title: string
  /** `whatsAppId`: the number at WhatsApp, digits only; empty if the card has none. */
  phones: { number: string; whatsAppId: string }[]
  emails: string[]
  urls: string[]
  addresses: string[]
}
type Property = { name: string; params: Map<string, string>; value: string }

/** Limits: characters per value and values per kind; the rest of a card is ignored. */
const mostLetters = 1000
const mostValues = 100
const mostHead = 1000

const newLine = /\r\n|\r|\n/
const isMark = (line: string, mark: 'BEGIN' | 'END'): boolean => line.length < 60 && line.trim().toUpperCase() === `${mark}:VCARD`
/** A card of version 2.1 may contain a nested card (AGENT). */
const opensAgent = (line: string | undefined): boolean => line !== undefined && line.length < 200 && /^(?:[\w-]+\.)?AGENT[:;]/i.test(line)

/** The text of each card. A text without BEGIN:VCARD is one card. */
export function vCardsIn(text: string): string[] {
  const found: string[][] = []
  let open: string[] | null = null
  let agents = 0
  let last: string | undefined
  for (const line of text.replace(/^\ufeff/, '').split(newLine)) {
    if (isMark(line, 'BEGIN') && open && opensAgent(last)) agents++
    else if (isMark(line, 'BEGIN')) {
      open = []
      agents = 0
      found.push(open)
    }
    open?.push(line)
    if (isMark(line, 'END') && agents > 0) agents--
    else if (isMark(line, 'END')) open = null
    if (line !== '') last = line
  }
  return found.length === 0 ? [text.trim()] : found.map((lines) => lines.join('\n').trim())
}

/** Parses all cards in a text. */
export const cards = (text: string): Card[] => vCardsIn(text).map(readCard)

function readCard(text: string): Card {
  const properties = propertiesIn(text)
  const all = (name: string) => properties.filter((one) => one.name === name).slice(0, mostValues)
  const texts = (name: string) => unique(all(name).map((one) => plain(textOf(one))))
  const phones = all('TEL').map((one) => ({ number: numberOf(one), whatsAppId: digitsOf(one.params.get('WAID') ?? '') }))
  const emails = unique(all('EMAIL').map((one) => plain(textOf(one).replace(/^mailto:/i, ''))))
  const [parts = []] = all('N').map(partsOf)
  const [family = '', given = '', additional = '', prefix = '', suffix = ''] = parts
  const organization = unique(all('ORG').map((one) => partsOf(one).filter(Boolean).join(', ')))[0] ?? ''
  const called = [prefix, given, additional, family, suffix].filter(Boolean).join(' ')
  const known = phones.filter(({ number, whatsAppId }) => number !== '' || whatsAppId !== '')
  const numbers = known.map(({ number, whatsAppId }) => ({ number: number || `+${whatsAppId}`, whatsAppId }))
  return {
    name: texts('FN')[0] || called || texts('NICKNAME')[0] || organization || emails[0] || numbers[0]?.number || '',
    organization,
    title: texts('TITLE')[0] ?? '',
    phones: [...new Map(numbers.map((one) => [one.number, one])).values()],
    emails,
    urls: texts('URL'),
    addresses: unique(all('ADR').map((one) => partsOf(one).filter(Boolean).join(', '))),
  }
}

const unique = (values: string[]): string[] => [...new Set(values.filter((value) => value !== ''))]
/** Reduces a value to one line of limited length. */
const plain = (value: string): string => value.slice(0, mostLetters).toWellFormed().replace(/\s+/g, ' ').trim()
const digitsOf = (value: string): string => value.slice(0, mostLetters).replace(/\D/g, '')

/** The properties of the outermost card, with folded lines joined. */
function propertiesIn(text: string): Property[] {
  const logical: { parts: string[]; isQuotedPrintable: boolean }[] = []
  let agents = 0
  for (const line of text.split(newLine)) {
    const last = logical.at(-1)
    if (agents === 0 && isMark(line, 'BEGIN') && opensAgent(last?.parts[0])) agents++
    else if (agents > 0 && isMark(line, 'BEGIN')) agents++
    else if (agents > 0) agents -= isMark(line, 'END') ? 1 : 0
    else if (last?.isQuotedPrintable && last.parts.at(-1)!.endsWith('=')) {
      last.parts.push(last.parts.pop()!.slice(0, -1), line.replace(/^[ \t]/, '')) // a soft line break
    } else if (last && /^[ \t]/.test(line)) last.parts.push(line.slice(1))
    else if (line !== '')
      logical.push({ parts: [line], isQuotedPrintable: /QUOTED-PRINTABLE/i.test(line.slice(0, mostHead).split(':', 1)[0]!) })
  }
  return logical.flatMap(({ parts }) => propertyIn(parts.join('')) ?? [])
}

/** Parses a property such as `item1.TEL;type="CELL";waid=55…:+55 …`; null: not a property. */
function propertyIn(line: string): Property | null {
  const colon = unquoted(line.slice(0, mostHead), ':')[0]?.length ?? mostHead
  if (line[colon] !== ':') return null
  const [first = '', ...rest] = unquoted(line.slice(0, colon), ';')
  const params = new Map<string, string>()
  for (const param of rest) {
    const equals = param.indexOf('=')
    const name = equals < 0 ? encodingOrType(param) : param.slice(0, equals).trim().toUpperCase()
    params.set(
      name,
      param
        .slice(equals + 1)
        .replaceAll('"', '')
        .trim(),
    )
  }
  return {
    name: first
      .slice(first.lastIndexOf('.') + 1)
      .trim()
      .toUpperCase(),
    params,
    value: line.slice(colon + 1),
  }
}
/** Version 2.1 writes ENCODING and TYPE values without the parameter name. */
const encodingOrType = (value: string): string => (/^(QUOTED-PRINTABLE|BASE64|8BIT|7BIT)$/i.test(value.trim()) ? 'ENCODING' : 'TYPE')
function unquoted(text: string, at: string): string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted
    else if (text[i] === at && !quoted) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, text.slice(from)]
}

const unescaped = (value: string): string =>
  value.replace(/\\([\\;,:n])/gi, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))
const textOf = (property: Property): string => unescaped(decoded(property))
/** A value of several parts, such as a name or an address. */
function partsOf(property: Property): string[] {
  const value = decoded(property).slice(0, 10 * mostLetters)
  const parts: string[] = []
  let from = 0
  for (let i = 0; i < value.length; i++) {
    if (value[i] === '\\') i++
    else if (value[i] === ';') {
      parts.push(value.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, value.slice(from)].slice(0, mostValues).map((part) => plain(unescaped(part)))
}
/** The number as written; for a URI such as `tel:+55-11-98765-4321;ext=7`, its number. */
function numberOf(property: Property): string {
  const value = plain(textOf(property))
  if (!/^tel:/i.test(value)) return value
  const [number = '', ...params] = value.slice(4).split(';')
  const extension = params.find((one) => /^ext=/i.test(one))?.slice(4)
  const words = [number, ...(extension ? [`ext. ${extension}`] : [])].join(' ')
  return words.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

function decoded({ value, params }: Property): string {
  const encoding = params.get('ENCODING')?.toUpperCase()
  const bounded = value.slice(0, 20 * mostLetters)
  if (encoding === 'QUOTED-PRINTABLE') return inCharset(quotedPrintable(bounded), params.get('CHARSET'))
  if (encoding === 'B' || encoding === 'BASE64') return inCharset(base64(bounded), params.get('CHARSET'))
  return value
}
function quotedPrintable(value: string): Uint8Array {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (let i = 0; i < value.length; i++) {
    const code = value[i] === '=' ? /^[\da-f]{2}/i.exec(value.slice(i + 1, i + 3))?.[0] : undefined
    if (code) {
      bytes.push(Number.parseInt(code, 16))
      i += 2
    } else {
      const letter = String.fromCodePoint(value.codePointAt(i)!)
      bytes.push(...encoder.encode(letter))
      i += letter.length - 1
    }
  }
  return Uint8Array.from(bytes)
}
function base64(value: string): Uint8Array {
  try {
    return Uint8Array.from(atob(value.replace(/\s/g, '')), (sign) => sign.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
/** Old phones declare no character set, or an unknown one. */
function inCharset(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const escaped = (words: string): string => words.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|[\r\n]/g, '\\n')
/** `first` and `last`: the parts of the name, if known. */
export type NewCard = Partial<Card> & { name: string; first?: string; last?: string }
/** Writes a card in version 3.0. */
export function writeCard({ name, first, last, organization, title, phones, emails, urls, addresses }: NewCard): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(last ?? '')};${escaped(first || name)};;;`,
    `FN:${escaped(name)}`,
    ...(organization ? [`ORG:${escaped(organization)}`] : []),
    ...(title ? [`TITLE:${escaped(title)}`] : []),
    ...(phones ?? []).map(
      ({ number, whatsAppId }) => `TEL;type=CELL${digitsOf(whatsAppId) && `;waid=${digitsOf(whatsAppId)}`}:${escaped(number)}`,
    ),
    ...(emails ?? []).map((email) => `EMAIL:${escaped(email)}`),
    ...(urls ?? []).map((url) => `URL:${escaped(url)}`),
    ...(addresses ?? []).map((address) => `ADR:;;${escaped(address)};;;;`),
    'END:VCARD',
  ].join('\n')
}

/** The values of a card, one per line. */
export const linesOf = ({ name, organization, title, phones, emails, urls, addresses }: Card): string[] =>
  unique([name, organization, title, ...phones.map(({ number }) => number), ...emails, ...urls, ...addresses])

/** The first cards that fit into `most` characters. A card that is too long is rewritten without its picture. */
export function firstCards(text: string, most: number): string {
  const kept: string[] = []
  let length = 0
  for (const one of vCardsIn(text)) {
    const card = [one, writeCard(readCard(one))].find((words) => length + words.length < most)
    if (card === undefined) break
    kept.push(card)
    length += card.length + 1
  }
  return kept.join('\n')
}

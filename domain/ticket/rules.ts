import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import type { Author, Kind, Side } from './events.ts'

/** Longer than any emoji, in code units. */
const longestEmoji = 64
/** A flag, a keycap, or a pictograph with skin tones, tags and joined pictographs. */
const emoji =
  /^(?:\p{Regional_Indicator}{2}|[\d#*]\u20e3|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*)$/u
/** Whether a reaction is one emoji. Variation selectors are ignored, because phones omit them. Newer emoji are allowed too. */
export const isOneEmoji = (text: string): boolean => text.length <= longestEmoji && emoji.test(text.replace(/[\ufe0e\ufe0f]/g, ''))

/** How long a sent message may be edited (A-MSG-03), in milliseconds. */
export const editWindow = 15 * minuteMs
/** How long an action can be undone while its messages wait (A-TICKET-07), in milliseconds. */
export const undoWindow = 10_000
/** Repeated accesses of a user within this time are recorded once (A-TICKET-06), in milliseconds. */
export const accessPause = 10 * minuteMs

/** The key of a reaction: one per side, and in a group one per participant (A-MSG-06). */
export const reactor = ({ from, author }: { from: Side } & Partial<Author>): string => author ?? from

const ahead = 5 * minuteMs
const behind = dayMs
/** Limits a provider's time: not far in the future, nor far before the contact's last message (A-TIME-01). ISO 8601. */
export function normalizeOccurredAt(occurredAt: string, at: string, previous: string | null): string {
  const occurred = Date.parse(occurredAt)
  if (Number.isNaN(occurred)) return at
  const newest = Math.min(occurred, Date.parse(at) + ahead)
  return new Date(previous === null ? newest : Math.max(newest, Date.parse(previous) - behind)).toISOString()
}

/** The symbol of each message kind except text. */
export const signs: Partial<Record<Kind, string>> = {
  image: '📷',
  audio: '🎤',
  video: '🎬',
  application: '📎',
  locationMessage: '📍',
  contactMessage: '👤',
  call_log: '📞',
  unsupported: '⚠️',
  interactiveMessage: '☰',
}
/** One-line preview of a message for lists. */
export function preview(kind: Kind, body: string): string {
  const text = body
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .replace(/[\uD800-\uDBFF]$/, '') // removes half of a surrogate pair, which databases refuse
  const mark = signs[kind]
  return mark ? `${mark} ${kind === 'locationMessage' || kind === 'contactMessage' ? '' : text}`.trim() : text
}

/**
 * Replaces "{nome}" and "{{nome}}" by the value; unknown names stay (A-BOT-10). Values are not expanded again.
 * An empty value leaves no gap, comma or marks around it: "Olá, *{nome}*! Seu" becomes "Olá! Seu", and "Olá ({nome})" "Olá".
 */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(
    /(,?[^\S\n]?)([*_~([“‘«"']{0,3})(?:\{\{\s*([\p{L}\p{N}_]+(?: [\p{L}\p{N}_]+)?)\s*\}\}|\{\s*([\p{L}\p{N}_]+(?: [\p{L}\p{N}_]+)?)\s*\})([*_~)\]”’»"']{0,3})([,!.?;:]?[^\S\n]?)/gu,
    (whole, before: string, opening: string, double, single, closing: string, after: string, at: number) => {
      const name = String(double ?? single).toLowerCase()
      if (!Object.hasOwn(values, name)) return whole
      const value = values[name]!
      if (value !== '') return `${before}${opening}${value}${closing}${after}`
      const pairs = pairsAround(opening, closing)
      const [opened, closes] = [opening.slice(0, opening.length - pairs), closing.slice(pairs)]
      if (opened !== '') return closes === '' ? `${before}${opened}` : `${before}${opened}${closes}${after}`
      if (closes !== '') return `${closes}${after}`
      const begins = before === '' && (at === 0 || text[at - 1] === '\n')
      const ends = /^\n?$/.test(text[at + whole.length] ?? '')
      if (begins) return ''
      if (!/^\s?$/.test(after)) return after
      return ends ? '' : before.startsWith(',') ? before : after || before
    },
  )
}

/** The closing mark of each mark that may stand before a variable. */
const closingMarks: Record<string, string> = { '(': ')', '[': ']', '“': '”', '‘': '’', '«': '»' }
/** How many marks before a variable are closed directly after it, from the inside out. */
function pairsAround(opening: string, closing: string): number {
  const inner = [...opening].toReversed()
  const first = inner.findIndex((mark, at) => (closingMarks[mark] ?? mark) !== closing[at])
  return first < 0 ? inner.length : first
}

/** A name in braces; spaces and line breaks inside the braces are ignored. */
const braced = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}|\{\s*([\p{L}\p{N}_]+)\s*\}/gu
/** A word that is a link or may be shown as one. */
const link = /\/\/|[\p{L}\p{N}}][/\\.@=?&%#]+[\p{L}\p{N}{]/u
/**
 * Removes `{numero}` from links, because the author of a link could read a masked number on the linked server (A-LGPD-04).
 * An asterisk replaces the variable, because removing it could join the rest to another variable.
 */
export const withoutNumberInLinks = (text: string): string =>
  text
    .replace(braced, (whole) => whole.replace(/\s/g, ''))
    .replace(/\S+/g, (word) => (link.test(word) ? word.replace(braced, (whole) => (isNumberName(whole) ? '*' : whole)) : word))
const isNumberName = (whole: string): boolean => whole.replace(/[{}]/g, '').toLowerCase() === 'numero'

/** Variables that every text to a customer may contain (A-BOT-10). */
export const textNames = ['nome', 'primeiro nome', 'numero', 'email', 'fila', 'atendente'] as const
/** `position` is allowed only in the text for the queue position (A-POS-01). */
export type TextName = (typeof textNames)[number] | 'position'

/** Unknown names in braces, which customers would see unchanged. */
export function unknownNames(text: string, names: readonly TextName[]): string[] {
  const left = filled(text, Object.fromEntries(names.map((name) => [name, '']))).match(/(?<!\{)\{+[^{}\n]+\}+/g) ?? []
  return [...new Set(left)].filter((braced) => /[^{}\s]/.test(braced))
}

/** The link of a ticket's video meeting. The uuid is in it, because ids can be guessed (A-TICKET-20). */
export const meetingLink = (base: string, { id, uuid }: { id: number; uuid: string }): string => `${base}/${id}-${uuid.slice(0, 8)}`

/** The scales that `ratingId` may name (A-NPS-01). */
export const ratingScales = [{ id: 1, name: 'NPS 0 a 10', min: 0, max: 10 }] as const

/** Maps a rating from 0 to 10 to one of five faces (A-NPS-01). */
export const rateOf = (nps: number): 1 | 2 | 3 | 4 | 5 => (nps <= 2 ? 1 : nps <= 4 ? 2 : nps <= 6 ? 3 : nps <= 8 ? 4 : 5)

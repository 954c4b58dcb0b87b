import type { Author, Kind, Side } from './events.ts'

/** Far longer than any emoji, in code units. */
const longestEmoji = 64
/** A flag, a key, or a picture with what changes it: skin tones, tags, and further pictures that are joined to it. */
const emoji =
  /^(?:\p{Regional_Indicator}{2}|[\d#*]\u20e3|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*)$/u
/**
 * What a reaction may be: one emoji, whether or not the selectors are there that say how it is drawn, which phones leave out as they like; also
 * one that is newer than this engine's table.
 */
export const isOneEmoji = (text: string): boolean => text.length <= longestEmoji && emoji.test(text.replace(/[\ufe0e\ufe0f]/g, ''))

/** Where a ticket's facts stand in the log: another company's ticket does not exist. */
export const streamOf = (companyId: number, ticketId: number): string => `ticket-${companyId}-${ticketId}`

/** How long after sending a message may still be edited (A-MSG-03), in milliseconds. */
export const editWindow = 15 * 60_000
/** How long what an act says to the contact waits, so that it can be undone (A-TICKET-07), in milliseconds. */
export const undoWindow = 10_000
/** One access of a user is told once in this time (A-TICKET-06), in milliseconds. */
export const accessPause = 10 * 60_000

/** Whose reaction it is: one a side, and in a group one a participant (A-MSG-06). */
export const reactor = ({ from, author }: { from: Side } & Partial<Author>): string => author ?? from

const ahead = 5 * 60_000
const behind = 24 * 60 * 60_000
/** A provider's clock may be wrong: never ahead of ours, nor far before what the contact wrote last (A-TIME-01). ISO 8601. */
export function believable(occurredAt: string, at: string, previous: string | null): string {
  const occurred = Date.parse(occurredAt)
  if (Number.isNaN(occurred)) return at
  const newest = Math.min(occurred, Date.parse(at) + ahead)
  return new Date(previous === null ? newest : Math.max(newest, Date.parse(previous) - behind)).toISOString()
}

/** By which sign each kind of message but words is known. */
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
/** What a list shows of a message in one line. */
export function preview(kind: Kind, body: string): string {
  const text = body
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .replace(/[\uD800-\uDBFF]$/, '') // half a character is no text, and no store takes it
  const mark = signs[kind]
  return mark ? `${mark} ${kind === 'locationMessage' || kind === 'contactMessage' ? '' : text}`.trim() : text
}

/**
 * "{nome}" and "{{nome}}" in a text become the value; an unknown name stays as it is (A-BOT-10). Values are not expanded again. An empty value
 * leaves no gap: "Olá {nome}, seu" becomes "Olá, seu".
 */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(
    /([^\S\n]?)(?:\{\{\s*([\p{L}\p{N}_]+)\s*\}\}|\{\s*([\p{L}\p{N}_]+)\s*\})([,!.?;:]?[^\S\n]?)/gu,
    (whole, before: string, double, single, after: string, at: number) => {
      const name = String(double ?? single).toLowerCase()
      if (!Object.hasOwn(values, name)) return whole
      const value = values[name]!
      if (value !== '') return `${before}${value}${after}`
      const begins = before === '' && (at === 0 || text[at - 1] === '\n')
      const ends = /^\n?$/.test(text[at + whole.length] ?? '')
      if (begins) return ''
      return /^\s?$/.test(after) ? (ends ? '' : after || before) : after
    },
  )
}

/** What a name in braces is compared by; blanks and line breaks inside of the braces do not count. */
const braced = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}|\{\s*([\p{L}\p{N}_]+)\s*\}/gu
/** A word of a text that is a link, or may be shown as one. */
const link = /\/\/|[\p{L}\p{N}}][/\\.@=?&%#]+[\p{L}\p{N}{]/u
/**
 * A text whose links do not hold the number: a link belongs to whoever wrote it, who would read there what is masked for them (A-LGPD-04).
 * A star stands for it, so that the rest of a link does not become another name.
 */
export const withoutNumberInLinks = (text: string): string =>
  text
    .replace(braced, (whole) => whole.replace(/\s/g, ''))
    .replace(/\S+/g, (word) => (link.test(word) ? word.replace(braced, (whole) => (isNumberName(whole) ? '*' : whole)) : word))
const isNumberName = (whole: string): boolean => whole.replace(/[{}]/g, '').toLowerCase() === 'numero'

/** The names that every text to a customer may hold (A-BOT-10). */
export const textNames = ['nome', 'numero', 'email', 'fila'] as const
/** That of one text alone: how many wait before the customer (A-POS-01). */
export type TextName = (typeof textNames)[number] | 'position'

/** What stands in braces and is none of these names: customers would read it as it is. */
export function unknownNames(text: string, names: readonly TextName[]): string[] {
  const left = filled(text, Object.fromEntries(names.map((name) => [name, '']))).match(/(?<!\{)\{+[^{}\n]+\}+/g) ?? []
  return [...new Set(left)].filter((braced) => /[^{}\s]/.test(braced))
}

/** What may be asked for with `ratingId` (A-NPS-01). */
export const ratingScales = [{ id: 1, name: 'NPS 0 a 10', min: 0, max: 10 }] as const

/** A rating from 0 to 10 as one of five faces (A-NPS-01). */
export const rateOf = (nps: number): 1 | 2 | 3 | 4 | 5 => (nps <= 2 ? 1 : nps <= 4 ? 2 : nps <= 6 ? 3 : nps <= 8 ? 4 : 5)

import { find } from 'linkifyjs'

export type Piece =
  | { text: string; as: 'plain' | 'bold' | 'italic' | 'struck' | 'code' | 'number' }
  | { text: string; as: 'link'; href: string }
type Spot = { from: number; to: number; piece: Piece }

const formats: ['bold' | 'italic' | 'struck' | 'code', RegExp][] = [
  ['code', /```([^`]+)```/g],
  ['code', /(?<!`)`([^`\s][^`\n]*)`(?!`)/g],
  ['bold', /(?<![\p{L}\p{N}*])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\p{L}\p{N}*])/gu],
  ['italic', /(?<![\p{L}\p{N}_])_([^\s_](?:[^_\n]*[^\s_])?)_(?![\p{L}\p{N}_])/gu],
  ['struck', /(?<![\p{L}\p{N}~])~([^\s~](?:[^~\n]*[^\s~])?)~(?![\p{L}\p{N}~])/gu],
]
/**
 * Phone numbers as people write them: +90 532 123 45 67, (11) 98765-4321, 98765-4321, 11987654321. Dates, prices
 * and documents do not match.
 */
const number =
  /(?<![\p{L}\p{N}.,/+-])(?:\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}|(?:\(\d{2}\) ?|\d{2} )?9?\d{4}-\d{4}|(?:\(\d{2}\) ?|\d{2} )9?\d{4} ?\d{4}|[1-9]{2}9\d{8})(?![\p{L}\p{N}]|[.,/-]\d)/gu

/** Links with a safe scheme. Without a scheme only those that a forgotten space cannot produce. */
function links(text: string): Spot[] {
  return find(text).flatMap(({ value, href, start }) => {
    const trimmed = value.replace(/(?<![*_~])[*_~]+$/, '')
    const whole = href
      .slice(0, href.length - (value.length - trimmed.length))
      .replace(/^http:(?=\/\/)/, /^http:/i.test(value) ? 'http:' : 'https:')
    if (!/^(https?:\/\/|mailto:)/i.test(whole)) return []
    const [host = ''] = trimmed.split('/')
    if (!/^(https?|mailto):/i.test(trimmed) && host !== host.toLowerCase() && !host.includes('@')) return []
    return [{ from: start, to: start + trimmed.length, piece: { as: 'link', text: trimmed, href: whole } }]
  })
}
const numbers = (text: string): Spot[] =>
  [...text.matchAll(number)].flatMap(({ 0: found, index }) => {
    const digits = found.replace(/\D/g, '').length
    return digits < 8 || digits > 15 ? [] : [{ from: index, to: index + found.length, piece: { as: 'number', text: found } }]
  })

/** Splits a text into formatting marks (*bold*, _italic_, ~struck~, `code`, ```code```), phone numbers and links. */
export function pieces(text: string): Piece[] {
  const found = links(text)
  const free = numbers(text).filter(({ from, to }) => !found.some((link) => link.from < to && from < link.to))
  const spots = [...found, ...free].toSorted((a, b) => a.from - b.from)
  const all: Piece[] = []
  for (let at = 0; at < text.length; ) {
    const next = soonest(text, at, spots)
    const until = next?.from ?? text.length
    if (until > at) all.push({ text: text.slice(at, until), as: 'plain' })
    if (!next) break
    all.push(next.piece)
    at = next.to
  }
  return all
}
function soonest(text: string, at: number, spots: readonly Spot[]): Spot | null {
  let first = spots.find(({ from }) => from >= at) ?? null
  for (const [as, pattern] of formats) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match && (!first || match.index < first.from))
      first = { from: match.index, to: match.index + match[0].length, piece: { as, text: match[1]! } }
  }
  return first
}

const longest = 900
const mostLines = 16
/** Index at which a long text is folded; null if all of it is shown. */
export function fold(text: string): number | null {
  let line = -1
  for (let n = 0; n < mostLines; n++) {
    line = text.indexOf('\n', line + 1)
    if (line < 0) break
  }
  const at = Math.min(longest, line < 0 ? longest : line)
  if (text.length <= at + 120) return null // a button for a few words is not worth it
  const space = text.lastIndexOf(' ', at)
  return space > at - 60 ? space : at
}

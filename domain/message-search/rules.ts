import { withPositions } from '#domain/message/rules.ts'
import { searchable } from '#domain/text/rules.ts'

/** `link`: messages with a link, of any kind. */
export const messageKinds = ['text', 'file', 'picture', 'audio', 'video', 'link'] as const
export type MessageKind = (typeof messageKinds)[number]

/** The index of the database needs this many letters or digits in at least one term (A-TICKET-18). */
const fewestLetters = 3

/** The terms of a search: each word, and each phrase in quotes, normalised. A message must contain all of them. */
export function searchTerms(search: string): string[] {
  const parts = search.replace(/[“”„«»]/g, '"').matchAll(/"([^"]*)"|([^\s"]+)/g)
  const terms = [...parts].map(([, phrase, word]) => oneSpace(searchable(phrase ?? word ?? '')))
  return [...new Set(terms.filter((term) => term !== ''))]
}
const oneSpace = (text: string) => text.replace(/\s+/g, ' ').trim()
/** Whether the terms are long enough for a search. */
export const areSearchable = (terms: string[]): boolean =>
  terms.some((term) => (term.match(/[\p{L}\p{N}]/gu) ?? []).length >= fewestLetters)

/** Kinds whose file is a longer form of the text, not a file of the sender. */
const textKinds = ['chat', 'contactMessage']
/** The name of a file that came without one. */
const unnamed = /^file(\.\w+)?$/
/** The name that a message's own file was given; null: none. */
export const fileNameOf = ({ kind, media }: { kind: string; media: { name: string } | null }): string | null =>
  media && !textKinds.includes(kind) && !unnamed.test(media.name) ? media.name : null
/** What a search finds in a message, normalised: its text and the name of its file. No term reaches from one to the other. */
export function searchableContent({ body, ...file }: { kind: string; body: string; media: { name: string } | null }): string {
  const name = fileNameOf(file)
  return [body, ...(name === null ? [] : [name])].map((text) => oneSpace(searchable(text))).join('\n')
}

/** A part of a text; `isHit`: it matched a term. */
export type SnippetPart = { text: string; isHit: boolean }

const around = 60
const mostText = 240

/** The text around its first match, on one line, with every match in it; null: no match. */
export function snippet(text: string, terms: string[]): SnippetPart[] | null {
  const { plain, at } = withPositions(text)
  const hits = merged(
    terms.flatMap((term) => occurrences(plain, term).map((from): Range => [at[from]!, at[from + term.length] ?? text.length])),
  )
  if (hits.length === 0) return null
  const start = hits[0]![0] <= around ? 0 : hits[0]![0] - around
  const end = Math.min(text.length, Math.max(start + mostText, hits[0]![1] + around))
  const parts: SnippetPart[] = start > 0 ? [{ text: '…', isHit: false }] : []
  const add = (from: number, to: number, isHit: boolean) => {
    const part = trimHalves(text.slice(from, to)).replace(/\s+/g, ' ')
    if (part !== '') parts.push({ text: part, isHit })
  }
  let shown = start
  for (const [from, to] of hits.filter(([from]) => from < end)) {
    add(shown, from, false)
    add(from, to, true)
    shown = to
  }
  add(shown, end, false)
  if (end < text.length) parts.push({ text: '…', isHit: false })
  return parts
}

type Range = [number, number]
function occurrences(plain: string, term: string): number[] {
  const found: number[] = []
  for (let from = plain.indexOf(term); from >= 0; from = plain.indexOf(term, from + term.length)) found.push(from)
  return found
}
/** The ranges in order, with overlapping ones as one. */
function merged(ranges: Range[]): Range[] {
  const all: Range[] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
const trimHalves = (text: string) => text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')

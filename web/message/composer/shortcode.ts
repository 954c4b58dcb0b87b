import { sameShortcode } from '#domain/quick-reply/contract.ts'
import { searchable } from '#domain/text/rules.ts'

export type Shortcode = { from: number; to: number; sought: string }

/**
 * The quick reply that is being typed: "/" at the beginning or after a blank, up to the caret (R-MSG-04). `known`: the existing
 * shortcodes. Within a text a digit after the slash counts only if one of them begins so, because it may be a fraction.
 */
export function shortcodeAt(body: string, caret: number, known: readonly string[]): Shortcode | null {
  if (/^\/\S*\s*$/.test(body)) return { from: 0, to: body.length, sought: body.slice(1).trimEnd() }
  const sought = /(?:^|\s)\/([^\s/]*)$/.exec(body.slice(0, caret))?.[1]
  if (sought === undefined || (/^\d/.test(sought) && !known.some((one) => searchable(one).startsWith(searchable(sought))))) return null
  const rest = /^\S*/.exec(body.slice(caret))![0].length
  return { from: caret - sought.length - 1, to: caret + rest, sought }
}

/** Whether a text has a word such as "/2via", which only a list of the existing shortcodes can tell from a number. */
export const mayBeDigitShortcode = (body: string): boolean => /(?:^|\s)\/\d/.test(body)

/**
 * A word that looks like a quick reply that was not filled in, such as "/pix". Paths, dates and "e/ou" do not. A word that
 * begins with a digit does if it is one of the `known` shortcodes.
 */
export function rawShortcode(body: string, known: readonly string[]): string | null {
  const words = body.matchAll(/(?:^|\s)(\/[\p{L}\d][\p{L}\p{N}_-]*)(?=[.,;:!?)]*(?:\s|$))/gu)
  for (const [, word = ''] of words) if (!/^\/\d/.test(word) || known.some((one) => sameShortcode(one, word))) return word
  return null
}

export type Shortcode = { from: number; to: number; sought: string }

/** The quick reply that is being typed: "/" at the beginning or after a blank, up to the caret (R-MSG-04). */
export function shortcodeAt(body: string, caret: number): Shortcode | null {
  if (/^\/\S*\s*$/.test(body)) return { from: 0, to: body.length, sought: body.slice(1).trimEnd() }
  const sought = /(?:^|\s)\/((?:[^\s/\d][^\s/]*)?)$/.exec(body.slice(0, caret))?.[1]
  if (sought === undefined) return null
  const rest = /^\S*/.exec(body.slice(caret))![0].length
  return { from: caret - sought.length - 1, to: caret + rest, sought }
}

/** A word that looks like a quick reply that was not filled in, such as "/pix". Paths, dates and "e/ou" do not. */
export const rawShortcode = (body: string): string | null =>
  /(?:^|\s)(\/\p{L}[\p{L}\p{N}_-]*)(?=[.,;:!?)]*(?:\s|$))/u.exec(body)?.[1] ?? null

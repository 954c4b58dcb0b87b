import { difference } from './difference.ts'

export const longest = 10_000

const segments = new Intl.Segmenter()
/** Inserts the part of a long paste that fits. It ends between two visible characters. */
export function fitting(body: string, from: number, to: number, pasted: string): { body: string; fits: number } {
  const room = Math.max(0, longest - (body.length - (to - from)))
  const cut = pasted.length <= room ? pasted.length : (segments.segment(pasted).containing(room)?.index ?? 0)
  return { body: body.slice(0, from) + pasted.slice(0, cut) + body.slice(to), fits: cut }
}

/** The text after typing, within the limit. A browser's `maxLength` would cut an emoji of several characters. */
export function typedWithinLimit(before: string, after: string, caret: number): { body: string; caret: number } {
  if (after.length <= longest) return { body: after, caret }
  const { from, to, insert } = difference(before, after, caret)
  const { body, fits } = fitting(before, from, to, insert)
  return { body, caret: from + fits }
}

/**
 * The text of a paste, empty if its files are meant. Spreadsheets and word processors add a picture of the text. File
 * managers add the names of the files as text.
 */
export function pastedText({ files, getData }: { files: Iterable<File>; getData: (type: string) => string }): string {
  const text = getData('text/plain').replace(/\r\n?/g, '\n')
  const names = new Set(Array.from(files, ({ name }) => name))
  const lines = text.trim().split('\n')
  const isFileNames = lines.every((line) => names.has(line.trim().replace(/^.*[/\\]/, '')))
  return text.trim() === '' || isFileNames ? '' : text
}

import { refuse } from '#domain/errors.ts'
import { megabyte } from '../http/upload-limits.ts'

/* The tags of XML, without a parser that would build a tree. */

type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean; before: string }
/** Enough for 100,000 rows with ten cells. A file of nothing but tags would keep the processor busy for minutes. */
const mostTags = 5_000_000
const longestTag = megabyte

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
/** Excel also writes control characters as _x000D_. */
export const plain = (text: string) =>
  text
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) =>
      name ? (named[name] ?? '') : character(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => character(Number.parseInt(hex, 16)))
export const attribute = (attributes: string, name: string) => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found ? plain(found[1] ?? found[2] ?? '') : null
}

/** The tags of XML with the text before each, without building a tree; those of one chunk together. */
export async function* tags(text: AsyncIterable<string>): AsyncGenerator<Tag[]> {
  let rest = ''
  let count = 0
  for await (const chunk of text) {
    rest += chunk
    const found: Tag[] = []
    let at = 0
    for (;;) {
      const open = rest.indexOf('<', at)
      const close = open === -1 ? -1 : rest.indexOf('>', open)
      if (close === -1) break
      const inside = rest.slice(open + 1, close)
      const name = /^\/?(?:[\w.-]+:)?([\w.-]+)/.exec(inside)?.[1] ?? ''
      const [isEnd, isEmpty] = [inside.startsWith('/'), inside.endsWith('/')]
      found.push({ name, attributes: inside, isEnd, isEmpty, before: rest.slice(at, open) })
      at = close + 1
    }
    yield found
    count += found.length
    if (count > mostTags) refuse('ERR_TOO_LARGE')
    rest = rest.slice(at)
    if (rest.length > longestTag) refuse('ERR_IMPORT_FILE')
  }
}

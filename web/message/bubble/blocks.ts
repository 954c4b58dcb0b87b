import { pieces } from './pieces.ts'

type Item = { text: string; number?: number }
type Paragraph = { as: 'text'; text: string } | { as: 'quote'; text: string }
export type Block = Paragraph | { as: 'bullets'; items: Item[] } | { as: 'numbers'; items: Item[] }

const lines: [Exclude<Block['as'], 'text'>, RegExp][] = [
  ['quote', /^> (.+)$/],
  ['bullets', /^[-*] (.+)$/],
  ['numbers', /^(\d{1,3})\. (.+)$/],
]

/** Splits a text into paragraphs, quotes (> …) and lists (- …, * …, 1. …), as WhatsApp shows them. Lines inside ``` are text. */
export function blocks(text: string): Block[] {
  const all: Block[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    const found = isCode || line.trimEnd().length < 3 ? undefined : lines.find(([, pattern]) => pattern.test(line))
    if (line.split('```').length % 2 === 0) isCode = !isCode
    add(all, found ? [found[0], found[1].exec(line)!] : ['text', [line, line]])
  }
  return all
}
function add(all: Block[], [as, [, first = '', second = '']]: [Block['as'], readonly string[]]): void {
  const last = all.at(-1)
  const item = as === 'numbers' ? { text: second, number: Number(first) } : { text: first }
  if (as === 'text' || as === 'quote') {
    if (last?.as === as && 'text' in last) last.text += `\n${first}`
    else all.push({ as, text: first })
  } else if (last?.as === as && 'items' in last) last.items.push(item)
  else all.push({ as, items: [item] })
}

/** Whether a text has formats. Links and numbers are none, because everything shows them. */
export const isFormatted = (text: string): boolean =>
  blocks(text).some((block) => block.as !== 'text' || pieces(block.text).some(({ as }) => !['plain', 'link', 'number'].includes(as)))

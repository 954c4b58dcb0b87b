import { builtInFormat, customFormat, type Shown } from '#domain/contact-import/dates.ts'
import { megabyte } from '../http/upload-limits.ts'
import { attribute, tags } from './xml.ts'
import type { Zip } from './zip.ts'

const mostStyles = 32 * megabyte

/** What the number format of each cell style shows, in the order by which cells name their style. */
export async function cellFormats(zip: Zip): Promise<Shown[]> {
  const formats: Shown[] = []
  if (!zip.has('xl/styles.xml')) return formats
  const custom = new Map<number, Shown>()
  let isCells = false // other lists have the same tags
  for await (const batch of tags(zip.text('xl/styles.xml', mostStyles)))
    for (const { name, attributes, isEnd } of batch)
      if (name === 'cellXfs') isCells = !isEnd
      else if (name === 'numFmt')
        custom.set(Number(attribute(attributes, 'numFmtId')), customFormat(attribute(attributes, 'formatCode') ?? ''))
      else if (name === 'xf' && isCells && !isEnd) {
        const id = Number(attribute(attributes, 'numFmtId') ?? 0)
        formats.push(custom.get(id) ?? builtInFormat(id))
      }
  return formats
}

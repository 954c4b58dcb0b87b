import { endingOf } from '#domain/file/rules.ts'
import { fileListKind, fileListLimits } from '#domain/file-list/rules.ts'
import { language, translate } from '#web/i18n.ts'
import { kilobytes, megabyte, readied } from '#web/ui/files.ts'
import { redrawn } from '#web/ui/shrink.ts'
import { uiWords } from '#web/ui/words.ts'
import { fileListWords } from './words.ts'

export const accepted = '.png,.jpg,.jpeg,.ogg,.mp3,.opus,.mp4,.pdf,.docx,.xlsx,.txt'
/** R-FILE-03. */
const quality = 0.7

/** The file as a file list accepts it, with photos reduced, or the text of the refusal (R-FILE-02). */
export async function fitting(file: File): Promise<File | string> {
  const { name } = file
  const wanted = fileListKind(typeOf(file))
  if (wanted === null) return translate(fileListWords, 'kinds', { name })
  const smaller = wanted === 'image' ? await redrawn({ file, longest: 2048, square: false, quality }) : null
  const ready = await readied(smaller && smaller.size < file.size ? smaller : file)
  if (typeof ready === 'string') return ready
  const kind = fileListKind(typeOf(ready))
  if (kind === null) return translate(fileListWords, 'kinds', { name })
  const limit = fileListLimits[kind] * megabyte
  if (ready.size <= limit) return ready
  return translate(uiWords, 'fileLarge', { name, size: kilobytes(ready.size, language()), limit: kilobytes(limit, language()) })
}

/** Types by the ending of a name, because some systems know no type for such files. */
const typeByEnding: Record<string, string> = {
  ...{ opus: 'audio/ogg', ogg: 'audio/ogg', pdf: 'application/pdf', txt: 'text/plain' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
const typeOf = ({ type, name }: File): string => type || (typeByEnding[endingOf(name)] ?? '')

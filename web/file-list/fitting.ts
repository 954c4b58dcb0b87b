import { fileListKind, fileListLimits } from '#domain/file-list/rules.ts'
import { language, translate } from '#web/i18n.ts'
import { kilobytes, megabyte, readied } from '#web/ui/files.ts'
import { redrawn } from '#web/ui/shrink.ts'
import { uiWords } from '#web/ui/words.ts'
import { fileListWords } from './words.ts'

export const accepted = '.png,.jpg,.jpeg,.ogg,.mp3,.opus,.mp4'
/** R-FILE-03. */
const quality = 0.7

/** As a file list takes it, a photo made smaller, or why it does not (R-FILE-02). */
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

/** Not every system knows what an .opus is. */
const typeOf = ({ type, name }: File): string => type || (/\.(opus|ogg)$/i.test(name) ? 'audio/ogg' : '')

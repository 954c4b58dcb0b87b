import { language, translate } from '#web/i18n.ts'
import { kilobytes, limits, megabyte } from '#web/ui/files.ts'
import { redrawn } from '#web/ui/shrink.ts'
import { uiWords } from '#web/ui/words.ts'
import { userWords } from './words.ts'

export const pictures = 'image/jpeg,image/png,image/webp,image/gif'
const longest = 512

/**
 * The middle of a picture as a small square, redrawn and so without camera metadata; or the text why it cannot be
 * read.
 */
export async function squared(file: File): Promise<File | string> {
  const { name, type, size } = file
  if (!pictures.split(',').includes(type)) return translate(userWords, 'notPicture', { name })
  if (size === 0) return translate(uiWords, 'fileEmpty', { name })
  const limit = limits.image * megabyte
  if (size > limit) return translate(uiWords, 'fileLarge', { name, size: kilobytes(size, language()), limit: kilobytes(limit, language()) })
  return (await redrawn({ file, longest, square: true })) ?? translate(userWords, 'pictureUnread', { name })
}

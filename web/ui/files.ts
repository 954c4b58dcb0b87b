import { language, translate } from '#web/i18n.ts'
import { shrunk } from './shrink.ts'
import { uiWords } from './words.ts'

export const megabyte = 1024 * 1024
/** Size limits of the server in MB, by kind (A-MSG-07); a picture is reduced before. */
export const limits = { image: 16, audio: 16, video: 64, file: 64 }
/** Accepted file names; the server checks the content. */
const taken =
  /\.(jpe?g|png|webp|gif|mp3|m4a|aac|ogg|oga|opus|wav|amr|flac|mp4|m4v|mov|webm|mkv|avi|3gp|mpe?g|pdf|zip|7z|rar|docx?|xlsx?|pptx?|od[tspg]|txt|csv|json|xml|vcf)$/i
const fits = ({ name, type }: File) => taken.test(name) || /^(image\/(jpeg|png|webp|gif)$|audio\/|video\/)/.test(type)
export const kindOf = ({ type }: File) => (['image', 'audio', 'video'] as const).find((kind) => type.startsWith(`${kind}/`)) ?? 'file'

/** The file as it will be sent, or the text why it cannot be sent. */
export async function readied(file: File): Promise<File | string> {
  const { name } = file
  if (!fits(file)) return translate(uiWords, 'fileKind', { name })
  const small = await shrunk(file)
  if (small.size === 0) return translate(uiWords, 'fileEmpty', { name })
  if (kindOf(small) === 'image' && !(await opens(small))) return translate(uiWords, 'fileBroken', { name })
  const limit = limits[kindOf(small)] * megabyte
  if (small.size <= limit) return small
  return translate(uiWords, 'fileLarge', { name, size: kilobytes(small.size, language()), limit: kilobytes(limit, language()) })
}

/** Whether the file is a readable picture. */
const opens = (file: File) =>
  createImageBitmap(file).then(
    (picture) => {
      picture.close()
      return true
    },
    () => false,
  )

/** A size in the reader's format: 340 kB, 1,5 MB. */
export function kilobytes(bytes: number, language: string): string {
  const large = bytes >= 1024 * 1024
  const unit = { style: 'unit', unit: large ? 'megabyte' : 'kilobyte', maximumFractionDigits: large ? 1 : 0 } as const
  return new Intl.NumberFormat(language, unit).format(large ? bytes / 1024 / 1024 : Math.max(1, bytes / 1024))
}

/** Downloads a stored file, to send it with a message. */
export async function fileAt(path: string, name: string): Promise<File> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`Cannot download the file ${name}: HTTP ${response.status}`)
  const blob = await response.blob()
  return new File([blob], name, { type: blob.type })
}

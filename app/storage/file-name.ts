import path from 'node:path'
import { endingOf, isRiskyFile, isRiskyName } from '#domain/file/rules.ts'

/** The file extensions of each type. The first one is added to a name without any of them. */
const extensionsByType: Record<string, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'audio/mpeg': ['mp3'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/x-m4a': ['m4a'],
  'audio/webm': ['webm', 'weba'],
  'audio/wav': ['wav'],
  'video/quicktime': ['mov'],
  'video/x-matroska': ['mkv'],
  'video/3gpp': ['3gp'],
  'application/zip': ['zip'],
  'application/x-zip-compressed': ['zip'],
  'application/x-7z-compressed': ['7z'],
  'application/vnd.rar': ['rar'],
  'application/msword': ['doc'],
  'application/x-cfb': ['doc', 'xls', 'ppt', 'dot', 'xlt', 'pps', 'vsd'], // an installer has its own, more specific type
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'text/plain': ['txt'],
  'text/vcard': ['vcf'],
}
/** An unlisted type uses its own name: image/png gives png. */
function extensionsOf(mime: string): readonly string[] {
  const own = /\/(?:x-)?(\w{2,5})$/.exec(mime)?.[1]
  return extensionsByType[mime] ?? [own ?? 'bin']
}

/**
 * Invisible characters, and those that reverse the text direction. Emoji and some scripts need the two
 * joiners, which stay.
 */
const invisibleCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu

/** Far longer than what is kept, and short enough for every file system. */
const longestName = 1000
const isPadding = (letter: string | undefined) => letter !== undefined && /[.\s]/.test(letter)
/** Removes leading and trailing dots and blanks. A regular expression for both ends takes quadratic time. */
function withoutPadding(name: string): string {
  let [start, end] = [0, name.length]
  while (start < end && isPadding(name[start])) start++
  while (end > start && isPadding(name[end - 1])) end--
  return name.slice(start, end)
}

/** The type of a file whose content is not recognised. */
export const unknownType = 'application/octet-stream'

/**
 * Returns the name under which the file is stored and offered. Its own extension stays, unless it would run
 * code and the content is something else. A file without an extension gets that of its content.
 */
export function fileName(given: string, mime: string): string {
  const bounded = given.length > longestName ? given.slice(0, longestName / 2) + given.slice(-longestName / 2) : given
  const base = path.basename(bounded.toWellFormed().replaceAll('\\', '/'))
  const name = withoutPadding(base.replace(invisibleCharacters, ''))
  const allowed = extensionsOf(mime)
  const fits = (one: string) => allowed.includes(path.extname(one).slice(1).toLowerCase())
  const holds = mime === unknownType || isRiskyFile({ name: '', mime }) // the extension must not contradict the content
  if (holds || fits(name) || (endingOf(name) !== '' && !isRiskyName(name))) return cut(name)
  const stem = isRiskyName(name) ? name.slice(0, -endingOf(name).length - 1) : name
  return cut(fits(stem) ? stem : `${stem}.${allowed[0]}`)
}
function cut(name: string): string {
  const ending = /\.[^.]{1,12}$/.exec(name)?.[0] ?? ''
  const stem = [...name.slice(0, name.length - ending.length)].slice(0, 100).join('').trim()
  return `${stem || 'file'}${ending}`
}

/**
 * Builds the Content-Disposition header: a plain ASCII name (RFC 6266) and the full name (RFC 8187), which
 * browsers prefer.
 */
export function dispositionOf(type: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_') // a browser would decode what follows %
  const exact = encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${exact}`
}

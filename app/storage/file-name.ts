import path from 'node:path'
import { endingOf, isRiskyFile, isRiskyName } from '#domain/file/rules.ts'

/** The endings a kind of file may have; the first is given to one that has none of them. */
const endings: Record<string, readonly string[]> = {
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
  'application/x-cfb': ['doc', 'xls', 'ppt', 'dot', 'xlt', 'pps', 'vsd'], // what is not said to be one of them is no installer either
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
/** A kind that is not listed is called by its own name: image/png is png. */
function endingsOf(mime: string): readonly string[] {
  const own = /\/(?:x-)?(\w{2,5})$/.exec(mime)?.[1]
  return endings[mime] ?? [own ?? 'bin']
}

/** Letters that nobody sees, or that turn the others around; emoji and some scripts are joined by the two that stay. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu

/** What any file system takes, and far more than is kept. */
const longestName = 1000
const isPadding = (letter: string | undefined) => letter !== undefined && /[.\s]/.test(letter)
/** Without the dots and blanks around it; an expression for both ends takes quadratic time. */
function withoutPadding(name: string): string {
  let [start, end] = [0, name.length]
  while (start < end && isPadding(name[start])) start++
  while (end > start && isPadding(name[end - 1])) end--
  return name.slice(start, end)
}

/** What a file is whose content has no type that is served as such: bytes with a name. */
export const unknownType = 'application/octet-stream'

/**
 * The name that a file is kept and offered under. Its own ending stays unless it would run code and the content is something else; a file
 * without an ending gets that of its content.
 */
export function fileName(given: string, mime: string): string {
  const bounded = given.length > longestName ? given.slice(0, longestName / 2) + given.slice(-longestName / 2) : given
  const base = path.basename(bounded.toWellFormed().replaceAll('\\', '/'))
  const name = withoutPadding(base.replace(unseen, ''))
  const allowed = endingsOf(mime)
  const fits = (one: string) => allowed.includes(path.extname(one).slice(1).toLowerCase())
  const holds = mime === unknownType || isRiskyFile({ name: '', mime }) // its name says no more than its content does
  if (holds || fits(name) || (endingOf(name) !== '' && !isRiskyName(name))) return cut(name)
  const stem = isRiskyName(name) ? name.slice(0, -endingOf(name).length - 1) : name
  return cut(fits(stem) ? stem : `${stem}.${allowed[0]}`)
}
function cut(name: string): string {
  const ending = /\.[^.]{1,12}$/.exec(name)?.[0] ?? ''
  const stem = [...name.slice(0, name.length - ending.length)].slice(0, 100).join('').trim()
  return `${stem || 'file'}${ending}`
}

/** Names the file of an answer (RFC 6266): in plain letters, and as it is (RFC 8187), which browsers prefer. */
export function dispositionOf(type: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_') // a browser would decode what follows %
  const exact = encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${type}; filename="${plain}"; filename*=UTF-8''${exact}`
}

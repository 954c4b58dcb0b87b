import path from 'node:path'

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

/** Letters nobody sees, or that turn the others around. */
const unseen = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu
const reserved = /[<>:"|?*/\\]/g

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

/** The name a file is kept and offered under: its content gives the ending, whatever its sender called it. */
export function fileName(given: string, mime: string): string {
  const bounded = given.length > longestName ? given.slice(0, longestName / 2) + given.slice(-longestName / 2) : given
  const base = path.basename(bounded.toWellFormed().replaceAll('\\', '/'))
  const name = withoutPadding(base.replace(unseen, '').replace(reserved, '_'))
  const allowed = endingsOf(mime)
  const fits = (one: string) => allowed.includes(path.extname(one).slice(1).toLowerCase())
  const stem = fits(name) ? name.slice(0, -path.extname(name).length) : name.replace(/\.[a-z]\w{0,9}$/i, '')
  const inner = !fits(name) && fits(stem) ? stem.slice(0, -path.extname(stem).length) : stem
  const ending = [name, stem].find(fits)
  return `${[...inner].slice(0, 100).join('').trim() || 'file'}${ending ? path.extname(ending) : `.${allowed[0]}`}`
}

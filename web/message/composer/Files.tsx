import { Button } from '@blueprintjs/core'
import { Cross, Document as DocumentIcon, Music, Video } from '@blueprintjs/icons'
import { useEffect, useMemo } from 'react'
import { language, say, useWords } from '#web/i18n.ts'
import { kilobytes } from '#web/message/bubble/parts.ts'
import { messageWords } from '#web/message/words.ts'
import css from './Files.module.css'
import { shrunk } from './shrink.ts'

const megabyte = 1024 * 1024
/** What the server takes, by kind (A-MSG-07); a picture is made smaller before. */
const limits = { image: 16, audio: 16, video: 64, file: 64 }
const most = 10
/** By its name; the server looks at what is inside. */
const taken =
  /\.(jpe?g|png|webp|gif|mp3|m4a|aac|ogg|oga|opus|wav|amr|flac|mp4|m4v|mov|webm|mkv|avi|3gp|mpe?g|pdf|zip|7z|rar|docx?|xlsx?|pptx?|od[tspg]|txt|csv|json|xml|vcf)$/i
const fits = ({ name, type }: File) => taken.test(name) || /^(image\/(jpeg|png|webp|gif)$|audio\/|video\/)/.test(type)
const kindOf = ({ type }: File) => (['image', 'audio', 'video'] as const).find((kind) => type.startsWith(`${kind}/`)) ?? 'file'

/** Takes what can be sent and says what cannot, and why. */
export async function pick(
  given: Iterable<File>,
  now: File[],
  attach: (files: File[]) => void,
  refuse: (why: string) => void,
): Promise<void> {
  const fit: File[] = []
  for (const file of given) {
    const small = await shrunk(file)
    const limit = limits[kindOf(small)]
    if (!fits(file)) refuse(say(messageWords, 'fileKind', { name: file.name }))
    else if (small.size === 0) refuse(say(messageWords, 'fileEmpty', { name: file.name }))
    else if (small.size > limit * megabyte)
      refuse(
        say(messageWords, 'fileLarge', {
          name: file.name,
          size: kilobytes(small.size, language()),
          limit: kilobytes(limit * megabyte, language()),
        }),
      )
    else fit.push(small)
  }
  if (now.length + fit.length > most) refuse(say(messageWords, 'fileMany', { n: most }))
  attach([...now, ...fit].slice(0, most))
}

/** What will be sent, with the text as its caption. */
export function Files({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  const sayIt = useWords(messageWords)
  return (
    <ul className={css.files} data-part="files" aria-label={sayIt('attachments')}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          <Thumb file={file} />
          <span className={css.name} title={file.name}>
            <b>{file.name}</b>
            <small className="nums">{kilobytes(file.size, language())}</small>
          </span>
          <Button
            variant="minimal"
            size="small"
            icon={<Cross />}
            aria-label={sayIt('removeFile', { name: file.name })}
            onClick={() => onChange(files.filter((other) => other !== file))}
          />
        </li>
      ))}
    </ul>
  )
}

export function Thumb({ file }: { file: File }) {
  const kind = kindOf(file)
  const url = useMemo(() => (kind === 'image' ? URL.createObjectURL(file) : null), [file, kind])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  if (url) return <img className={css.thumb} src={url} alt="" width={44} height={44} />
  return <span className={css.thumb}>{kind === 'audio' ? <Music /> : kind === 'video' ? <Video /> : <DocumentIcon />}</span>
}

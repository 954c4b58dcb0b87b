import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { language, translate, useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { kilobytes, kindOf, readied } from '#web/ui/files.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { Thumb } from '#web/ui/Thumb.tsx'
import css from './Files.module.css'

const most = 10

type Attach = (change: (now: File[]) => File[]) => void

/** Adds the acceptable files to the present ones and reports why others are refused. */
export async function pick(given: Iterable<File>, attach: Attach, refuse: (why: string) => void): Promise<void> {
  const fit: File[] = []
  for (const file of given) {
    const ready = await readied(file)
    if (typeof ready === 'string') refuse(ready)
    else fit.push(ready)
  }
  let many = false
  attach((now) => {
    many = now.length + fit.length > most
    return [...now, ...fit].slice(0, most)
  })
  if (many) refuse(translate(messageWords, 'fileMany', { n: most }))
}

/** The attached files; the text becomes their caption. */
export function Files({ files, onChange }: { files: File[]; onChange: Attach }) {
  const tMessage = useWords(messageWords)
  return (
    <ul className={css.files} data-part="files" aria-label={tMessage('attachments')}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          {kindOf(file) === 'audio' ? <Listen file={file} /> : <Thumb file={file} />}
          <span className={css.name} title={file.name}>
            <b>{file.name}</b>
            <small className="nums">{kilobytes(file.size, language())}</small>
          </span>
          <Button
            variant="minimal"
            size="small"
            icon={<Cross />}
            aria-label={tMessage('removeFile', { name: file.name })}
            onClick={() => onChange((now) => now.filter((other) => other !== file))}
          />
        </li>
      ))}
    </ul>
  )
}

/** Plays a recording before it is sent. */
function Listen({ file }: { file: File }) {
  const url = useObjectUrl(file)
  // biome-ignore lint/a11y/useMediaCaption: a new recording has no captions
  return url && <audio className={css.audio} controls preload="metadata" src={url} aria-label={file.name} />
}

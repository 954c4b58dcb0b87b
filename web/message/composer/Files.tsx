import { Button, Spinner } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { language, useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { kilobytes, kindOf } from '#web/ui/files.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { isSubmit } from '#web/ui/submit-by-enter.ts'
import { Thumb } from '#web/ui/Thumb.tsx'
import type { ChangeAttachments } from './attach.ts'
import type { Attachment, Draft } from './drafts.ts'
import css from './Files.module.css'
import { composerWords } from './words.ts'

type Captions = Draft['captions']

/** The attached files. With several files each has its own caption; a single one is captioned by the text. */
export function Files(of: {
  files: Attachment[]
  onChange: ChangeAttachments
  captions: Captions
  onCaptions: (captions: Captions) => void
  onSend: () => void
}) {
  const { files, captions } = of
  const tMessage = useWords(messageWords)
  return (
    <ul className={css.files} data-part="files" aria-label={tMessage('attachments')}>
      {files.map((one) => (
        <li key={one.id}>
          <FileTile
            of={one}
            caption={captions[one.id] ?? ''}
            isCaptioned={files.length > 1 || Boolean(captions[one.id])}
            onCaption={(caption) => of.onCaptions({ ...captions, [one.id]: caption })}
            onSend={of.onSend}
            onRemove={() => {
              of.onChange((now) => now.filter(({ id }) => id !== one.id))
              if (captions[one.id]) of.onCaptions({ ...captions, [one.id]: '' })
            }}
          />
        </li>
      ))}
    </ul>
  )
}

function FileTile(props: {
  of: Attachment
  caption: string
  isCaptioned: boolean
  onCaption: (caption: string) => void
  onSend: () => void
  onRemove: () => void
}) {
  const tMessage = useWords(messageWords)
  const tComposer = useWords(composerWords)
  const { file, isPreparing } = props.of
  const { name } = file
  const isAudio = kindOf(file) === 'audio'
  return (
    <>
      {isPreparing ? (
        <Spinner size={20} aria-label={tComposer('preparingFile', { name })} />
      ) : isAudio ? (
        <Listen file={file} />
      ) : (
        <Thumb file={file} />
      )}
      <span className={css.name} title={name}>
        <b>{name}</b>
        <small className="nums">{kilobytes(file.size, language())}</small>
        {props.isCaptioned && !isAudio && (
          <input
            className={css.caption}
            aria-label={tComposer('captionOf', { name })}
            placeholder={tComposer('caption')}
            maxLength={1000}
            value={props.caption}
            onChange={({ target }) => props.onCaption(target.value)}
            onKeyDown={(event) => {
              if (!isSubmit(event)) return
              event.preventDefault()
              if (!event.repeat) props.onSend()
            }}
          />
        )}
      </span>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={tMessage('removeFile', { name })} onClick={props.onRemove} />
    </>
  )
}

/** Plays a recording before it is sent. */
function Listen({ file }: { file: File }) {
  const url = useObjectUrl(file)
  // biome-ignore lint/a11y/useMediaCaption: a new recording has no captions
  return url && <audio className={css.audio} controls preload="metadata" src={url} aria-label={file.name} />
}

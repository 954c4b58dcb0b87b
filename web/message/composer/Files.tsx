import { Button, Spinner } from '@blueprintjs/core'
import { Cross, DragHandleVertical } from '@blueprintjs/icons'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { language, useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { useCarried, usePlace } from '#web/ui/drag.ts'
import { kilobytes, kindOf } from '#web/ui/files.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { moveBy, moveTo } from '#web/ui/row-order.ts'
import { isSubmit } from '#web/ui/submit-by-enter.ts'
import { Thumb } from '#web/ui/Thumb.tsx'
import { arranged, type ChangeAttachments } from './attach.ts'
import type { Attachment, Draft } from './drafts.ts'
import css from './Files.module.css'
import { composerWords } from './words.ts'

type Captions = Draft['captions']

/**
 * The attached files, which are sent in this order. With several files each has its own caption; a single one is
 * captioned by the text.
 */
export function Files(of: {
  files: Attachment[]
  onChange: ChangeAttachments
  captions: Captions
  onCaptions: (captions: Captions) => void
  onSend: () => void
}) {
  const { files, captions } = of
  const tMessage = useWords(messageWords)
  const tComposer = useWords(composerWords)
  const [moved, setMoved] = useState('')
  const ids = files.map(({ id }) => id)
  const move = ({ id, file: { name } }: Attachment, to: string[]) => {
    of.onChange((now) => arranged(now, to))
    setMoved(tComposer('fileMoved', { name, n: to.indexOf(id) + 1, total: to.length }))
  }
  return (
    <>
      <ul className={css.files} data-part="files" aria-label={tMessage('attachments')}>
        {files.map((one) => (
          <Place
            key={one.id}
            id={one.id}
            onDrop={(id, where) => move(files.find((file) => file.id === id)!, moveTo(ids, id, one.id, where))}
          >
            {files.length > 1 && <Handle of={one} ids={ids} onMove={(to) => move(one, to)} />}
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
          </Place>
        ))}
      </ul>
      <span role="status" className="hidden-but-read">
        {moved}
      </span>
    </>
  )
}

const kind = 'attachment'
type PlaceProps = { id: string; onDrop: (id: string, where: 'left' | 'right') => void; children: ReactNode }
/** The place of a file, before or after which another can be dropped. */
function Place({ id, onDrop, children }: PlaceProps) {
  const box = useRef<HTMLLIElement>(null)
  const over = usePlace<'left' | 'right'>(box, {
    edges: 'columns',
    takes: (what) => what.kind === kind && what.id !== id,
    put: (what, where) => onDrop(String(what.id), where),
  })
  return (
    <li ref={box} data-over={over ?? undefined}>
      {children}
    </li>
  )
}

const steps: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
/** Moves a file by drag or, with the focus on it, by the arrow keys. */
function Handle({ of: { id, file }, ids, onMove }: { of: Attachment; ids: string[]; onMove: (ids: string[]) => void }) {
  const t = useWords(composerWords)
  const box = useRef<HTMLSpanElement>(null)
  useCarried(box, { kind, id })
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const to = moveBy(ids, id, step)
    if (!to) return
    onMove(to)
    requestAnimationFrame(() => box.current?.querySelector('button')?.focus()) // a moved element loses the focus
  }
  const name = t('moveFile', { name: file.name })
  return (
    <span ref={box} className={css.handle}>
      <Button variant="minimal" size="small" icon={<DragHandleVertical />} aria-label={name} title={name} onKeyDown={handleKeyDown} />
    </span>
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

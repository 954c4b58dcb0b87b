import { Button, ProgressBar } from '@blueprintjs/core'
import { Cross, Document as DocumentIcon, Undo, Upload } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { type DragEvent, useContext, useId, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { language, useWords } from '#web/i18n.ts'
import type { FormFile } from './changed.ts'
import css from './FileField.module.css'
import { StoredValues, useLabel } from './fieldLabels.ts'
import { kilobytes, readied } from './files.ts'
import { leftAtom } from './sent.ts'
import thumb from './Thumb.module.css'
import { Thumb } from './Thumb.tsx'
import { uiWords } from './words.ts'

type Of = { name?: string; label: string; hint?: string; accept?: string; ready?: (file: File) => Promise<File | string> }

/**
 * The file of a row: chosen, dropped, previewed, replaced, removed, and restored until the form is saved. `ready`:
 * converts the file, or returns why it cannot be sent.
 */
export function FileField({ name = 'file', label, hint, accept, ready = readied }: Of) {
  useLabel(name, label)
  const t = useWords(uiWords)
  const id = useId()
  const left = useAtomValue(leftAtom)
  const { inputRef, field, value, before, wrong, busy, take, clear } = useFileOfForm(name, ready)
  const { over, handlers } = useFileDrop((file) => void take(file))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of Blueprint looks different
    <div role="group" aria-label={label} className={css.field} data-part="file-field" data-over={over || undefined} {...handlers}>
      <span>{label}</span>
      {value && <Chosen file={value} onClear={clear} />}
      {!value && before && (
        <p className={css.goes} role="status">
          {t('fileGoes', { name: before.name })}
          <Button variant="minimal" size="small" icon={<Undo />} text={t('undo')} onClick={() => field.onChange(before)} />
        </p>
      )}
      {wrong && (
        <p id={`${id}-wrong`} className={css.wrong} role="alert">
          {wrong}
        </p>
      )}
      <label className={css.choose} htmlFor={id}>
        <input
          id={id}
          ref={inputRef}
          type="file"
          accept={accept}
          disabled={busy || left !== null}
          aria-describedby={wrong ? `${id}-wrong` : hint ? `${id}-hint` : undefined}
          aria-invalid={wrong !== null}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <Upload />
        <b>{t(value ? 'otherFile' : 'chooseFile')}</b> <span>{t('orDropFile')}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
      {busy && <p role="status">{t('filePreparing')}</p>}
      {left !== null && <ProgressBar value={left} stripes={left === 1} aria-label={t('fileSending')} />}
    </div>
  )
}

/** The chosen file of a form, the stored one, and why a file cannot be sent. */
function useFileOfForm(name: string, ready: (file: File) => Promise<File | string>) {
  const input = useRef<HTMLInputElement>(null)
  const { field, fieldState } = useController({ name })
  const stored = useContext(StoredValues) as Record<string, FormFile | undefined>
  const [bad, setBad] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function take(file: File | undefined): Promise<void> {
    if (!file) return
    setBad(null)
    setBusy(true)
    const one = await ready(file).finally(() => setBusy(false))
    if (typeof one === 'string') setBad(one)
    else field.onChange(one)
    if (input.current) input.current.value = '' // so that the same file can be chosen again
  }
  function clear(): void {
    field.onChange(null)
    setBad(null)
    input.current?.focus()
  }
  const inputRef = (element: HTMLInputElement | null) => {
    input.current = element
    field.ref(element)
  }
  const value = field.value as FormFile | undefined
  const wrong = bad ?? fieldState.error?.message ?? null
  return { inputRef, field, value, before: stored[name] ?? null, wrong, busy, take, clear }
}

/** Handlers of an element onto which a file can be dropped. `over`: a file is above it. */
export function useFileDrop(onFile: (file: File | undefined) => void) {
  const [over, setOver] = useState(false)
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(event.type !== 'dragleave')
  }
  const onDrop = (event: DragEvent) => {
    onDrag(event)
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return { over, handlers: { onDragOver: onDrag, onDragLeave: onDrag, onDrop } }
}

function Chosen({ file, onClear }: { file: NonNullable<FormFile>; onClear: () => void }) {
  const t = useWords(uiWords)
  return (
    <div className={css.file}>
      {file instanceof File ? <Thumb file={file} /> : <Stored file={file} />}
      <span className={css.name} title={file.name}>
        <b>{file.name}</b>
        {file instanceof File && <small className="nums">{kilobytes(file.size, language())}</small>}
      </span>
      <Button variant="minimal" icon={<Cross />} aria-label={t('takeFile', { name: file.name })} onClick={onClear} />
    </div>
  )
}

/** The stored file: a picture is shown, other files open on request. */
function Stored({ file: { name, path } }: { file: { name: string; path: string } }) {
  if (/\.(jpe?g|png|webp|gif|jfif)$/i.test(name)) return <img className={thumb.thumb} src={path} alt="" width={44} height={44} />
  return (
    <a className={thumb.thumb} href={path} target="_blank" rel="noreferrer" aria-label={name}>
      <DocumentIcon />
    </a>
  )
}

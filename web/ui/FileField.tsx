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
  const input = useRef<HTMLInputElement>(null)
  const { field, fieldState } = useController({ name })
  const stored = useContext(StoredValues) as Record<string, FormFile | undefined>
  const value = field.value as FormFile | undefined
  const before = stored[name] ?? null
  const left = useAtomValue(leftAtom)
  const [bad, setBad] = useState<string | null>(null)
  const wrong = bad ?? fieldState.error?.message ?? null
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)

  async function take(file: File | undefined) {
    if (!file) return
    setBad(null)
    setBusy(true)
    const one = await ready(file).finally(() => setBusy(false))
    if (typeof one === 'string') setBad(one)
    else field.onChange(one)
    if (input.current) input.current.value = '' // so that the same file can be chosen again
  }
  function handleClear() {
    field.onChange(null)
    setBad(null)
    input.current?.focus()
  }
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(event.type !== 'dragleave')
  }
  const handleDrop = (event: DragEvent) => {
    drag(event)
    setOver(false)
    void take(event.dataTransfer.files[0])
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of Blueprint looks different
    <div
      role="group"
      aria-label={label}
      className={css.field}
      data-part="file-field"
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={handleDrop}
    >
      <span>{label}</span>
      {value && (
        <div className={css.file}>
          {value instanceof File ? <Thumb file={value} /> : <Stored file={value} />}
          <span className={css.name} title={value.name}>
            <b>{value.name}</b>
            {value instanceof File && <small className="nums">{kilobytes(value.size, language())}</small>}
          </span>
          <Button variant="minimal" icon={<Cross />} aria-label={t('takeFile', { name: value.name })} onClick={handleClear} />
        </div>
      )}
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
          ref={(element) => {
            input.current = element
            field.ref(element)
          }}
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

/** The stored file: a picture is shown, other files open on request. */
function Stored({ file: { name, path } }: { file: { name: string; path: string } }) {
  if (/\.(jpe?g|png|webp|gif|jfif)$/i.test(name)) return <img className={thumb.thumb} src={path} alt="" width={44} height={44} />
  return (
    <a className={thumb.thumb} href={path} target="_blank" rel="noreferrer" aria-label={name}>
      <DocumentIcon />
    </a>
  )
}

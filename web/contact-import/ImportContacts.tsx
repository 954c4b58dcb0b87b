import { Button, DialogBody, DialogFooter, ProgressBar } from '@blueprintjs/core'
import { Upload } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { ImportField, ImportTable } from '#domain/contact-import/contract.ts'
import { api } from '#web/api.ts'
import '#web/area-errors.ts'
import { begun } from '#web/bulk-operation/atoms.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import field from '#web/ui/FileField.module.css'
import { useFileDrop } from '#web/ui/FileField.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { uiWords } from '#web/ui/words.ts'
import { ImportPreview, type ReadOptions } from './ImportPreview.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { importWords } from './words.ts'

/** Imports a file of contacts: choose it, check its columns, start, and see the result. The server goes on without this dialog. */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const t = useWords(importWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const [file, setFile] = useState<File | null>(null)
  const [table, setTable] = useState<ImportTable | null>(null)
  const [existing, setExisting] = useState<'update' | 'keep'>('update')
  const [workId, setWorkId] = useState<number | null>(null)
  useReturnFocus()

  const read = (chosen: File, options: ReadOptions = {}) =>
    act(async () => {
      setTable(await api.contactImports.upload({ body: options }, { files: [{ field: 'file', file: chosen }] }))
      setFile(chosen)
    })()
  const choose = (fields: (ImportField | '')[]) => {
    const complete = fields.includes('name') && fields.includes('number')
    const columns = table!.columns.map(({ title }, at) => ({ title, field: fields[at] ?? '' }))
    if (!complete) return setTable({ ...table!, columns, counts: null, errors: null })
    void act(async () => setTable(await api.contactImports.choose({ params: { id: table!.id }, body: { fields } })))()
  }
  const begin = act(async () => {
    const work = await api.contactImports.begin({ params: { id: table!.id }, body: { existing } })
    begun(work)
    setWorkId(work.id)
  })
  const importable = table?.counts ? table.counts.created + table.counts.known : 0
  return (
    <Dialog isOpen size="wide" title={t('title')} onClose={onClose}>
      <DialogBody>
        {workId !== null && table ? (
          <ImportProgress workId={workId} importId={table.id} />
        ) : (
          <>
            <FilePick file={file} busy={act.pending} onFile={(chosen) => void read(chosen)} />
            {table && file && (
              <ImportPreview
                table={table}
                existing={existing}
                busy={act.pending}
                onExisting={setExisting}
                onFields={choose}
                onRead={(options) => void read(file, options)}
              />
            )}
          </>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          workId === null ? (
            <>
              <Button text={tUi('cancel')} onClick={onClose} />
              {table && (
                <Button
                  intent="primary"
                  text={t('begin', { n: importable })}
                  disabled={importable === 0}
                  loading={act.pending}
                  onClick={() => void begin()}
                />
              )}
            </>
          ) : (
            <Button intent="primary" text={t('close')} onClick={onClose} />
          )
        }
      />
    </Dialog>
  )
}

function FilePick({ file, busy, onFile }: { file: File | null; busy: boolean; onFile: (file: File) => void }) {
  const t = useWords(importWords)
  const tUi = useWords(uiWords)
  const id = useId()
  const { over, handlers } = useFileDrop((dropped) => dropped && !busy && onFile(dropped))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of Blueprint looks different
    <div role="group" aria-label={t('file')} className={field.field} data-over={over || undefined} {...handlers}>
      <p>{file ? file.name : t('lead')}</p>
      <label className={field.choose} htmlFor={id}>
        <input
          id={id}
          type="file"
          accept=".xlsx,.csv,.txt,.xls"
          disabled={busy}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            if (chosen) onFile(chosen)
            target.value = '' // so that the same file can be chosen again
          }}
        />
        <Upload />
        <b>{tUi(file ? 'otherFile' : 'chooseFile')}</b> <span>{tUi('orDropFile')}</span>
      </label>
      {busy && (
        <div role="status">
          {t('reading')} <ProgressBar aria-label={t('reading')} />
        </div>
      )}
    </div>
  )
}

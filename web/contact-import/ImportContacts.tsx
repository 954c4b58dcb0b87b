import { Button, Callout, DialogBody, DialogFooter, ProgressBar } from '@blueprintjs/core'
import { Download, Upload } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { WorkRow } from '#domain/bulk-operation/contract.ts'
import { contactImports, type ImportField, type ImportTable } from '#domain/contact-import/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import '#web/area-errors.ts'
import { begun } from '#web/bulk-operation/atoms.ts'
import { useWords } from '#web/i18n.ts'
import { type AsyncAction, useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import field from '#web/ui/FileField.module.css'
import { useFileDrop } from '#web/ui/FileField.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './ImportContacts.module.css'
import { ImportPreview, type ReadOptions } from './ImportPreview.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { importWords } from './words.ts'

/** The file and its table on the server, which keeps one table of a user for a day. `isGone`: it keeps this one no more. */
function useTable(act: AsyncAction) {
  const [file, setFile] = useState<File | null>(null)
  const [table, setTable] = useState<ImportTable | null>(null)
  const [openQuotes, setOpenQuotes] = useState<number[]>([])
  const [isGone, setIsGone] = useState(false)
  const read = (chosen: File, options: ReadOptions = {}) =>
    act(async () => {
      const uploaded = await api.contactImports.upload({ body: options }, { files: [{ field: 'file', file: chosen }] })
      setTable(uploaded)
      setOpenQuotes(uploaded.openQuotes)
      setFile(chosen)
      setIsGone(false)
    })()
  const refused = ({ code }: ApiError) => {
    if (code !== 'ERR_NOT_FOUND') return false
    setTable(null)
    setIsGone(true)
    return true
  }
  const choose = (fields: (ImportField | '')[]) => {
    const complete = fields.includes('name') && fields.includes('number')
    if (!complete) return setTable(unchecked(table!, fields))
    void act(async () => setTable(await api.contactImports.choose({ params: { id: table!.id }, body: { fields } })), { refused })()
  }
  return { file, table, openQuotes, isGone, read, choose, refused, setTable }
}

/** Imports a file of contacts: choose it, check its columns, start, and see the result. The server goes on without this dialog. */
export function ImportContacts({ onClose }: { onClose: () => void }) {
  const t = useWords(importWords)
  const act = useAsyncAction()
  const { file, table, openQuotes, isGone, read, choose, refused, setTable } = useTable(act)
  const [existing, setExisting] = useState<'update' | 'keep'>('update')
  const [validates, setValidates] = useState(false)
  const [run, setRun] = useState<{ importId: number; work: WorkRow } | null>(null)
  useReturnFocus()

  const begin = act(
    async () => {
      const work = await api.contactImports.begin({
        params: { id: table!.id },
        body: { existing, validateContact: validates ? 'true' : 'false' },
      })
      begun(work)
      setRun({ importId: table!.id, work })
    },
    { refused },
  )
  const fromPhone = (source: 'phoneBook' | 'phoneChats') =>
    act(async () => {
      const started = await api.contactImports[source]()
      begun(started.work)
      setRun(started)
    })()
  const importable = table?.counts ? table.counts.created + table.counts.updated + table.counts.unchanged : 0
  return (
    <Dialog isOpen size="wide" title={t('title')} onClose={onClose}>
      <DialogBody>
        {run ? (
          <ImportProgress workId={run.work.id} importId={run.importId} />
        ) : (
          <>
            <FilePick file={file} busy={act.pending} onFile={(chosen) => void read(chosen)} />
            {isGone && file && <Gone busy={act.pending} onRead={() => void read(file)} />}
            {!table && !isGone && <Sample />}
            {!table && !isGone && <FromPhone busy={act.pending} onChoose={(source) => void fromPhone(source)} />}
            {table && file && (
              <ImportPreview
                table={table}
                openQuotes={openQuotes}
                existing={existing}
                validates={validates}
                busy={act.pending}
                onExisting={setExisting}
                onValidates={setValidates}
                onFields={choose}
                onTable={setTable}
                refused={refused}
                onRead={(options) => void read(file, options)}
              />
            )}
          </>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          run ? (
            <Button intent="primary" text={t('close')} onClick={onClose} />
          ) : (
            <Choice importable={table ? importable : null} pending={act.pending} onBegin={() => void begin()} onClose={onClose} />
          )
        }
      />
    </Dialog>
  )
}

/** Cancels, or starts the import of a table. */
function Choice(of: { importable: number | null; pending: boolean; onBegin: () => void; onClose: () => void }) {
  const t = useWords(importWords)
  const tUi = useWords(uiWords)
  const { importable, pending, onBegin, onClose } = of
  return (
    <>
      <Button text={tUi('cancel')} onClick={onClose} />
      {importable !== null && (
        <Button intent="primary" text={t('begin', { n: importable })} disabled={importable === 0} loading={pending} onClick={onBegin} />
      )}
    </>
  )
}

/** The table is not on the server any more, because another one was uploaded. Its file can be read again. */
function Gone({ busy, onRead }: { busy: boolean; onRead: () => void }) {
  const t = useWords(importWords)
  return (
    <Callout intent="warning" role="status" className={css.gone ?? ''}>
      <p>{t('gone')}</p>
      <Button text={t('readAgain')} disabled={busy} onClick={onRead} />
    </Callout>
  )
}

/** A table whose name or number has no column, so that nothing is known of its rows. */
const unchecked = (table: ImportTable, fields: (ImportField | '')[]): ImportTable => ({
  ...table,
  columns: table.columns.map(({ title }, at) => ({ title, field: fields[at] ?? '' })),
  rows: table.rows.map((row) => ({ ...row, state: null })),
  ...{ counts: null, errors: null },
})

/** A file that shows how a table looks. It can be imported as it is. */
function Sample() {
  const t = useWords(importWords)
  const act = useAsyncAction()
  const save = act(async () => {
    const file = await api.contactImports.sample({}, { received: () => undefined })
    saveFile(contactImports.sample.file.name, file as Blob)
  })
  return (
    <p className={css.sample}>
      <Button variant="minimal" icon={<Download />} text={t('sample')} loading={act.pending} onClick={() => void save()} />
    </p>
  )
}

function FromPhone({ busy, onChoose }: { busy: boolean; onChoose: (source: 'phoneBook' | 'phoneChats') => void }) {
  const t = useWords(importWords)
  return (
    <section className={css.phone}>
      <p>{t('fromPhone')}</p>
      {(['phoneBook', 'phoneChats'] as const).map((source) => (
        <Button key={source} text={t(source)} disabled={busy} onClick={() => onChoose(source)} />
      ))}
    </section>
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

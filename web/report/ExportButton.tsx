import { Button } from '@blueprintjs/core'
import { Export } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { type ReportFilter, report } from '#domain/report/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { kilobytes } from '#web/ui/files.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import css from './Report.module.css'
import { reportWords } from './words.ts'

/** Saves all listed tickets as an Excel file (R-REPORT-02), shows how much has arrived, and can be cancelled. */
export function ExportButton({ filter, total }: { filter: ReportFilter; total: number }) {
  const t = useWords(reportWords)
  const language = useLanguage()
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController>(undefined)
  const save = async () => {
    const control = new AbortController()
    running.current = control
    setReceived(0)
    try {
      const file = await api.report.export({ query: filter }, { received: setReceived, signal: control.signal })
      saveFile(report.export.file.name, file as Blob)
      toast(t('exported'))
    } catch (error) {
      if (control.signal.aborted) toast(t('exportCancelled'), 'warning')
      else toastFailure(error)
    } finally {
      setReceived(null)
    }
  }
  if (received === null)
    return <Button icon={<Export />} text={t('export', { n: total })} disabled={total === 0} onClick={() => void save()} />
  return (
    <span className={css.exporting}>
      <span role="status">{t('exporting', { size: received > 0 ? kilobytes(received, language) : '' })}</span>
      <Button text={t('cancelExport')} onClick={() => running.current?.abort()} />
    </span>
  )
}

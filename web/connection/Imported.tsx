import { Button, ProgressBar } from '@blueprintjs/core'
import { useState } from 'react'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { api } from '#web/api.ts'
import { begun } from '#web/bulk-operation/atoms.ts'
import { workWords } from '#web/bulk-operation/words.ts'
import { translate, useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import css from './Connections.module.css'
import { importWords } from './import-words.ts'

type Of = Pick<ConnectionRow, 'id' | 'name' | 'statusImportMessages' | 'importDone' | 'importAll'>

/** Progress of the import of older messages, and what can be done with its tickets (R-CONN-16). */
export function Imported({ of: { id, name, statusImportMessages: status, importDone: done, importAll: all } }: { of: Of }) {
  const t = useWords(importWords)
  const [asked, setAsked] = useState(false)
  if (status === null) return null
  if (status === 'Running')
    return (
      <span className={css.importing} role="status">
        {t('running', { done, all })}
        <ProgressBar aria-label={t('running', { done, all })} value={all === 0 ? 0 : done / all} animate={false} stripes={false} />
      </span>
    )
  if (status !== 'renderButtonCloseTickets') return <Button size="small" disabled text={t('preparing')} />
  return (
    <>
      <Button size="small" text={t('close')} aria-label={`${t('close')}: ${name}`} onClick={() => setAsked(true)} />
      {asked && (
        <Confirm
          title={`${t('close')}: ${name}`}
          question={t('askClose')}
          verb={t('close')}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            const work = await api.connections.closeImported({ params: { id } })
            begun(work)
            toast(translate(workWords, 'begun', { n: work.total }), 'primary')
          }}
        />
      )}
    </>
  )
}

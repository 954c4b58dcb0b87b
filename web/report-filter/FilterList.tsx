import { Button, DialogBody } from '@blueprintjs/core'
import { Bookmark, Edit, Envelope, FloppyDisk, Trash } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { mayEditFilter, type ReportFilterRow } from '#domain/report-filter/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import type { ReportView } from '#web/report/filter.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { savedFilters } from './atoms.ts'
import { FilterForm } from './FilterForm.tsx'
import css from './SavedFilters.module.css'
import { savedOf, viewOfSaved, withPeriod } from './saved.ts'
import { WeeklyMail } from './WeeklyMail.tsx'
import { reportFilterWords } from './words.ts'

type Opened = { what: 'edit' | 'remove' | 'mail'; row: ReportFilterRow }

/** All saved filters that the user sees, with their actions. */
export function FilterList({ view, onShow, onClose }: { view: ReportView; onShow: (view: ReportView) => void; onClose: () => void }) {
  const t = useWords(reportFilterWords)
  const tUi = useWords(uiWords)
  const [opened, setOpened] = useState<Opened | null>(null)
  const loaded = useAtomValue(savedFilters)
  const reload = useSetAtom(savedFilters.reload)
  const close = () => setOpened(null)
  return (
    <>
      <Dialog isOpen title={t('manageTitle')} onClose={onClose} size="wide">
        <DialogBody>
          {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={() => void reload()} />}
          {loaded.state === 'loading' && <Skeleton rows={3} height={48} />}
          {loaded.state === 'ready' && loaded.value.filters.length === 0 && (
            <Empty icon={<Bookmark size={20} />} title={t('none')}>
              {t('noneHint')}
            </Empty>
          )}
          {loaded.state === 'ready' && (
            <ul className={css.rows}>
              {loaded.value.filters.map((row) => (
                <Row
                  key={row.id}
                  row={row}
                  view={view}
                  onOpen={(what) => setOpened({ what, row })}
                  onShow={() => {
                    onShow(viewOfSaved(row.filter))
                    onClose()
                  }}
                />
              ))}
            </ul>
          )}
        </DialogBody>
      </Dialog>
      {opened?.what === 'edit' && <FilterForm filter={opened.row.filter} row={opened.row} onSaved={reload} onClose={close} />}
      {opened?.what === 'mail' && <WeeklyMail row={opened.row} onSaved={reload} onClose={close} />}
      {opened?.what === 'remove' && (
        <Confirm
          title={tUi('removeOne', { name: opened.row.name })}
          question={<p>{t(opened.row.shared ? 'goesForAll' : 'goesForMe')}</p>}
          verb={tUi('remove')}
          onConfirm={() => api.reportFilters.remove({ params: { id: opened.row.id } }).then(() => reload())}
          onClose={close}
        />
      )}
    </>
  )
}

type RowProps = { row: ReportFilterRow; view: ReportView; onOpen: (what: Opened['what']) => void; onShow: () => void }
function Row({ row, view, onOpen, onShow }: RowProps) {
  const t = useWords(reportFilterWords)
  const tUi = useWords(uiWords)
  const language = useLanguage()
  const viewer = useViewer()
  const act = useAsyncAction()
  const reload = useSetAtom(savedFilters.reload)
  const { id, name, shared, userId, userName, version, filter } = row
  const { dateFrom, dateTo, period } = filter
  const day = (text: string | undefined) => (text ? calendarDay(text, language) : '…')
  const store = async () => {
    await api.reportFilters.update({ params: { id }, body: { filter: withPeriod(savedOf(view)), version } })
    await reload()
  }
  return (
    <li className={css.row}>
      <div className={css.name}>
        <button type="button" className={css.apply} title={t('apply', { name })} onClick={onShow}>
          <bdi>{name}</bdi>
        </button>
        <span className={css.about}>
          {t(period, { from: day(dateFrom), to: day(dateTo) })} ·{' '}
          {userId !== viewer?.id ? t('ofUser', { name: userName }) : t(shared ? 'sharedByMe' : 'onlyMe')}
          {row.weekly && ` · ${t('weekly')}`}
        </span>
      </div>
      {viewer && mayEditFilter(viewer, row) && (
        <div className={css.actions}>
          <Button
            variant="minimal"
            icon={<FloppyDisk />}
            title={t('update', { name })}
            aria-label={t('update', { name })}
            loading={act.pending}
            onClick={() => void act(store, { done: t('updated', { name }) })()}
          />
          <Button
            variant="minimal"
            icon={<Envelope />}
            active={row.weekly}
            title={t('weeklyOf', { name })}
            aria-label={t('weeklyOf', { name })}
            onClick={() => onOpen('mail')}
          />
          <Button variant="minimal" icon={<Edit />} aria-label={`${tUi('edit')}: ${name}`} onClick={() => onOpen('edit')} />
          <Button variant="minimal" icon={<Trash />} aria-label={`${tUi('remove')}: ${name}`} onClick={() => onOpen('remove')} />
        </div>
      )}
    </li>
  )
}

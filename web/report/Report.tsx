import { Button } from '@blueprintjs/core'
import { Th } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Listed } from '#domain/report/contract.ts'
import { useWords } from '#web/i18n.ts'
import { SavedFilters } from '#web/report-filter/SavedFilters.tsx'
import { useViewer } from '#web/session.ts'
import { Dialogs } from '#web/ticket/dialogs/Dialogs.tsx'
import { problemOf } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { emptyPage, reportPage } from './atoms.ts'
import { ExportButton } from './ExportButton.tsx'
import { Filters } from './Filters.tsx'
import { addressOf, filterOf, firstView, isNarrowed, type ReportView, viewOf } from './filter.ts'
import { Pages } from './Pages.tsx'
import css from './Report.module.css'
import { ReportLimit } from './ReportLimit.tsx'
import { ReportTable } from './ReportTable.tsx'
import { reportWords } from './words.ts'

const nothing: Listed = { tickets: [], totalTickets: { total: 0 } }
/** Milliseconds between the last key and the search. */
const pause = 500

/** The ticket report of supervisors. Its filters, order and page are in the address, so that it can be reloaded and shared. */
export function Report() {
  const t = useWords(reportWords)
  const tUi = useWords(uiWords)
  const [address, setAddress] = useSearchParams()
  const view = viewOf(address)
  const [text, setText] = useState(view.searchParam)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = (to: ReportView) => setAddress(addressOf(to), { replace: true })
  const change = (to: Partial<ReportView>) => show({ ...view, page: 1, ...to })
  const search = (now: string) => {
    setText(now)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => setAddress((current) => addressOf({ ...viewOf(current), searchParam: now, page: 1 }), { replace: true }),
      now.trim() === '' ? 0 : pause,
    )
  }
  const clear = () => {
    clearTimeout(timer.current)
    setText('')
    show({ ...firstView(), pageSize: view.pageSize })
  }
  useViewer() // the page is another one as soon as the viewer’s limit changes
  const showSaved = (to: ReportView) => {
    clearTimeout(timer.current)
    setText(to.searchParam)
    show({ ...to, pageSize: view.pageSize })
  }
  const isWrong = problemOf({ from: view.dateFrom, to: view.dateTo }, true) !== null
  const page = isWrong ? emptyPage : reportPage({ ...filterOf(view), page: view.page, pageSize: view.pageSize })
  const loaded = useAtomValue(page)
  const reload = useSetAtom(page.reload)
  const { tickets, totalTickets, since, countedTickets } = loaded.state === 'ready' ? loaded.value : nothing
  return (
    <>
      <Head title={t('title')} search={text} onSearch={search} hint={t('findBy')}>
        <SavedFilters view={view} onShow={showSaved} />
        <ExportButton filter={filterOf(view)} total={totalTickets.total} />
      </Head>
      <ReportLimit />
      <Filters view={view} onChange={change} onClear={clear} />
      {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={() => void reload()} />}
      {loaded.state === 'loading' && <Skeleton rows={view.pageSize} height={40} />}
      {loaded.state === 'ready' && !isWrong && totalTickets.total === 0 && (
        <Empty
          icon={<Th size={20} />}
          title={t(isNarrowed(view) ? 'noneMatch' : 'noneYet')}
          action={isNarrowed(view) && <Button text={tUi('clearFilters')} onClick={clear} />}
        />
      )}
      {loaded.state === 'ready' && totalTickets.total > 0 && (
        <>
          {countedTickets !== undefined && countedTickets < totalTickets.total && (
            <p className={css.counted}>
              {t('countedOf', { n: countedTickets, total: totalTickets.total })}
              <Button variant="minimal" size="small" text={t('showCounted')} onClick={() => change({ counted: true })} />
            </p>
          )}
          <ReportTable rows={tickets} view={view} onChange={change} />
          <Pages view={view} total={totalTickets.total} since={since} onChange={change} />
        </>
      )}
      <Dialogs />
    </>
  )
}

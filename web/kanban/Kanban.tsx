import { AnchorButton, Button } from '@blueprintjs/core'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { mayEditLanes } from '#domain/access.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import boardCss from '#web/ui/Board.module.css'
import { anyDay, type Days, FilterBar } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { today } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { boards, laneCounts } from './atoms.ts'
import css from './Kanban.module.css'
import { Lane } from './Lane.tsx'
import { type Lanes, useLanes } from './lanes.ts'
import { useCardMove } from './useLaneMove.ts'
import { kanbanWords } from './words.ts'

const uncounted = atom(null)

/** Tickets by lane, those without a lane first (R-KANBAN-01). */
export function Kanban() {
  const t = useWords(kanbanWords)
  const viewer = useViewer()
  const [days, setDays] = useState<Days>(() => ({ from: today(), to: today() })) // R-KANBAN-04
  const board = boards(days)
  const all = useAtomValue(board.all)
  const state = useAtomValue(board.state)
  const error = useAtomValue(board.error)
  const reload = useSetAtom(board.reload)
  const lanes = useLanes() // here, so that lanes and board load at once
  const cardMove = useCardMove(days, lanes)
  const mayAdd = mayEditLanes(viewer) === null
  return (
    <div className={css.screen}>
      <Head title={t('title')}>{mayAdd && <AnchorButton href="/TagsKanban" text={t('addLanes')} />}</Head>
      <FilterBar from={days.from} to={days.to} onChoose={setDays} onClear={false} />
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={6} height={80} />}
      {state === 'ready' && (
        <>
          <p className={css.hint}>{t('hint')}</p>
          <Notices days={days} loaded={all.length} onAnyDay={() => setDays(anyDay)} />
          <Board days={days} rows={all} lanes={lanes} {...cardMove} />
        </>
      )}
    </div>
  )
}

/** Says that other days have tickets, or that older tickets of these days are not loaded. */
function Notices({ days, loaded, onAnyDay }: { days: Days; loaded: number; onAnyDay: () => void }) {
  const t = useWords(kanbanWords)
  const board = boards(days)
  const hasMore = useAtomValue(board.hasMore)
  const more = useSetAtom(board.more)
  const ever = useAtomValue(loaded === 0 ? laneCounts(anyDay) : uncounted)
  const older = [...(ever?.values() ?? [])].reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {older > 0 && (
        <p className={css.notice} role="status">
          {t(older === 1 ? 'olderOne' : 'older', { n: older })}{' '}
          <Button variant="minimal" size="small" text={t('showOlder')} onClick={onAnyDay} />
        </p>
      )}
      {hasMore && (
        <p className={css.notice} role="status">
          {t('newest', { n: loaded })} <Button variant="minimal" size="small" text={t('showMore')} onClick={() => more()} />
        </p>
      )}
    </>
  )
}

function Board(of: { days: Days; rows: TicketRow[]; lanes: Lanes } & ReturnType<typeof useCardMove>) {
  const { rows, move, landed } = of
  const { stages, laneOf } = of.lanes
  const viewer = useViewer()
  const hasMore = useAtomValue(boards(of.days).hasMore)
  const counts = useAtomValue(hasMore ? laneCounts(of.days) : uncounted)
  return (
    <div className={`${boardCss.board} ${css.board}`} data-part="board">
      {stages.map((stage, at) => (
        <Lane
          key={stage.id ?? 0}
          stage={stage}
          stages={stages}
          beside={[stages[at - 1], stages[at + 1]]}
          rows={rows.filter((row) => laneOf(row) === stage.id)}
          count={counts ? (counts.get(stage.id) ?? { count: 0, worth: 0 }) : null}
          landed={landed}
          find={(id) => rows.find((row) => row.id === id)}
          move={move}
          may={tickets.change.may(viewer) === null}
        />
      ))}
    </div>
  )
}

import { AnchorButton, Button } from '@blueprintjs/core'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { mayEditLanes } from '#domain/access.ts'
import { isStored } from '#domain/answers.ts'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { viewer as me, useViewer } from '#web/session.ts'
import { applyTicket } from '#web/ticket/atoms.ts'
import { awaitTicket } from '#web/ticket/optimistic.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { anyDay, type Days, FilterBar } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { today } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { toast, toastUndo } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { boards, laneChoices, laneCounts } from './atoms.ts'
import css from './Kanban.module.css'
import { Lane, type Stage } from './Lane.tsx'
import { kanbanWords } from './words.ts'

const uncounted = atom(null)

/** Tickets by lane, those without a lane first (R-KANBAN-01). */
export function Kanban() {
  const t = useWords(kanbanWords)
  const tUi = useWords(uiWords)
  const viewer = useViewer()
  const act = useAsyncAction()
  const [days, setDays] = useState<Days>(() => ({ from: today(), to: today() })) // R-KANBAN-04
  const board = boards(days)
  const all = useAtomValue(board.all)
  const state = useAtomValue(board.state)
  const error = useAtomValue(board.error)
  const reload = useSetAtom(board.reload)
  const hasMore = useAtomValue(board.hasMore)
  const more = useSetAtom(board.more)
  const apply = useSetAtom(board.apply)
  const lanes = useAtomValue(laneChoices.all)
  const counts = useAtomValue(hasMore ? laneCounts(days) : uncounted)
  const ever = useAtomValue(state === 'ready' && all.length === 0 ? laneCounts(anyDay) : uncounted)
  const older = [...(ever?.values() ?? [])].reduce((sum, { count }) => sum + count, 0)
  const moving = useRef<{ id: number; to: number | null } | null>(null)
  const stages: Stage[] = [{ id: null, name: t('noLane'), color: null }, ...lanes.map(({ id, name, color }) => ({ id, name, color }))]
  const laneOf = ({ laneId }: TicketRow) => (lanes.some(({ id }) => id === laneId) ? laneId : null)

  async function put(ticket: TicketRow, laneId: number | null): Promise<void> {
    const params = { ticketId: ticket.id }
    const answer = await (laneId === null ? api.kanban.leave({ params }) : api.kanban.enter({ params: { ...params, tagId: laneId } }))
    const row = isStored(answer) ? awaitTicket({ ...ticket, laneId, revision: answer.revision }, me()) : answer
    applyTicket(row)
    apply([{ op: 'put', row }])
  }
  const move = (ticket: TicketRow, to: number | null) => {
    const before = laneOf(ticket)
    if (before === to) return
    const lane = stages.find(({ id }) => id === to)!.name
    moving.current = { id: ticket.id, to }
    void act(async () => {
      await put(ticket, to).catch((error: unknown) => {
        moving.current = null
        throw error
      })
      if (before !== null && to !== null) toast(t('left')) // R-KANBAN-02
      const moved = t('moved', { name: ticket.contact.name, lane })
      toastUndo(`${t(to === null ? 'left' : 'entered')} ${moved}`, tUi('undo'), () => put(ticket, before))
    })()
  }
  /** A moved card gets the focus at its new place. */
  const landed = (card: HTMLElement | null, id: number, at: number | null) => {
    if (!card || moving.current?.id !== id || moving.current.to !== at) return
    moving.current = null
    card.focus()
  }
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
          {older > 0 && (
            <p className={css.notice} role="status">
              {t(older === 1 ? 'olderOne' : 'older', { n: older })}{' '}
              <Button variant="minimal" size="small" text={t('showOlder')} onClick={() => setDays(anyDay)} />
            </p>
          )}
          {hasMore && (
            <p className={css.notice} role="status">
              {t('newest', { n: all.length })} <Button variant="minimal" size="small" text={t('showMore')} onClick={() => more()} />
            </p>
          )}
          <div className={css.board} data-part="board">
            {stages.map((stage, at) => (
              <Lane
                key={stage.id ?? 0}
                stage={stage}
                stages={stages}
                beside={[stages[at - 1], stages[at + 1]]}
                rows={all.filter((row) => laneOf(row) === stage.id)}
                count={counts ? (counts.get(stage.id) ?? { count: 0, worth: 0 }) : null}
                landed={landed}
                find={(id) => all.find((row) => row.id === id)}
                move={move}
                may={tickets.change.may(viewer) === null}
              />
            ))}
          </div>
        </>
      )}
    </div>
  )
}

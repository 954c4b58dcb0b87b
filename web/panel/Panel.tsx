import { Button, Switch } from '@blueprintjs/core'
import { Fullscreen, Minimize, Pulse, VolumeOff, VolumeUp } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { UserRow } from '#domain/user/contract.ts'
import { useWords } from '#web/i18n.ts'
import { MomentBar } from '#web/moment/MomentBar.tsx'
import { MomentButton } from '#web/moment/MomentButton.tsx'
import { useMoment } from '#web/moment/use-moment.ts'
import { compareNames } from '#web/name-order.ts'
import { useOffered } from '#web/report/limit.ts'
import { ReportLimit } from '#web/report/ReportLimit.tsx'
import { useViewer } from '#web/session.ts'
import { queueChoices, userChoices } from '#web/ticket/choices.ts'
import boardCss from '#web/ui/Board.module.css'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { NotLive } from '#web/ui/NotLive.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import { idleShownAtom, panelFilterAtom, panelTickets, servingAtom } from './atoms.ts'
import { columnsOf, keepColumns, noFilter } from './columns.ts'
import css from './Panel.module.css'
import { PanelColumn } from './PanelColumn.tsx'
import { PastBoard } from './PastBoard.tsx'
import { panelSoundAtom, useSound } from './sound.ts'
import { panelWords } from './words.ts'

const reloadMs = 20_000

/** Who serves what, and who waits, live or at a past moment; made for a wall too. */
export function Panel() {
  const t = useWords(panelWords)
  const box = useRef<HTMLDivElement>(null)
  const { moment } = useMoment()
  const { queueId, userId } = useAtomValue(panelFilterAtom)
  const filters = { ...(queueId !== null && { queueIds: `[${queueId}]` }), ...(userId !== null && { users: `[${userId}]` }) }
  return (
    <div ref={box} className={css.screen}>
      <Head title={t('title')} lead={moment === null && t('lead')}>
        <MomentButton />
        {moment === null && <Sound />}
        <WholeScreen box={box} />
      </Head>
      <ReportLimit />
      <Filters isLive={moment === null} />
      {moment === null && <NotLive />}
      {moment === null ? (
        <LiveBoard />
      ) : (
        <>
          <MomentBar moment={moment} filters={filters} isChartOpen={false} />
          <PastBoard moment={moment} />
        </>
      )}
    </div>
  )
}

function LiveBoard() {
  useAtomValue(panelTickets.ids) // loads the tickets, which the state alone does not
  const state = useAtomValue(panelTickets.state)
  const error = useAtomValue(panelTickets.error)
  const reload = useSetAtom(panelTickets.reload)
  const more = useSetAtom(panelTickets.more)
  const hasMore = useAtomValue(panelTickets.hasMore)
  const isAdmin = useViewer().profile === 'admin'
  useEffect(() => {
    if (state === 'ready' && hasMore) void more()
  }, [state, hasMore, more])
  useEffect(() => {
    if (isAdmin) return undefined
    const timer = setInterval(() => void reload(), reloadMs) // live updates contain only the tickets that the viewer may open
    return () => clearInterval(timer)
  }, [isAdmin, reload])
  if (state === 'failed') return <ErrorView error={error} onRetry={reload} />
  return state === 'loading' ? <Skeleton rows={6} height={80} /> : <Board />
}

function Board() {
  const t = useWords(panelWords)
  const tUi = useWords(uiWords)
  const rows = useAtomValue(panelTickets.all)
  const serving = useAtomValue(servingAtom)
  const users = useAtomValue(userChoices.all)
  const offered = useOffered()
  const [filter, setFilter] = useAtom(panelFilterAtom)
  const idle = useAtomValue(idleShownAtom)
  const columns = useMemo(() => {
    const listed = agentsOn(serving, users, offered)
    const agents = listed.map(({ id, name, online }) => ({ id, name, online }))
    const order = agents.toSorted((a, b) => Number(b.online) - Number(a.online) || compareNames(a.name, b.name))
    return columnsOf(rows, order, filter, idle)
  }, [rows, serving, users, offered, filter, idle])
  const [shown, setShown] = useState(columns)
  const kept = useMemo(() => keepColumns(shown, columns), [shown, columns])
  if (kept.some((column, at) => column !== shown[at]) || kept.length !== shown.length) setShown(kept)
  useSound(rows)
  if (rows.length === 0 && !idle)
    return (
      <Empty icon={<Pulse size={20} />} title={t('noTickets')}>
        {t('noTicketsWhy')}
      </Empty>
    )
  if (!idle && columns.every(({ tickets }) => tickets.length === 0))
    return (
      <Empty
        icon={<Pulse size={20} />}
        title={t('noMatch')}
        action={<Button text={tUi('clearFilters')} onClick={() => setFilter(noFilter)} />}
      />
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard scrolls it
    <section className={boardCss.board} aria-label={t('title')} tabIndex={0}>
      {kept.map((column) => (
        <PanelColumn key={column.id} column={column} />
      ))}
    </section>
  )
}

/** The agents of the panel and of its filter. */
function agentsOn(servingIds: number[], users: UserRow[], { agent }: ReturnType<typeof useOffered>): UserRow[] {
  const serving = new Set(servingIds)
  return users.filter((user) => agent(user, serving.has(user.id)))
}

function Filters({ isLive }: { isLive: boolean }) {
  const t = useWords(panelWords)
  const tUi = useWords(uiWords)
  const [filter, setFilter] = useAtom(panelFilterAtom)
  const [idle, setIdle] = useAtom(idleShownAtom)
  const offered = useOffered()
  const queues = useAtomValue(queueChoices.all).filter(offered.queue)
  const users = agentsOn(useAtomValue(servingAtom), useAtomValue(userChoices.all), offered)
  const named = (rows: { id: number; name: string }[]) => rows.map(({ id, name }) => ({ value: id, label: name }))
  const id = (value: string) => (value === '' ? null : Number(value))
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a form, because nothing is submitted
    <div className={css.filters} role="group" aria-label={tUi('filters')}>
      <HTMLSelect
        aria-label={t('queue')}
        value={filter.queueId ?? ''}
        options={[{ value: '', label: t('anyQueue') }, ...named(queues)]}
        onChange={({ currentTarget }) => setFilter({ ...filter, queueId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={t('agent')}
        value={filter.userId ?? ''}
        options={[{ value: '', label: t('anyAgent') }, ...named(users)]}
        onChange={({ currentTarget }) => setFilter({ ...filter, userId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={t('status')}
        value={filter.status ?? ''}
        options={[
          { value: '', label: t('anyStatus') },
          { value: 'pending', label: t('waiting') },
          { value: 'open', label: t('open') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          setFilter({ ...filter, status: value === 'open' || value === 'pending' ? value : null })
        }
      />
      {isLive && (
        <Switch
          className={css.idle!}
          label={t('idleAgents')}
          checked={idle}
          onChange={({ currentTarget }) => setIdle(currentTarget.checked)}
        />
      )}
    </div>
  )
}

function Sound() {
  const t = useWords(panelWords)
  const [sound, setSound] = useAtom(panelSoundAtom)
  return (
    <Button
      icon={sound ? <VolumeUp /> : <VolumeOff />}
      text={t(sound ? 'soundOff' : 'soundOn')}
      title={t('soundHint')}
      aria-pressed={sound}
      onClick={() => setSound(!sound)}
    />
  )
}

function WholeScreen({ box }: { box: RefObject<HTMLElement | null> }) {
  const t = useWords(panelWords)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const look = () => setWhole(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [])
  if (!document.fullscreenEnabled) return null
  const toggle = () => void (isWhole ? document.exitFullscreen() : box.current?.requestFullscreen())
  return <Button icon={isWhole ? <Minimize /> : <Fullscreen />} text={t(isWhole ? 'narrow' : 'wide')} onClick={toggle} />
}

import { Button } from '@blueprintjs/core'
import { ArrowUp, Inbox as InboxIcon, Search } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type PointerEvent, useState } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { Checklist } from '#web/checklist/Checklist.tsx'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { store, useViewer, viewerAtom } from '#web/session.ts'
import { choiceAtom, countsAtom, listAtom, onMessagesAtom, searchAtom, tabAtom } from '#web/ticket/atoms.ts'
import { filterWords, tabWords } from '#web/ticket/list/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { onePaneAtom } from '#web/ui/breakpoints.ts'
import { allowNextClick, useClickGuard } from '#web/ui/click-guard.ts'
import { useKeys } from '#web/ui/keys.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Asked } from './Asked.tsx'
import { cardId } from './card.ts'
import { cardHeightAtom } from './compact.ts'
import { NoneWaiting } from './NoneWaiting.tsx'
import { Rows } from './Rows.tsx'
import { goesOn, same, stableOrder, waiting } from './stableOrder.ts'
import { Tabs } from './Tabs.tsx'
import { TicketCard } from './TicketCard.tsx'
import css from './TicketList.module.css'
import { Tools } from './Tools.tsx'
import { everything, mayShowAll, tabsOf } from './wanted.ts'

/** Focuses the card of the open ticket, else the first one. */
export function toList(): boolean {
  const card =
    document.querySelector<HTMLElement>('[data-part=card][data-current] [data-part=card-name]') ??
    document.querySelector<HTMLElement>('[data-part=card-name]')
  card?.focus()
  return card !== null
}

export function TicketList({ chosen }: { chosen: string | undefined }) {
  const t = useWords(ticketWords)
  const tTab = useWords(tabWords)
  const tab = useAtomValue(tabAtom)
  const setTab = useSetAtom(tabAtom)
  const counts = useAtomValue(countsAtom)
  const list = useAtomValue(listAtom)
  const viewer = useViewer()
  const mine = tabsOf(viewer)
  const strip = tab === 'asked' ? 'pending' : tab
  useKeys(t('inbox'), [
    ...mine.map((key, at) => ({ keys: String(at + 1), also: `act+${at + 1}`, label: tTab(key), run: () => setTab(key) })),
    { keys: 'l', also: 'act+l', label: t('toList'), run: toList },
  ])
  const named = { open: 'countOpen', pending: 'countPending', group: 'countGroup' } as const
  return (
    <div className={css.tickets} data-part="tickets">
      <Tabs
        label={t('inbox')}
        at={strip}
        onChoose={(key) => {
          if (key !== tab) allowNextClick()
          setTab(key)
        }}
        tabs={mine.map((key) => ({
          key,
          word: tTab(key),
          panel: 'tickets',
          ...(key !== 'closed' && key !== 'search' && { count: counts[key], counts: (n: number) => t(named[key], { n }) }),
          ...(key === 'search' && { icon: <Search /> }),
        }))}
      />
      <Tools />
      <div id="tickets" role="tabpanel" aria-labelledby={`tab-${strip}`} className={css.panel} data-toasts>
        {list && <Listed key={tab} list={list} chosen={chosen} />}
      </div>
      {strip === 'pending' && <Asked />}
    </div>
  )
}

function Listed({ list, chosen }: { list: Collection<TicketRow>; chosen: string | undefined }) {
  const t = useWords(ticketWords)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const hasMore = useAtomValue(list.hasMore)
  const reload = useSetAtom(list.reload)
  const more = useSetAtom(list.more)
  const height = useAtomValue(cardHeightAtom)
  const [over, setOver] = useState(false)
  const [displayed, setDisplayed] = useState({ list, ids, order: 0 })
  const stay = over && displayed.list === list && displayed.ids.length > 0
  const next = stay ? stableOrder(displayed.ids, ids) : ids
  const now =
    displayed.list === list && same(displayed.ids, next)
      ? displayed
      : { list, ids: next, order: displayed.order + (goesOn(displayed.ids, next) ? 0 : 1) }
  if (now !== displayed) setDisplayed(now)
  const box = useClickGuard<HTMLDivElement>(now.order)
  const came = stay ? waiting(now.ids, ids.filter(isFromOthers(list))) : 0

  const hover = (isOver: boolean) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setOver(isOver)
  }
  return (
    // the pointer over the list or its news freezes the order
    <div className={css.listed} ref={box} onPointerOver={hover(true)} onPointerLeave={hover(false)}>
      {now.ids.length === 0 ? (
        <Nothing state={state} error={error} onRetry={reload} />
      ) : (
        <>
          {came > 0 && (
            <button type="button" className={css.pill} onClick={() => setOver(false)}>
              <ArrowUp size={12} /> {came === 1 ? t('freshOne') : t('fresh', { n: came })}
            </button>
          )}
          <Rows ids={now.ids} height={height} label={t('list')} named={cardId} hasMore={hasMore} onNearEnd={more}>
            {(id, stop) => <TicketCard row={list.row(id)} chosen={chosen} stop={stop} />}
          </Rows>
        </>
      )}
      {now.ids.length > 0 && error !== null && state === 'ready' && (
        <div className={css.failed} role="alert">
          <span>{t('moreFailed')}</span> <Button size="small" text={t('again')} onClick={() => void (hasMore ? more() : reload())} />
        </div>
      )}
    </div>
  )
}

/** An own answer moves its ticket up too, but is no news. */
const isFromOthers = (list: Collection<TicketRow>) => (id: number) => {
  const row = store.get(list.row(id)) as TicketRow | null
  return row?.lastMessageUserId !== viewerId()
}
const viewerId = () => store.get(viewerAtom)?.id

function Nothing({ state, error, onRetry }: { state: string; error: unknown; onRetry: () => unknown }) {
  const height = useAtomValue(cardHeightAtom)
  if (state === 'loading') return <Skeleton rows={9} height={height} avatar />
  return state === 'failed' ? <ErrorView error={error} onRetry={onRetry} /> : <None />
}

const nothing = {
  open: 'noneOpen',
  group: 'noneGroup',
  closed: 'noneClosed',
  search: 'noneSearch',
  asked: 'noneAsked',
} as const
function None() {
  const t = useWords(ticketWords)
  const tab = useAtomValue(tabAtom)
  const setTab = useSetAtom(tabAtom)
  const choice = useAtomValue(choiceAtom)
  const setChoice = useSetAtom(choiceAtom)
  const search = useAtomValue(searchAtom)
  const viewer = useViewer()
  const tFilter = useWords(filterWords)
  const [onMessages, setOnMessages] = useAtom(onMessagesAtom)
  const further = tab === 'search' && search.trim() !== '' && !onMessages && (
    <Button intent="primary" text={t('onMessages')} onClick={() => setOnMessages(true)} />
  )
  const one = useAtomValue(onePaneAtom)
  const filtered = JSON.stringify(choice) !== JSON.stringify(everything)
  const ownOnly = choice.userIds.length > 0 && !choice.showAll && tab !== 'search' && mayShowAll(viewer)
  if (filtered)
    return (
      <Empty
        icon={<InboxIcon size={20} />}
        title={t('noneFiltered')}
        action={
          <>
            {further}
            {ownOnly && <Button intent="primary" text={tFilter('showAll')} onClick={() => setChoice({ ...choice, showAll: true })} />}
            <Button text={t('clearFilters')} onClick={() => setChoice(everything)} />
          </>
        }
      >
        {ownOnly && tFilter('ownOnly')}
      </Empty>
    )
  const none =
    tab === 'pending' ? (
      <NoneWaiting />
    ) : (
      <Empty
        icon={tab === 'search' ? <Search size={20} /> : <InboxIcon size={20} />}
        title={t(nothing[tab])}
        action={
          <>
            {further}
            {tab === 'open' && <Button intent="primary" text={t('seeWaiting')} onClick={() => setTab('pending')} />}
            {(tab === 'open' || tab === 'closed') && mayShowAll(viewer) && (
              <Button text={tFilter('showAll')} onClick={() => setChoice({ ...choice, showAll: true })} />
            )}
          </>
        }
      >
        {tab === 'search' ? search : t(tab === 'closed' ? 'noneClosedHint' : tab === 'asked' ? 'noneAskedHint' : 'noneHint')}
      </Empty>
    )
  return one && (tab === 'open' || tab === 'pending') ? <Checklist>{none}</Checklist> : none // otherwise the checklist is beside the list
}

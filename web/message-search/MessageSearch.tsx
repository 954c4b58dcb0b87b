import { Search } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { FoundMessage, FoundTicket as FoundTicketRow, MessageFilter } from '#domain/message-search/contract.ts'
import { areSearchable, searchTerms } from '#domain/message-search/rules.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { jumpTo } from '#web/ticket/list/Hit.tsx'
import { Head } from '#web/ui/Head.tsx'
import { More } from '#web/ui/More.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { addressOf, filterOf, filtersIn, type SearchView, viewOf } from './address.ts'
import { findAtom, moreAtom, nextResults, type Results, scrolledAtom, searchAtom } from './atoms.ts'
import { FoundTicket } from './FoundTicket.tsx'
import css from './MessageSearch.module.css'
import { NoneFound } from './NoneFound.tsx'
import { RecentSearches } from './RecentSearches.tsx'
import { rememberSearchAtom } from './recent.ts'
import { SearchFilters } from './SearchFilters.tsx'
import { searchWords } from './words.ts'

/** Milliseconds between the last key and the search (R-INBOX-10). */
const pause = 500

/** Whether a view can be searched. */
const isComplete = (view: SearchView): boolean => {
  const terms = searchTerms(view.q)
  return terms.length > 0 ? areSearchable(terms) : filtersIn(view) > 0
}

/** The search in all messages. Text and filters are in the address, so that it can be reloaded and shared. */
export function MessageSearch() {
  const t = useWords(searchWords)
  const [address, setAddress] = useSearchParams()
  const view = viewOf(address)
  const [typed, setTyped] = useState({ text: view.q, shown: view.q })
  // a recent search or a step back changes the address without typing
  const text = typed.shown === view.q ? typed.text : view.q
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (to: Partial<SearchView>) => setAddress((current) => addressOf({ ...viewOf(current), ...to }), { replace: true })
  const search = (now: string) => {
    setTyped({ text: now, shown: view.q })
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        setTyped({ text: now, shown: now.trim() })
        change({ q: now.trim() })
      },
      now.trim() === '' ? 0 : pause,
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the results inside
    <div className={css.page} onKeyDown={handleKeys}>
      <Head title={t('title')} search={text} onSearch={search} hint={t('hint')} autoFocus={view.q === ''} />
      <SearchFilters view={view} onChange={change} />
      {isComplete(view) ? (
        <SearchResults view={view} onChange={change} onSearch={search} />
      ) : (
        <Empty icon={<Search size={20} />} title={t('start')} action={<RecentSearches />}>
          {t('startText')}
        </Empty>
      )}
    </div>
  )
}

/** Arrow keys move from the box through the results and back; Escape returns to the box. */
function handleKeys(event: KeyboardEvent<HTMLElement>): void {
  const page = event.currentTarget
  const box = page.querySelector<HTMLInputElement>('input[type=search]')
  const stops = [...page.querySelectorAll<HTMLElement>('[data-part=found-message], [data-part=found-more]')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (at < 0 && event.target !== box) return
  const to = { ArrowDown: stops[at + 1], ArrowUp: at < 0 ? undefined : (stops[at - 1] ?? box), Escape: at < 0 ? undefined : box }[event.key]
  if (!to) return
  event.preventDefault()
  event.stopPropagation()
  to.focus()
  to.scrollIntoView({ block: 'nearest' })
}

const pane = () => document.getElementById('content')

function useSearch(view: SearchView) {
  const filter = filterOf(view)
  const key = JSON.stringify(filter)
  const search = useAtomValue(searchAtom)
  const find = useSetAtom(findAtom)
  const more = useSetAtom(moreAtom)
  const remember = useSetAtom(rememberSearchAtom)
  const { state, key: shownKey } = search
  const addressText = new URLSearchParams(addressOf(view)).toString()
  useEffect(() => void find(JSON.parse(key) as MessageFilter), [key, find])
  useEffect(() => {
    if (state === 'ready' && shownKey === key) remember(addressText)
  }, [state, shownKey, key, addressText, remember])
  return { search, filter, key, find, more }
}

function SearchResults({
  view,
  onChange,
  onSearch,
}: {
  view: SearchView
  onChange: (to: Partial<SearchView>) => void
  onSearch: (text: string) => void
}) {
  const t = useWords(searchWords)
  const { search, filter, key, find, more } = useSearch(view)
  const setScrolled = useSetAtom(scrolledAtom)
  useReturn(key, search.results !== null && search.state === 'ready')
  const open = ({ ticket }: FoundTicketRow, { id }: FoundMessage) => {
    setScrolled({ key, top: pane()?.scrollTop ?? 0, messageId: id })
    void jumpTo(ticket.id, id, searchTerms(view.q))
  }
  const { results, state } = search
  if (state === 'failed') return <ErrorView error={search.error} onRetry={() => find(filter, true)} />
  if (!results) return <Skeleton rows={8} height={72} avatar />
  if (results.tickets.length === 0 && state === 'ready') return <NoneFound view={view} onChange={onChange} onSearch={onSearch} />
  return (
    <div aria-busy={state === 'loading'} className={state === 'loading' ? css.old : undefined}>
      <Count results={results} />
      <section aria-label={t('results')}>
        {results.tickets.map((found) => (
          <FoundTicket
            key={found.ticket.id}
            found={found}
            isLoading={search.loading === found.ticket.id}
            onOpen={open}
            onMore={(ticketId) => void more(filter, ticketId)}
          />
        ))}
      </section>
      <More list={nextResults} />
    </div>
  )
}

/** After a step back from a ticket, the results are where they were, and the opened one has the focus. */
function useReturn(key: string, isShown: boolean): void {
  const scrolled = useAtomValue(scrolledAtom)
  const setScrolled = useSetAtom(scrolledAtom)
  useLayoutEffect(() => {
    if (!isShown || scrolled === null) return
    if (scrolled.key === key) {
      pane()?.scrollTo({ top: scrolled.top, behavior: 'instant' })
      document.querySelector<HTMLElement>(`[data-part=found-message][data-message="${scrolled.messageId}"]`)?.focus({ preventScroll: true })
    }
    setScrolled(null)
  }, [isShown, key, scrolled, setScrolled])
}

function Count({ results: { count, isCountCapped } }: { results: Results }) {
  const t = useWords(searchWords)
  const language = useLanguage()
  const n = amount(count ?? 0, language)
  return (
    <p className={`${css.count} nums`} role="status" data-part="found-count">
      {isCountCapped ? t('foundMore', { n }) : count === 1 ? t('foundOne') : t('found', { n })}
    </p>
  )
}

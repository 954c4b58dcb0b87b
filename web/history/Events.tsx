import { Button, InputGroup } from '@blueprintjs/core'
import { Code, Search, WarningSign } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { automationWords, reasonWords } from '#web/automation/words.ts'
import { useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { dayOf } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import { zoneAtom } from '#web/ui/zone.ts'
import type { HistoryReplay } from './atoms.ts'
import { Copy } from './Copy.tsx'
import css from './Events.module.css'
import { factWords } from './fact-words.ts'
import { upTo } from './playback.ts'
import type { LoadedHistory } from './records.ts'
import { Stored } from './Stored.tsx'
import { actor, broken, matches, reasoned, sentence } from './tell.ts'
import { historyWords } from './words.ts'

const settledMs = 150

/** Every event: actor, type, time, and the hash that links it to the one before. */
export function Events({ of, ticketHistory }: { of: HistoryReplay; ticketHistory: LoadedHistory }) {
  const t = useWords(historyWords)
  const position = useAtomValue(of.position)
  const seek = useSetAtom(of.seek)
  const list = useRef<VirtuosoHandle>(null)
  useAtomValue(zoneAtom)
  const [raw, setRaw] = useState<HistoryEvent | null>(null)
  const { events, isDoubted, filter, setFilter } = useFilteredEvents(ticketHistory)
  const at = ticketHistory.events[position - 1]?.revision ?? -1
  const now = events.findLastIndex(({ revision }) => revision <= at)
  useEffect(() => {
    const show = () => list.current?.scrollIntoView({ index: Math.max(0, now) })
    show()
    const again = setTimeout(show, settledMs) // a jump to rows that were not measured yet may stop too early
    return () => clearTimeout(again)
  }, [now])
  return (
    <aside className={css.events} data-toasts aria-label={t('events')}>
      <FilterFields
        filter={filter}
        onChange={setFilter}
        events={ticketHistory.events}
        offersDoubted={ticketHistory.events.some(isDoubted)}
      />
      {events.length === 0 && <p className={css.none}>{t('noneFound')}</p>}
      <Virtuoso
        ref={list}
        data={events}
        initialTopMostItemIndex={{ index: Math.max(0, now), align: 'center' }}
        computeItemKey={(_, { id }) => id}
        itemContent={(index, event) => (
          <Fact
            event={event}
            ticketHistory={ticketHistory}
            newDay={index === 0 || dayOf(events[index - 1]!.at) !== dayOf(event.at)}
            when={event.revision === at ? 'now' : event.revision < at ? 'past' : 'future'}
            doubted={isDoubted(event)}
            onChoose={() => seek(upTo(ticketHistory.events, event.revision))}
            onOpen={() => setRaw(event)}
          />
        )}
      />
      {raw && <Stored event={raw} ticketHistory={ticketHistory} onClose={() => setRaw(null)} />}
    </aside>
  )
}

type Filter = { text: string; who: string; onlyDoubted: boolean }
/** The events that match the filter. An event is doubted if its hash, or one before, does not match. */
function useFilteredEvents(ticketHistory: LoadedHistory) {
  const t = useWords(historyWords)
  const tFact = useWords(factWords)
  const [filter, setFilter] = useState<Filter>({ text: '', who: '', onlyDoubted: false })
  const { chain } = ticketHistory
  const isDoubted = useCallback(
    ({ revision, fault }: HistoryEvent) => fault !== null || (broken(chain) && revision >= (chain?.brokenAt ?? 0)),
    [chain],
  )
  const events = useMemo(() => {
    const { text, who, onlyDoubted } = filter
    return ticketHistory.events.filter(
      (event) =>
        (who === '' || actor(event.by, t) === who) &&
        (!onlyDoubted || isDoubted(event)) &&
        (text.trim() === '' || matches(event, text, `${sentence(event, ticketHistory, tFact)} ${actor(event.by, t)}`)),
    )
  }, [ticketHistory, isDoubted, filter, t, tFact])
  return { events, isDoubted, filter, setFilter }
}

type FilterProps = { filter: Filter; onChange: (filter: Filter) => void; events: HistoryEvent[]; offersDoubted: boolean }
function FilterFields({ filter, onChange, events, offersDoubted }: FilterProps) {
  const t = useWords(historyWords)
  const actors = useMemo(() => [...new Set(events.map((event) => actor(event.by, t)))].sort(compareNames), [events, t])
  const { onlyDoubted } = filter
  return (
    <div className={css.find}>
      <InputGroup
        type="search"
        size="small"
        leftIcon={<Search />}
        placeholder={t('find')}
        aria-label={t('find')}
        value={filter.text}
        onValueChange={(text) => onChange({ ...filter, text })}
      />
      <HTMLSelect
        aria-label={t('agent')}
        value={filter.who}
        options={[{ value: '', label: t('anyAgent') }, ...actors]}
        onChange={({ currentTarget }) => onChange({ ...filter, who: currentTarget.value })}
      />
      {offersDoubted && (
        <Button
          size="small"
          text={t('doubtful')}
          active={onlyDoubted}
          aria-pressed={onlyDoubted}
          onClick={() => onChange({ ...filter, onlyDoubted: !onlyDoubted })}
        />
      )}
    </div>
  )
}

type Of = {
  event: HistoryEvent
  ticketHistory: LoadedHistory
  newDay: boolean
  when: 'now' | 'past' | 'future'
  doubted: boolean
} & Record<'onChoose' | 'onOpen', () => void>
const Fact = memo(
  ({ event, ticketHistory, newDay, when, doubted, onChoose, onOpen }: Of) => {
    const t = useWords(historyWords)
    const tFact = useWords(factWords)
    const why = reasoned(event, useWords(automationWords), useWords(reasonWords))
    return (
      <>
        {newDay && <Time at={event.at} as="day" className={css.day} />}
        <div
          className={css.fact}
          data-part="fact"
          data-when={when}
          data-doubted={doubted || undefined}
          aria-current={when === 'now' ? 'step' : undefined}
        >
          <button type="button" className={css.choose} onClick={onChoose}>
            <span className={css.line}>
              {event.fault && <WarningSign size={12} className={css.fault!} />}
              <span className={css.what} dir="auto">
                {sentence(event, ticketHistory, tFact)}
              </span>
              <Time at={event.at} as="clock" className={css.at} />
            </span>
            <span className={css.who} data-part="fact-who">
              {actor(event.by, t)}
              {event.fault && <strong className={css.fault}> · {t(`fault_${event.fault}`)}</strong>}
            </span>
            {why && (
              <span className={css.why} data-part="fact-why">
                {why}
              </span>
            )}
          </button>
          <Button
            variant="minimal"
            size="small"
            className={css.raw!}
            icon={<Code />}
            aria-label={t('stored', { record: event.revision + 1 })}
            title={t('stored', { record: event.revision + 1 })}
            onClick={onOpen}
          />
          <Copy text={event.hash} label={`${t('copyHash')} ${event.hash.slice(0, 8)}`}>
            {event.hash.slice(0, 8)}
          </Copy>
        </div>
      </>
    )
  },
  (a, b) => a.event === b.event && a.when === b.when && a.doubted === b.doubted && a.newDay === b.newDay,
)
Fact.displayName = 'Fact'

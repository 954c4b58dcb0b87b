import { useAtomValue } from 'jotai'
import { type RefObject, useEffect, useRef } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { automationWords, reasonWords } from '#web/automation/words.ts'
import { useWords } from '#web/i18n.ts'
import { dayOf } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import { zoneAtom } from '#web/ui/zone.ts'
import type { HistoryReplay } from './atoms.ts'
import { Bubble, Note } from './Bubble.tsx'
import { factWords } from './fact-words.ts'
import type { LoadedHistory } from './records.ts'
import css from './Thread.module.css'
import { about, reasoned, sentence } from './tell.ts'
import type { ReplayEntry } from './then.ts'
import { historyWords } from './words.ts'

/** Measuring rows moves the target, so it scrolls again until the target stays in view. */
function keepInView(pane: HTMLElement, list: RefObject<VirtuosoHandle | null>, index: number): () => void {
  let [left, still] = [240, 0]
  let frame = 0
  const look = () => {
    const item = pane.querySelector(`[data-index="${index}"]`)
    const [room, box] = [pane.getBoundingClientRect(), item?.getBoundingClientRect()]
    const seen = box && box.top >= room.top - 1 && box.bottom <= room.bottom + 1
    still = seen ? still + 1 : 0
    if (!item || !box || box.top >= room.bottom || box.bottom <= room.top) list.current?.scrollToIndex({ index, align: 'center' })
    else if (!seen) item.scrollIntoView({ block: box.height > room.height ? 'start' : 'nearest' })
    left -= 1
    if (left > 0 && still < 40) frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

/** The conversation at the replayed position. The message of the last event is marked. */
export function Thread({ of, ticketHistory }: { of: HistoryReplay; ticketHistory: LoadedHistory }) {
  const t = useWords(historyWords)
  const { entries } = useAtomValue(of.scene)
  const position = useAtomValue(of.position)
  const list = useRef<VirtuosoHandle>(null)
  useAtomValue(zoneAtom)
  const event = ticketHistory.events[position - 1]
  const touched = event ? about(event) : { message: null, note: null }
  const isTouched = (entry: ReplayEntry) =>
    entry.type === 'turn' ? entry.revision === event?.revision : entry.id === (entry.type === 'note' ? touched.note : touched.message)
  const at = entries.findLastIndex(isTouched)
  const targetIndex = at >= 0 ? at : entries.length - 1
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every step scrolls to the message that it changed
  useEffect(() => keepInView(pane.current!, list, Math.max(0, targetIndex)), [position, targetIndex])
  return (
    <section ref={pane} className={css.thread} data-toasts aria-label={t('conversation')}>
      {entries.length === 0 ? (
        <p className={css.nothing}>{t('nothingYet')}</p>
      ) : (
        <Virtuoso
          ref={list}
          data={entries}
          alignToBottom
          initialTopMostItemIndex={{ index: Math.max(0, targetIndex), align: 'end' }}
          computeItemKey={(_, entry) => `${entry.type}-${entry.type === 'turn' ? entry.revision : entry.id}`}
          itemContent={(index, entry) => (
            <div className={css.entry} data-touched={index === at || undefined}>
              {dayOf(momentOf(entry, ticketHistory)) !== (entries[index - 1] && dayOf(momentOf(entries[index - 1]!, ticketHistory))) && (
                <p className={css.day}>
                  <Time at={momentOf(entry, ticketHistory)} as="day" />
                </p>
              )}
              <One entry={entry} ticketHistory={ticketHistory} entries={entries} />
            </div>
          )}
        />
      )}
    </section>
  )
}

/** With a missing event, the index of later events differs from their revision. */
const eventOf = (revision: number, { events }: LoadedHistory): HistoryEvent => {
  const there = events[revision]
  return there?.revision === revision ? there : events.find((one) => one.revision === revision)!
}
const momentOf = (entry: ReplayEntry, ticketHistory: LoadedHistory): string =>
  entry.type === 'turn' ? eventOf(entry.revision, ticketHistory).at : entry.at

function One({ entry, ticketHistory, entries }: { entry: ReplayEntry; ticketHistory: LoadedHistory; entries: readonly ReplayEntry[] }) {
  if (entry.type === 'note') return <Note note={entry} />
  if (entry.type === 'turn') return <Turned event={eventOf(entry.revision, ticketHistory)} ticketHistory={ticketHistory} />
  const quoted = entry.quotedId === null ? undefined : entries.find((one) => one.type === 'message' && one.id === entry.quotedId)
  return <Bubble line={entry} ticketHistory={ticketHistory} {...(quoted?.type === 'message' && { quoted })} />
}

function Turned({ event, ticketHistory }: { event: HistoryEvent; ticketHistory: LoadedHistory }) {
  const tFact = useWords(factWords)
  const why = reasoned(event, useWords(automationWords), useWords(reasonWords))
  return (
    <p className={css.turn}>
      {sentence(event, ticketHistory, tFact)} {why && `· ${why}`} · <Time at={event.at} as="hour" />
    </p>
  )
}

import { Clipboard, Tick } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { memo, useEffect, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { useWords } from '#web/i18n.ts'
import { dayOf } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import type { Recorder, Told } from './atoms.ts'
import { actor, sentence } from './tell.ts'
import { factWords, historyWords } from './words.ts'

/** Every fact: who, what, when, and the hash that ties it to the one before. */
export function Events({ of, told }: { of: Recorder; told: Told }) {
  const say = useWords(historyWords)
  const position = useAtomValue(of.position)
  const seek = useSetAtom(of.seek)
  const list = useRef<VirtuosoHandle>(null)
  const { events, chain } = told
  useEffect(() => list.current?.scrollIntoView({ index: Math.max(0, position - 1) }), [position])
  return (
    <aside className="replay-events" aria-label={say('events')}>
      <Virtuoso
        ref={list}
        data={events}
        initialTopMostItemIndex={{ index: Math.max(0, position - 1), align: 'center' }}
        computeItemKey={(_, { id }) => id}
        itemContent={(index, event) => (
          <Fact
            event={event}
            told={told}
            newDay={index === 0 || dayOf(events[index - 1]!.at) !== dayOf(event.at)}
            when={index === position - 1 ? 'now' : index < position ? 'past' : 'future'}
            doubted={!chain.holds && event.revision >= (chain.brokenAt ?? 0)}
            onChoose={() => seek(index + 1)}
          />
        )}
      />
    </aside>
  )
}

type Of = { event: HistoryEvent; told: Told; newDay: boolean; when: 'now' | 'past' | 'future'; doubted: boolean; onChoose: () => void }
const Fact = memo(
  ({ event, told, newDay, when, doubted, onChoose }: Of) => {
    const say = useWords(historyWords)
    const fact = useWords(factWords)
    return (
      <>
        {newDay && <Time at={event.at} as="day" className="fact-day" />}
        <div className={`fact fact-${when} ${doubted ? 'fact-doubted' : ''}`} aria-current={when === 'now' ? 'step' : undefined}>
          <button type="button" className="fact-choose" onClick={onChoose}>
            <span className="fact-line">
              <span className="fact-what">{sentence(event, told, fact)}</span>
              <Time at={event.at} as="clock" className="fact-at" />
            </span>
            <span className="fact-who">{actor(event.by, say)}</span>
          </button>
          <Hash hash={event.hash} />
        </div>
      </>
    )
  },
  (a, b) => a.event === b.event && a.when === b.when && a.doubted === b.doubted && a.newDay === b.newDay,
)
Fact.displayName = 'Fact'

function Hash({ hash }: { hash: string }) {
  const say = useWords(historyWords)
  const ui = useWords(uiWords)
  const [copied, tell] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(hash)
    tell(true)
    setTimeout(() => tell(false), 1200)
  }
  return (
    <button
      type="button"
      className="fact-hash"
      title={hash}
      aria-label={copied ? ui('copied') : `${say('copyHash')} ${hash.slice(0, 8)}`}
      onClick={() => void copy()}
    >
      {hash.slice(0, 8)}
      {copied ? <Tick size={12} /> : <Clipboard size={12} />}
    </button>
  )
}

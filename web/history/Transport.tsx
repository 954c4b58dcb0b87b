import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useKeys } from '#web/ui/keys.ts'
import { displayZone, offsetAt } from '#web/ui/moment.ts'
import { Player } from '#web/ui/Player.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { HistoryReplay } from './atoms.ts'
import { factWords } from './fact-words.ts'
import type { LoadedHistory } from './records.ts'
import { speeds } from './replay.ts'
import css from './Transport.module.css'
import { sentence } from './tell.ts'
import { historyWords } from './words.ts'

/** The position in the history: a slider over its events, and a player. */
export function Transport({ of, ticketHistory }: { of: HistoryReplay; ticketHistory: LoadedHistory }) {
  const t = useWords(historyWords)
  const tFact = useWords(factWords)
  const language = useLanguage()
  const position = useAtomValue(of.position)
  const seek = useSetAtom(of.seek)
  const [playing, setPlaying] = useAtom(of.play)
  const [speed, setSpeed] = useAtom(of.speed)
  const all = ticketHistory.events.length
  const event = ticketHistory.events[position - 1]
  // revisions, which reveal missing events
  const place = `${event ? event.revision + 1 : 0} / ${(ticketHistory.events.at(-1)?.revision ?? -1) + 1}`
  useKeys(t('title'), [
    { keys: ' ', label: t(playing ? 'stop' : 'play'), run: () => setPlaying(!playing) },
    { keys: 'ArrowLeft', label: t('earlier'), run: () => seek(position - 1) },
    { keys: 'ArrowRight', label: t('later'), run: () => seek(position + 1) },
    { keys: 'Home', label: t('first'), run: () => seek(0) },
    { keys: 'End', label: t('last'), run: () => seek(all) },
  ])
  const told = event ? sentence(event, ticketHistory, tFact) : ''
  return (
    <footer className={css.footer}>
      <Player
        {...{ position, last: all, speed, speeds }}
        isPlaying={playing}
        valueText={event ? `${place}: ${told}` : t('first')}
        texts={{ earlier: t('earlier'), later: t('later'), play: t('play'), stop: t('stop'), position: t('position'), speed: t('speed') }}
        onSeek={seek}
        onPlay={setPlaying}
        onSpeed={setSpeed}
      >
        <span className="nums">{place}</span>
        {event && (
          <>
            <Time at={event.at} as="date" /> <Time at={event.at} as="clock" />
            <span title={displayZone()}>{offsetAt(event.at, language)}</span>
            <span className={css.what} title={told}>
              {told}
            </span>
          </>
        )}
      </Player>
    </footer>
  )
}

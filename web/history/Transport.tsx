import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, Pause, Play } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useKeys } from '#web/ui/keys.ts'
import { displayZone, offsetAt } from '#web/ui/moment.ts'
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
  return (
    <footer className={css.transport}>
      <div className={css.buttons}>
        <Button
          variant="minimal"
          icon={<ChevronLeft />}
          aria-label={t('earlier')}
          disabled={position === 0}
          onClick={() => seek(position - 1)}
        />
        <Button
          intent="primary"
          className={css.play!}
          icon={playing ? <Pause /> : <Play />}
          aria-label={t(playing ? 'stop' : 'play')}
          onClick={() => setPlaying(!playing)}
        />
        <Button
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={t('later')}
          disabled={position === all}
          onClick={() => seek(position + 1)}
        />
      </div>
      <div className={css.line}>
        <p className={css.now}>
          <span className="nums">{place}</span>
          {event && (
            <>
              <Time at={event.at} as="date" /> <Time at={event.at} as="clock" />
              <span title={displayZone()}>{offsetAt(event.at, language)}</span>
              <span className={css.what} title={sentence(event, ticketHistory, tFact)}>
                {sentence(event, ticketHistory, tFact)}
              </span>
            </>
          )}
        </p>
        <input
          type="range"
          min={0}
          max={all}
          value={position}
          aria-label={t('position')}
          aria-valuetext={event ? `${place}: ${sentence(event, ticketHistory, tFact)}` : t('first')}
          style={{ '--done': `${all === 0 ? 0 : (position / all) * 100}%` } as object}
          onChange={({ target }) => seek(Number(target.value))}
        />
      </div>
      <div className={css.speeds} role="radiogroup" aria-label={t('speed')}>
        {speeds.map((one) => (
          // biome-ignore lint/a11y/useSemanticElements: one row of small buttons
          <button key={one} type="button" role="radio" aria-checked={speed === one} className="nums" onClick={() => setSpeed(one)}>
            {one}×
          </button>
        ))}
      </div>
    </footer>
  )
}

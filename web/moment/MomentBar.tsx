import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DashboardFilters, dashboard } from '#domain/dashboard/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { badEntry, badEntryType } from '#web/ui/bad-entry.ts'
import { badEntryText } from '#web/ui/check.ts'
import { EntryInput } from '#web/ui/EntryInput.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { dayOf, today, weekdayAndHour } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import { Player } from '#web/ui/Player.tsx'
import { pickedAtom } from './atoms.ts'
import { Film } from './Film.tsx'
import css from './MomentBar.module.css'
import { momentOf, onDay, pace, speeds, stepMs, stepsOfDay } from './steps.ts'
import { useMoment } from './use-moment.ts'
import { momentWords } from './words.ts'

/** Milliseconds without a movement after which the address takes the moment of the slider. */
const restMs = 300

/** Says that a past moment is shown, and chooses it: a slider over the day, a player, and a chart of the day (A-PAST-03). */
export function MomentBar({ moment, filters, isChartOpen }: { moment: string; filters: DashboardFilters; isChartOpen: boolean }) {
  const t = useWords(momentWords)
  const language = useLanguage()
  const until = useAtomValue(nowAtom)
  const canSeeFilm = useMay(dashboard.film)
  const { pick, goLive } = useMoment()
  const [isBad, setIsBad] = useState(false)
  const steps = stepsOfDay(dayOf(moment), until)
  const position = Math.min(steps.last, Math.floor((Date.parse(moment) - steps.begins) / stepMs))
  const seek = (to: number) => pick(momentOf(steps, to))
  const { isPlaying, setPlaying, speed, setSpeed, stopAt } = usePlayback(position, steps.last, seek)
  const leave = () => {
    goLive()
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-part=moment-button]')?.focus())
  }
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    // the button that led here is gone, and its focus with it
    if (document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('input[type=range]')?.focus({ preventScroll: true })
  }, [])
  useAddress()
  useKeys(t('name'), [
    { keys: 'Escape', label: t('live'), run: leave },
    { keys: ' ', label: t(isPlaying ? 'stop' : 'play'), run: () => setPlaying(!isPlaying) },
    { keys: 'ArrowLeft', label: t('earlier'), run: () => stopAt(position - 1) },
    { keys: 'ArrowRight', label: t('later'), run: () => stopAt(position + 1) },
    { keys: 'Home', label: t('first'), run: () => stopAt(0) },
    { keys: 'End', label: t('last'), run: () => stopAt(steps.last) },
  ])
  const shown = weekdayAndHour(moment, language)
  return (
    <section ref={box} className={css.bar} aria-label={t('name')} data-part="moment-bar">
      <div className={css.banner}>
        <strong className="nums">{shown}</strong>
        <p role="status">{t('past')}</p>
        <label className={css.day}>
          <span>{t('day')}</span>
          <EntryInput
            type="date"
            className="bp6-input"
            max={today()}
            value={isBad ? badEntry('date') : steps.day}
            aria-invalid={isBad}
            onEntry={(value) => {
              setPlaying(false)
              setIsBad(badEntryType(value) !== null)
              if (!badEntryType(value) && value !== '' && value <= today()) pick(onDay(moment, value, until))
            }}
          />
        </label>
        {isBad && <span role="alert">{badEntryText('date')}</span>}
        <Button intent="primary" text={t('live')} onClick={leave} />
      </div>
      <Player
        {...{ position, last: steps.last, isPlaying, speed, speeds }}
        valueText={shown}
        texts={{ earlier: t('earlier'), later: t('later'), play: t('play'), stop: t('stop'), position: t('position'), speed: t('speed') }}
        onSeek={stopAt}
        onPlay={setPlaying}
        onSpeed={setSpeed}
      />
      {canSeeFilm && <Film steps={steps} filters={filters} position={position} isOpen={isChartOpen} onPick={stopAt} />}
    </section>
  )
}

/** Steps through the day. Playing at the end begins anew, and a jump by hand stops it. */
function usePlayback(position: number, last: number, seek: (to: number) => void) {
  const [isStarted, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<(typeof speeds)[number]>(2)
  const isPlaying = isStarted && position < last
  const step = useEffectEvent(() => seek(position + 1))
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setInterval(() => step(), 1000 / (pace * speed))
    return () => clearInterval(timer)
  }, [isPlaying, speed])
  return {
    ...{ isPlaying, speed, setSpeed },
    setPlaying: (on: boolean) => {
      if (on && position >= last) seek(0)
      setPlaying(on)
    },
    stopAt: (to: number) => {
      setPlaying(false)
      seek(to)
    },
  }
}

/** Writes the chosen moment into the address when the slider rests. Leaving the screen forgets it. */
function useAddress(): void {
  const { picked, write } = useMoment()
  const forget = useSetAtom(pickedAtom)
  const keep = useEffectEvent((moment: string) => write(moment))
  useEffect(() => {
    if (picked === null) return undefined
    const timer = setTimeout(() => keep(picked), restMs)
    return () => clearTimeout(timer)
  }, [picked])
  useEffect(() => () => forget(null), [forget])
}

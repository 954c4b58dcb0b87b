import { Button } from '@blueprintjs/core'
import { Pause, Play, Refresh } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { useRef, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { speedAtom, speeds } from '#web/message/atoms.ts'
import { messageWords } from '#web/message/words.ts'
import { useArrival } from './arrival.ts'
import css from './Player.module.css'
import { duration } from './parts.ts'

/** Nobody listens to two at once: who begins silences the one before. */
let heard: HTMLAudioElement | null = null
function begin(audio: HTMLAudioElement): void {
  if (heard !== audio) heard?.pause()
  heard = audio
}

/** R-AUDIO-03: half to double speed, the last one chosen stays. */
export function Player({ url, seconds, us }: { url: string; seconds: number | null; us: boolean }) {
  const say = useWords(messageWords)
  const audio = useRef<HTMLAudioElement>(null)
  const { turn, state, again, handlers } = useArrival()
  const [playing, plays] = useState(false)
  const [at, reach] = useState(0)
  const [length, measure] = useState(seconds ?? 0)
  const [speed, choose] = useAtom(speedAtom)
  const measured = () => {
    const { duration: measuredSeconds } = audio.current!
    if (Number.isFinite(measuredSeconds)) measure(measuredSeconds)
  }
  const toggle = () => {
    const { current } = audio
    if (!current) return
    current.playbackRate = speed
    if (current.paused) void current.play().catch(() => plays(false))
    else current.pause()
  }
  const next = () => {
    const to = speeds[((speeds as readonly number[]).indexOf(speed) + 1) % speeds.length]!
    choose(to)
    if (audio.current) audio.current.playbackRate = to
  }
  if (state === 'failed')
    return <Button variant="minimal" className={css.broken!} icon={<Refresh />} text={say('audioFailed')} onClick={again} />
  return (
    <div className={css.player} data-us={us || undefined}>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has no captions */}
      <audio
        key={turn}
        ref={audio}
        src={url}
        preload="metadata"
        onError={() => {
          plays(false)
          handlers.onError()
        }}
        onLoadedMetadata={measured}
        onDurationChange={measured}
        onPlay={({ currentTarget }) => {
          begin(currentTarget)
          plays(true)
        }}
        onPause={() => plays(false)}
        onEnded={() => reach(0)}
        onTimeUpdate={({ currentTarget }) => reach(currentTarget.currentTime)}
      />
      <Button
        variant="minimal"
        icon={playing ? <Pause size={18} /> : <Play size={18} />}
        aria-label={say(playing ? 'pause' : 'play')}
        onClick={toggle}
      />
      <input
        type="range"
        aria-label={say('position')}
        min={0}
        max={Math.max(length, at, 0.1)}
        step={0.1}
        value={at}
        style={{ '--played': `${(at / Math.max(length, at, 0.1)) * 100}%` } as object}
        onChange={({ target }) => {
          if (audio.current) audio.current.currentTime = Number(target.value)
          reach(Number(target.value))
        }}
      />
      <span className={`${css.time} nums`}>{duration(playing || at > 0 ? at : length)}</span>
      <button
        type="button"
        className={`${css.speed} nums`}
        aria-label={say('speed', { n: speed })}
        title={say('speed', { n: speed })}
        onClick={next}
      >
        {speed}×
      </button>
    </div>
  )
}

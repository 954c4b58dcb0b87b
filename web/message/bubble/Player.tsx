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

/** Only one recording plays at a time: a new one pauses the previous. */
let playing: HTMLAudioElement | null = null
function begin(audio: HTMLAudioElement): void {
  if (playing !== audio) playing?.pause()
  playing = audio
}

/** R-AUDIO-03: half to double speed; the last choice is kept. */
export function Player({ url, seconds, us }: { url: string; seconds: number | null; us: boolean }) {
  const t = useWords(messageWords)
  const audio = useRef<HTMLAudioElement>(null)
  const { turn, state, again, handlers } = useArrival()
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(seconds ?? 0)
  const [speed, setSpeed] = useAtom(speedAtom)
  const handleDurationChange = () => {
    const { duration: measuredSeconds } = audio.current!
    if (Number.isFinite(measuredSeconds)) setLength(measuredSeconds)
  }
  const handleToggle = () => {
    const { current } = audio
    if (!current) return
    current.playbackRate = speed
    if (current.paused) void current.play().catch(() => setPlaying(false))
    else current.pause()
  }
  const handleNext = () => {
    const to = speeds[((speeds as readonly number[]).indexOf(speed) + 1) % speeds.length]!
    setSpeed(to)
    if (audio.current) audio.current.playbackRate = to
  }
  if (state === 'failed')
    return <Button variant="minimal" className={css.broken!} icon={<Refresh />} text={t('audioFailed')} onClick={again} />
  return (
    <div className={css.player} data-us={us || undefined}>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has no captions */}
      <audio
        key={turn}
        ref={audio}
        src={url}
        preload="metadata"
        onError={() => {
          setPlaying(false)
          handlers.onError()
        }}
        onLoadedMetadata={handleDurationChange}
        onDurationChange={handleDurationChange}
        onPlay={({ currentTarget }) => {
          begin(currentTarget)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
      <Button
        variant="minimal"
        icon={playing ? <Pause size={18} /> : <Play size={18} />}
        aria-label={t(playing ? 'pause' : 'play')}
        onClick={handleToggle}
      />
      <input
        type="range"
        aria-label={t('position')}
        min={0}
        max={Math.max(length, at, 0.1)}
        step={0.1}
        value={at}
        style={{ '--played': `${(at / Math.max(length, at, 0.1)) * 100}%` } as object}
        onChange={({ target }) => {
          if (audio.current) audio.current.currentTime = Number(target.value)
          setAt(Number(target.value))
        }}
      />
      <span className={`${css.time} nums`}>{duration(playing || at > 0 ? at : length)}</span>
      <button
        type="button"
        className={`${css.speed} nums`}
        aria-label={t('speed', { n: speed })}
        title={t('speed', { n: speed })}
        onClick={handleNext}
      >
        {speed}×
      </button>
    </div>
  )
}

import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, Pause, Play } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import css from './Player.module.css'

export type PlayerTexts = { earlier: string; later: string; play: string; stop: string; position: string; speed: string }

/** A slider over positions from 0 to `last`, with steps, play and speed. `children`: the line above the slider. */
export function Player<Speed extends number>({
  position,
  last,
  valueText,
  isPlaying,
  speed,
  speeds,
  texts,
  onSeek,
  onPlay,
  onSpeed,
  children,
}: {
  position: number
  last: number
  /** The position as a text, for assistive technology. */
  valueText: string
  isPlaying: boolean
  speed: Speed
  speeds: readonly Speed[]
  texts: PlayerTexts
  onSeek: (position: number) => void
  onPlay: (isPlaying: boolean) => void
  onSpeed: (speed: Speed) => void
  children?: ReactNode
}) {
  const { earlier, later, play, stop } = texts
  return (
    <div className={css.transport}>
      <div className={css.buttons}>
        <Button
          variant="minimal"
          icon={<ChevronLeft />}
          aria-label={earlier}
          disabled={position === 0}
          onClick={() => onSeek(position - 1)}
        />
        <Button
          intent="primary"
          className={css.play!}
          icon={isPlaying ? <Pause /> : <Play />}
          aria-label={isPlaying ? stop : play}
          onClick={() => onPlay(!isPlaying)}
        />
        <Button
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={later}
          disabled={position >= last}
          onClick={() => onSeek(position + 1)}
        />
      </div>
      <div className={css.line}>
        {children && <p className={css.now}>{children}</p>}
        <input
          type="range"
          min={0}
          max={last}
          value={position}
          aria-label={texts.position}
          aria-valuetext={valueText}
          style={{ '--done': `${last === 0 ? 0 : (position / last) * 100}%` } as object}
          onChange={({ target }) => onSeek(Number(target.value))}
        />
      </div>
      <div className={css.speeds} role="radiogroup" aria-label={texts.speed}>
        {speeds.map((one) => (
          // biome-ignore lint/a11y/useSemanticElements: one row of small buttons
          <button key={one} type="button" role="radio" aria-checked={speed === one} className="nums" onClick={() => onSpeed(one)}>
            {one}×
          </button>
        ))}
      </div>
    </div>
  )
}

import { useAtom } from 'jotai'
import { type RefObject, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import css from './Composer.module.css'
import { fieldHeightAtom, fittedHeight, leastHeight, mostHeight } from './field-height.ts'
import { fieldWords } from './field-words.ts'
import { chatHeight } from './textHeight.ts'

const step = 20
const keys: Record<string, (now: number, most: number) => number> = {
  ArrowUp: (now) => now + step,
  ArrowDown: (now) => now - step,
  Home: () => leastHeight,
  End: (_, most) => most,
}

/** The upper edge of the composer, which makes the field higher or lower; a double click lets it follow its text again. */
export function Resizer({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const t = useWords(fieldWords)
  const [chosen, setChosen] = useAtom(fieldHeightAtom)
  const [most, setMost] = useState<number | null>(null)
  const now = () => field.current?.offsetHeight ?? leastHeight
  const choose = (height: number) => setChosen(fittedHeight(height, chatHeight(field.current)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a handle that moves, not a line
    <div
      role="separator"
      tabIndex={0}
      className={css.handle}
      aria-orientation="horizontal"
      aria-label={t('resize')}
      title={t('resizeHint')}
      aria-valuemin={leastHeight}
      {...(most !== null && { 'aria-valuemax': most })}
      aria-valuenow={chosen ?? leastHeight}
      onFocus={() => setMost(mostHeight(chatHeight(field.current)))}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        const { currentTarget: handle, clientY: from, pointerId } = event
        const before = now()
        handle.setPointerCapture(pointerId)
        const move = ({ clientY }: PointerEvent) => choose(before + from - clientY)
        handle.addEventListener('pointermove', move)
        handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
      }}
      onDoubleClick={() => setChosen(null)}
      onKeyDown={(event) => {
        const to = keys[event.key]
        if (!to) return
        event.preventDefault()
        choose(to(now(), mostHeight(chatHeight(field.current))))
      }}
    />
  )
}

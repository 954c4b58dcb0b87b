import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import css from './DropFiles.module.css'

const carried = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/**
 * Accepts files dropped anywhere on the chat. A drop beside it is ignored, so that the browser does not open the
 * file.
 */
export function DropFiles({ on, onFiles }: { on: boolean; onFiles: (files: File[]) => void }) {
  const t = useWords(messageWords)
  const [over, setOver] = useState<Element | null>(null)
  const mark = useRef<HTMLSpanElement>(null)
  const given = useEffectEvent((files: File[]) => on && onFiles(files))
  useEffect(() => {
    const chat = () => mark.current?.closest('[data-part=chat]') ?? null
    const inside = ({ target }: DragEvent) => target instanceof Node && (chat()?.contains(target) ?? false)
    const drag = (event: DragEvent) => {
      if (!carried(event)) return
      event.preventDefault()
      setOver(inside(event) ? chat() : null)
    }
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(null)
    const drop = (event: DragEvent) => {
      if (!carried(event)) return
      event.preventDefault()
      setOver(null)
      if (inside(event)) given([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', drag)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', drag)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return (
    <>
      <span ref={mark} hidden />
      {over &&
        createPortal(
          <div className={css.drop} data-off={!on || undefined}>
            <p>{t(on ? 'dropHere' : 'dropNot')}</p>
          </div>,
          over,
        )}
    </>
  )
}

import { Button } from '@blueprintjs/core'
import { DragHandleVertical } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { useCarried } from './drag.ts'
import { moveBy, type RowOrder } from './row-order.ts'
import { uiWords } from './words.ts'

/** Moves a row of a list by drag or, with the focus on it, by the arrow keys. */
export function OrderHandle({ id, name, ids, order }: { id: number; name: string; ids: readonly number[]; order: RowOrder }) {
  const t = useWords(uiWords)
  const box = useRef<HTMLSpanElement>(null)
  useCarried(box, { kind: order.kind, id })
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation() // the table moves the focus by the same keys
    const next = moveBy(ids, id, step)
    if (next === null) return
    void order
      .onMove(next)
      .then(() => requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-order="${order.kind}-${id}"]`)?.focus()))
  }
  return (
    <span ref={box}>
      <Button
        variant="minimal"
        icon={<DragHandleVertical />}
        data-order={`${order.kind}-${id}`}
        aria-label={t('reorder', { name })}
        title={t('reorder', { name })}
        onKeyDown={handleKeyDown}
      />
    </span>
  )
}

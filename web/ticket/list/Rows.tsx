import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import css from './Rows.module.css'

type Of = {
  ids: readonly number[]
  height: number
  label: string
  /** Id of the element that labels a row. */
  named: (id: number) => string
  hasMore: boolean
  /** Distance from the end at which the next page loads (R-INBOX-13). */
  near?: number
  onNearEnd: () => unknown
  /** `stop`: Tab focuses this row, and arrow keys move on. */
  children: (id: number, stop: boolean) => ReactNode
}
const spare = 6

/** Renders only the visible rows. All rows have one height, so nothing is measured and nothing jumps. */
export function Rows({ ids, height, label, named, hasMore, near = 100, onNearEnd, children }: Of) {
  const box = useRef<HTMLDivElement>(null)
  const [[from, to], look] = useState<readonly [number, number]>([0, 30])
  const see = useCallback(() => {
    if (!box.current) return // the component is unmounting
    const { scrollTop, clientHeight, scrollHeight } = box.current
    const first = Math.max(0, Math.floor(scrollTop / height) - spare)
    const last = Math.ceil((scrollTop + clientHeight) / height) + spare
    look((now) => (now[0] === first && now[1] === last ? now : [first, last]))
    if (hasMore && scrollHeight - scrollTop - clientHeight < near) onNearEnd()
  }, [height, hasMore, near, onNearEnd])
  useLayoutEffect(() => {
    const watch = new ResizeObserver(see)
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [see])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a shorter list may now show its end
  useEffect(see, [see, ids.length])

  const [stop, setStop] = useState<number | null>(null)
  const drawn = ids.slice(from, to)
  const at = stop !== null && drawn.includes(stop) ? stop : drawn[Math.min(drawn.length - 1, from === 0 ? 0 : spare)]

  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const aside = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-at]')
    if (row && aside !== 0) {
      const inside = [...row.querySelectorAll<HTMLElement>('a, button')]
      const to = inside[inside.indexOf(document.activeElement as HTMLElement) + aside]
      if (to) event.preventDefault()
      to?.focus()
    }
    if (by === 0 || !row) return
    const next = box.current?.querySelector<HTMLElement>(`[data-at="${Number(row.dataset.at) + by}"] a`)
    if (!next) return
    event.preventDefault()
    next.focus({ preventScroll: true })
    next.closest('[data-at]')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links
    <div
      className={css.rows}
      data-part="rows"
      data-scrolls
      ref={box}
      onScroll={see}
      onKeyDown={handleKeyDown}
      onFocus={({ target }) => setStop(Number(target.closest<HTMLElement>('[data-id]')?.dataset.id) || null)}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role of lists without bullets */}
      <ul role="list" aria-label={label} style={{ height: ids.length * height }}>
        {drawn.map((id, place) => (
          <li
            key={id}
            data-at={from + place}
            data-id={id}
            aria-labelledby={named(id)}
            aria-posinset={from + place + 1}
            aria-setsize={hasMore ? -1 : ids.length}
            style={{ height, top: (from + place) * height }}
          >
            {children(id, id === at)}
          </li>
        ))}
      </ul>
    </div>
  )
}

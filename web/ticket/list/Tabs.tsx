import type { KeyboardEvent, ReactNode } from 'react'
import css from './Tabs.module.css'

export type TabOf<K extends string> = {
  key: K
  word: string
  panel: string
  count?: number | null | undefined
  icon?: ReactNode
  /** Text that describes the number. */
  counts?: (n: number) => string
}

/** Arrow keys move between tabs; only the chosen one is in the tab order. */
export function Tabs<K extends string>(of: { label: string; tabs: TabOf<K>[]; at: K; onChoose: (key: K) => void }) {
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const next = of.tabs[(of.tabs.findIndex(({ key }) => key === of.at) + by + of.tabs.length) % of.tabs.length]!
    of.onChoose(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus()
  }
  return (
    <div role="tablist" aria-label={of.label} className={css.tabs} onKeyDown={handleKeyDown}>
      {of.tabs.map(({ key, word, panel, count, icon, counts }) => (
        <button
          key={key}
          id={`tab-${key}`}
          data-tab={key}
          type="button"
          role="tab"
          aria-selected={key === of.at}
          aria-controls={panel}
          aria-label={icon ? word : undefined}
          title={icon ? word : undefined}
          tabIndex={key === of.at ? 0 : -1}
          className={css.tab}
          data-part="tab"
          onClick={({ currentTarget }) => {
            of.onChoose(key)
            currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' }) // half of the tab may be hidden
          }}
        >
          {icon ?? word}
          {typeof count === 'number' && count > 0 && (
            <span className={`${css.count} nums`} title={counts?.(count)}>
              {count > 999 ? '999+' : count}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

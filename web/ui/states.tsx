import { Button } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { stateWords } from './state-words.ts'
import css from './states.module.css'
import { failure } from './toaster.ts'

/** One line of what would be here, one action. */
export const Empty = ({
  icon,
  title,
  children,
  action,
  heading: Heading = 'p',
}: {
  icon?: ReactElement
  title: string
  children?: ReactNode
  action?: ReactNode
  /** `h1` where there is nothing else on the page. */
  heading?: 'p' | 'h1'
}) => (
  <div className={css.empty}>
    {icon && <div className={css.emptyIcon}>{icon}</div>}
    <Heading className={css.emptyTitle}>{title}</Heading>
    {children && <div className={css.emptyText}>{children}</div>}
    {action}
  </div>
)

/** What happened, what was kept, what to do; the code stays in a fold for support. */
export function ErrorView({ error, retry, kept }: { error: unknown; retry: () => unknown; kept?: boolean }) {
  const say = useWords(stateWords)
  return (
    <div className={css.empty} role="alert">
      <p className={css.emptyTitle}>{say('failed')}</p>
      <p className={css.emptyText}>
        {failure(error)} {kept && say('kept')}
      </p>
      <Button intent="primary" text={say('retry')} onClick={() => void retry()} />
      {error instanceof ApiError && (
        <details className={css.emptyDetails}>
          <summary>{say('details')}</summary>
          <code>
            {error.code} {error.status}
          </code>
        </details>
      )}
    </div>
  )
}

/** Shown after 150 ms only: what is faster than that should not flicker. */
export function Late({ children, after = 150 }: { children: ReactNode; after?: number }) {
  const [due, come] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => come(true), after)
    return () => clearTimeout(timer)
  }, [after])
  return due ? children : null
}

/** Grey rows where the list will be. */
export function Skeleton({ rows = 6, height = 36, avatar = false }: { rows?: number; height?: number; avatar?: boolean }) {
  const say = useWords(stateWords)
  return (
    <Late>
      <div role="status" aria-label={say('loading')}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey rows have no names
          <div className={css.skeletonRow} key={row} style={{ height }}>
            {avatar && <span className={css.skeletonDot} />}
            <span className={css.skeletonBar} style={{ width: `${38 + ((row * 37) % 45)}%` }} />
          </div>
        ))}
      </div>
    </Late>
  )
}

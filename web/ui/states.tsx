import { Button } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { stateWords } from './state-words.ts'
import css from './states.module.css'
import { failure } from './toaster.ts'

/** An empty state: one line and one action. */
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
  /** `h1` if the page has nothing else. */
  heading?: 'p' | 'h1'
}) => (
  <div className={css.empty}>
    {icon && <div className={css.emptyIcon}>{icon}</div>}
    <Heading className={css.emptyTitle}>{title}</Heading>
    {children && <div className={css.emptyText}>{children}</div>}
    {action}
  </div>
)

/** What happened, what was kept and what to do; the code for support is folded. */
export function ErrorView({ error, onRetry, kept }: { error: unknown; onRetry: () => unknown; kept?: boolean }) {
  const t = useWords(stateWords)
  return (
    <div className={css.empty} role="alert">
      <p className={css.emptyTitle}>{t('failed')}</p>
      <p className={css.emptyText}>
        {failure(error)} {kept && t('kept')}
      </p>
      <Button intent="primary" text={t('retry')} onClick={() => void onRetry()} />
      {error instanceof ApiError && (
        <details className={css.emptyDetails}>
          <summary>{t('details')}</summary>
          <code>
            {error.code} {error.status}
          </code>
        </details>
      )}
    </div>
  )
}

/** Shown after 150 ms, so that fast loads do not flicker. */
export function Late({ children, after = 150 }: { children: ReactNode; after?: number }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), after)
    return () => clearTimeout(timer)
  }, [after])
  return due ? children : null
}

/** Grey rows in place of a loading list. */
export function Skeleton({ rows = 6, height = 36, avatar = false }: { rows?: number; height?: number; avatar?: boolean }) {
  const t = useWords(stateWords)
  return (
    <Late>
      <div role="status" aria-label={t('loading')}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey rows have no ids
          <div className={css.skeletonRow} key={row} style={{ height }}>
            {avatar && <span className={css.skeletonDot} />}
            <span className={css.skeletonBar} style={{ width: `${38 + ((row * 37) % 45)}%` }} />
          </div>
        ))}
      </div>
    </Late>
  )
}

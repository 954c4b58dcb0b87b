import type { ReactNode } from 'react'
import css from './Skip.module.css'

/** Leads past what comes first; seen when the keys have come to it. */
export const Skip = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className={css.skip} href={`#${to}`}>
    {children}
  </a>
)

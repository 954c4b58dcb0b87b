import type { ReactNode } from 'react'
import css from './Skip.module.css'

/** A skip link, visible while it has the focus. */
export const Skip = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className={css.skip} href={`#${to}`}>
    {children}
  </a>
)

import type { ReactNode } from 'react'
import css from './FormDialog.module.css'

/** Why a form or a dialog cannot go on; nothing without a text. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className={css.problem} role="alert">
      {children}
    </p>
  ) : null

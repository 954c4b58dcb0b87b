import type { ReactNode } from 'react'
import { EarlyField } from '#web/message/composer/EarlyField.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import css from './Chat.module.css'

/** A loading ticket with its text field, which accepts keys at once. `children`: why it does not load. */
export const Loading = ({ uuid, children }: { uuid: string; children?: ReactNode }) => (
  <div className={css.main}>
    <div className={css.loading}>{children || <Skeleton rows={8} height={56} />}</div>
    <EarlyField uuid={uuid} />
  </div>
)

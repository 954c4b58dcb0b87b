import type { ReactNode } from 'react'
import css from './Chip.module.css'

/** A queue, a tag, an agent: a small mark of its colour and its name, readable on any hue. */
export const Chip = ({ name, color, title }: { name: ReactNode; color: string; title?: string }) => (
  <span className={css.chip} style={{ '--chip': color } as object} title={title}>
    <i />
    <span>{name}</span>
  </span>
)

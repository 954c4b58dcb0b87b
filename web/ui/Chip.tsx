import type { ReactNode } from 'react'
import css from './Chip.module.css'

/** A queue, tag or agent: a small mark in its colour and its name, readable on any hue. */
export const Chip = ({
  name,
  color,
  title,
  className = '',
}: {
  name: ReactNode
  color: string
  title?: string
  className?: string | undefined
}) => (
  <span className={`${css.chip} ${className}`} style={{ '--chip': color } as object} title={title}>
    <i />
    <span>{name}</span>
  </span>
)

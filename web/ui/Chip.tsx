import type { ReactNode } from 'react'
import './Chip.css'

/** A queue, a tag, an agent: a small mark of its colour and its name, readable on any hue. */
export const Chip = ({ name, color, title }: { name: ReactNode; color: string; title?: string }) => (
  <span className="chip" style={{ '--chip': color } as object} title={title}>
    <i />
    <span>{name}</span>
  </span>
)

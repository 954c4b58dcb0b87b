import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Avatar } from './Avatar.tsx'
import css from './PersonButton.module.css'

type Of = { name: string; picture?: string | null; online?: boolean; face?: ReactNode }
/** A choice with picture, name and details. */
export const PersonButton = ({ name, picture = null, online, face, children, ...button }: Of & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" className={css.person} data-part="person" {...button}>
    {face ?? <Avatar name={name} picture={picture} size={28} {...(online !== undefined && { online })} />}
    <span>{name}</span>
    {children}
  </button>
)

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import type { Availability } from '#domain/user/contract.ts'
import { Avatar } from './Avatar.tsx'
import css from './PersonButton.module.css'

type Of = { name: string; picture?: string | null; presence?: Availability | undefined; face?: ReactNode }
/** A choice with picture, name and details. */
export const PersonButton = ({
  name,
  picture = null,
  presence,
  face,
  children,
  ...button
}: Of & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" className={css.person} data-part="person" {...button}>
    {face ?? <Avatar name={name} picture={picture} size={28} presence={presence} />}
    <span>{name}</span>
    {children}
  </button>
)

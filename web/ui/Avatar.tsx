import { memo, useState } from 'react'
import type { Availability } from '#domain/user/contract.ts'
import css from './Avatar.module.css'

const hues = [12, 38, 84, 142, 168, 198, 222, 258, 292, 330]
/** A hue derived from the name. */
export const hue = (name: string) => hues[[...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) >>> 0, 7) % hues.length]!

export function initials(name: string): string {
  const parts = name.split(/\s+/).filter((part) => /^[\p{L}\p{N}]/u.test(part))
  const [first, last] = [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
  return `${first?.[0] ?? '?'}${last?.[0] ?? ''}`.toLocaleUpperCase()
}

/** The picture if it loads, otherwise initials on a hue derived from the name. */
export const Avatar = memo(
  ({
    name,
    picture,
    size = 32,
    presence,
  }: {
    name: string
    picture?: string | null
    size?: number
    presence?: Availability | undefined
  }) => {
    const [broken, setBroken] = useState<string | null>(null)
    const hasPicture = picture && picture !== broken
    return (
      <span
        className={css.avatar}
        style={{ width: size, height: size, fontSize: Math.round(size * 0.38), '--hue': hue(name) } as object}
        {...(!hasPicture && { 'data-initials': initials(name) })} // rendered by CSS, so that the accessible name stays clean
        aria-hidden
      >
        {hasPicture && <img src={picture} alt="" width={size} height={size} loading="lazy" onError={() => setBroken(picture)} />}
        {presence && <i data-presence={presence} />}
      </span>
    )
  },
)
Avatar.displayName = 'Avatar'

import { useEffect, useEffectEvent, useState } from 'react'
import { changed } from './changed.ts'
import { placeIn } from './opened.ts'

type Shelf = { email: string; forms: Record<string, object> }
const shelf = 'halfFilled'
const open = new Map<string, () => object | null>()
const kept = () => JSON.parse(sessionStorage.getItem(shelf) ?? 'null') as Shelf | null
const keep = (all: Shelf) => sessionStorage.setItem(shelf, JSON.stringify(all))

/** The session ended: what is half-filled waits in this tab until its writer is in the same form again. */
export function putBy(email: string): void {
  const forms = Object.fromEntries([...open].flatMap(([place, now]) => [[place, now()] as const]).filter(([, half]) => half !== null))
  if (Object.keys(forms).length > 0) keep({ email, forms: forms as Shelf['forms'] })
}
/** Nothing waits for another who signs in here. */
export function forgetHalves(but: string): void {
  if (kept()?.email !== but) sessionStorage.removeItem(shelf)
}

/** What was half-filled here, under that name, when the session ended. */
export function useHalf<Half extends object>(name: string): { place: string; half: Half | null } {
  const [found] = useState(() => {
    const place = `${location.pathname} ${placeIn('open') ?? ''} ${name}`
    return { place, half: (kept()?.forms[place] ?? null) as Half | null }
  })
  return found
}
/** `now`: what of it is put by where the session ends again. */
export function usePutBy(place: string, now: () => object | null): void {
  const snapshot = useEffectEvent(now)
  useEffect(() => {
    const all = kept()
    if (all?.forms[place]) {
      const { [place]: _, ...forms } = all.forms
      keep({ ...all, forms })
    }
    open.set(place, () => snapshot())
    return () => void open.delete(place)
  }, [place])
}

/** Of a form: what was typed, over what stood there, of which edit of the row. */
export type Half = { typed: object; was: object; version: number | undefined }
/** Neither is written down anywhere: what is secret, and files. */
const isKept = ([name, value]: [string, unknown]) => !/password|token|cloud/i.test(name) && !(value instanceof Blob)
export function halfOf({ start, version }: { start: object; version: number | undefined }, values: object): Half {
  const typed = Object.fromEntries(Object.entries(changed(start, values)).filter(isKept))
  return { typed, was: Object.fromEntries(Object.entries(start).filter(([name]) => name in typed)), version }
}

import { useEffect, useEffectEvent, useState } from 'react'
import { changed } from './changed.ts'
import { placeIn } from './opened.ts'

/** What stands half-filled in a form: what was typed, over what stood there, of which edit of the row. */
type Half = { typed: object; was: object; version: number | undefined }
type Shelf = { email: string; forms: Record<string, Half> }
const shelf = 'halfFilled'
const open = new Map<string, () => Half>()
/** Neither is written down anywhere: what is secret, and files. */
const isKept = ([name, value]: [string, unknown]) => !/password|token|cloud/i.test(name) && !(value instanceof Blob)
const kept = () => JSON.parse(sessionStorage.getItem(shelf) ?? 'null') as Shelf | null

/** The session ended: what is half-filled waits in this tab until its writer is in the same form again. */
export function putBy(email: string): void {
  const forms = Object.fromEntries([...open].map(([place, now]) => [place, now()]))
  if (open.size > 0) sessionStorage.setItem(shelf, JSON.stringify({ email, forms } satisfies Shelf))
}
/** Nothing waits for another who signs in here. */
export function forgetHalves(but: string): void {
  if (kept()?.email !== but) sessionStorage.removeItem(shelf)
}

/** Of the form that opens here: what was typed in it when the session ended; null: nothing. */
export function useHalf(title: string): { place: string; half: Half | null } {
  const [of] = useState(() => {
    const place = `${location.pathname} ${placeIn('open') ?? ''} ${title}`
    return { place, half: kept()?.forms[place] ?? null }
  })
  return of
}

/** Has what stands in the form put by where the session ends. */
export function usePutBy(place: string, dirty: boolean, now: () => { start: object; version: number | undefined; values: object }): void {
  const half = useEffectEvent((): Half => {
    const { start, version, values } = now()
    const typed = Object.fromEntries(Object.entries(changed(start, values)).filter(isKept))
    return { typed, was: Object.fromEntries(Object.entries(start).filter(([name]) => name in typed)), version }
  })
  useEffect(() => {
    const all = kept()
    if (all?.forms[place]) {
      const { [place]: _, ...forms } = all.forms
      sessionStorage.setItem(shelf, JSON.stringify({ ...all, forms }))
    }
  }, [place])
  useEffect(() => {
    if (!dirty) return
    open.set(place, () => half())
    return () => void open.delete(place)
  }, [place, dirty])
}

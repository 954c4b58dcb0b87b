import { useEffect, useEffectEvent, useState } from 'react'
import { changed } from './changed.ts'
import { placeIn } from './opened.ts'

type StoredForms = { email: string; forms: Record<string, object> }
const storageKey = 'halfFilled'
const open = new Map<string, () => object | null>()
const readStored = () => JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as StoredForms | null
const writeStored = (all: StoredForms) => sessionStorage.setItem(storageKey, JSON.stringify(all))

/** The session ended: what is half-filled waits in this tab until its writer is in the same form again. */
export function storeOpenForms(email: string): void {
  const forms = Object.fromEntries([...open].flatMap(([place, now]) => [[place, now()] as const]).filter(([, half]) => half !== null))
  if (Object.keys(forms).length > 0) writeStored({ email, forms: forms as StoredForms['forms'] })
}
/** Nothing waits for another who signs in here. */
export function dropFormsOfOthers(but: string): void {
  if (readStored()?.email !== but) sessionStorage.removeItem(storageKey)
}

/** What was half-filled here, under that name, when the session ended. */
export function useRecoveredForm<Half extends object>(name: string): { place: string; half: Half | null } {
  const [found] = useState(() => {
    const place = `${location.pathname} ${placeIn('open') ?? ''} ${name}`
    return { place, half: (readStored()?.forms[place] ?? null) as Half | null }
  })
  return found
}
/** `now`: what of it is put by where the session ends again. */
export function useFormRecovery(place: string, now: () => object | null): void {
  const snapshot = useEffectEvent(now)
  useEffect(() => {
    const all = readStored()
    if (all?.forms[place]) {
      const { [place]: _, ...forms } = all.forms
      writeStored({ ...all, forms })
    }
    open.set(place, () => snapshot())
    return () => void open.delete(place)
  }, [place])
}

/** Of a form: what was typed, over what stood there, of which edit of the row. */
export type PartialForm = { typed: object; was: object; version: number | undefined }
/** Neither is written down anywhere: what is secret, and files. */
const isKept = ([name, value]: [string, unknown]) => !/password|token|cloud/i.test(name) && !(value instanceof Blob)
export function partialFormOf({ start, version }: { start: object; version: number | undefined }, values: object): PartialForm {
  const typed = Object.fromEntries(Object.entries(changed(start, values)).filter(isKept))
  return { typed, was: Object.fromEntries(Object.entries(start).filter(([name]) => name in typed)), version }
}

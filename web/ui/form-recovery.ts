import { useEffect, useEffectEvent, useState } from 'react'
import { changed } from './changed.ts'
import { placeIn } from './opened.ts'

type StoredForms = { email: string; forms: Record<string, object> }
const storageKey = 'halfFilled'
const open = new Map<string, () => object | null>()
const readStored = () => JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as StoredForms | null
const writeStored = (all: StoredForms) => sessionStorage.setItem(storageKey, JSON.stringify(all))

/** Stores half-filled forms in this tab when the session ends, until the same user opens the same form again. */
export function storeOpenForms(email: string): void {
  const forms = Object.fromEntries([...open].flatMap(([place, now]) => [[place, now()] as const]).filter(([, half]) => half !== null))
  if (Object.keys(forms).length > 0) writeStored({ email, forms: forms as StoredForms['forms'] })
}
/** Drops stored forms when another user signs in. */
export function dropFormsOfOthers(but: string): void {
  if (readStored()?.email !== but) sessionStorage.removeItem(storageKey)
}

/** The half-filled values of this form from before the session ended. */
export function useRecoveredForm<Half extends object>(name: string): { place: string; half: Half | null } {
  const [found] = useState(() => {
    const place = `${location.pathname} ${placeIn('open') ?? ''} ${name}`
    return { place, half: (readStored()?.forms[place] ?? null) as Half | null }
  })
  return found
}
/** `now`: the values to store if the session ends. */
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

/** The typed values of a form, the values that they replaced, and the version of the row. */
export type PartialForm = { typed: object; was: object; version: number | undefined }
/** Secrets and files are never stored. */
const isKept = ([name, value]: [string, unknown]) => !/password|token|cloud/i.test(name) && !(value instanceof Blob)
export function partialFormOf({ start, version }: { start: object; version: number | undefined }, values: object): PartialForm {
  const typed = Object.fromEntries(Object.entries(changed(start, values)).filter(isKept))
  return { typed, was: Object.fromEntries(Object.entries(start).filter(([name]) => name in typed)), version }
}

import { atom, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AroundNavHandler } from 'wouter'
import { token } from '#web/api.ts'
import { afterOverlays, giveEntryToPage, hasOverlay, useBackCloses } from './back-navigation.ts'

type Go = () => void
type ChangedForm = { ask: (go: Go) => void; discard: Go; lost: () => readonly string[] }
/** Forms with unsaved input; the last one is on top. */
const forms: ChangedForm[] = []
/** Number of these forms. */
export const unsavedAtom = atom(0)

/** A navigation away from a changed form waits for its answer; automatic redirects do not ask. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => {
    if (hasOverlay() && to === location.pathname) return // the overlay's entry is removed as it closes
    if (!options?.replace && giveEntryToPage()) navigate(to, { ...options, replace: true })
    else afterOverlays(() => navigate(to, options))
  }
  const top = options?.replace ? undefined : forms.at(-1)
  if (top) top.ask(go)
  else go()
}

/**
 * Asks once before changes are lost by Escape, a button, Back, a link or a reload. A link leaves all changed forms
 * of the page, so the form on top asks for all of them. `lost`: the labels of the changed fields. `saving`: the
 * saving itself navigates away, and Back waits for it.
 */
export function useUnsaved(changed: boolean, onClose: Go, lost: () => readonly string[], saving = false) {
  const [waits, setWaits] = useState<{ go: Go; from: Element | null; lostByOthers: string[] } | null>(null)
  const requestLeave = (go: Go, lostByOthers: string[] = []) =>
    setWaits((now) => ({ go, from: now?.from ?? document.activeElement, lostByOthers }))
  const askForAll = useEffectEvent((go: Go, others: ChangedForm[]) =>
    requestLeave(
      () => {
        for (const other of others) other.discard()
        onClose()
        go()
      },
      others.flatMap((other) => other.lost()),
    ),
  )
  const discardOwn = useEffectEvent(onClose)
  const lostOwn = useEffectEvent(lost)
  useBackCloses(changed, () => {
    if (!saving) requestLeave(onClose)
  })
  // The change was just reverted, which the form reports only after validation: nothing is lost, so the navigation
  // proceeds.
  const leave = useEffectEvent(() => {
    setWaits(null)
    waits?.go()
  })
  useEffect(() => {
    if (!waits || changed || saving) return
    const soon = setTimeout(leave)
    return () => clearTimeout(soon)
  }, [waits, changed, saving])
  const setUnsaved = useSetAtom(unsavedAtom)
  useEffect(() => {
    if (!changed || saving) return
    const form: ChangedForm = {
      ask: (go) =>
        askForAll(
          go,
          forms.filter((other) => other !== form),
        ),
      discard: () => discardOwn(),
      lost: () => lostOwn(),
    }
    // after an expired session the page may go
    const preventUnload = (event: BeforeUnloadEvent) => token.get() !== null && event.preventDefault()
    forms.push(form)
    setUnsaved(forms.length)
    window.addEventListener('beforeunload', preventUnload)
    return () => {
      forms.splice(forms.indexOf(form), 1)
      setUnsaved(forms.length)
      window.removeEventListener('beforeunload', preventUnload)
    }
  }, [changed, saving, setUnsaved])
  return {
    asking: changed && !saving && waits !== null,
    close: () => (changed && !saving ? requestLeave(onClose) : onClose()),
    stay: () => {
      setWaits(null)
      const { from } = waits ?? {}
      requestAnimationFrame(() => {
        const now = document.activeElement // the page, or a dialog around the form; otherwise the user has moved on
        if (from instanceof HTMLElement && from.isConnected && now?.contains(from)) from.focus()
      })
    },
    discard: () => waits?.go(),
    lost: () => [...(waits?.lostByOthers ?? []), ...lost()],
  }
}
export type Unsaved = ReturnType<typeof useUnsaved>

import { atom, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import type { AroundNavHandler } from 'wouter'
import { token } from '#web/api.ts'
import { hasOverlay, useBackCloses } from './back-navigation.ts'

type Go = () => void
/** Forms in which something stands that is nowhere else; the last one lies on top. */
const forms: ((go: Go) => void)[] = []
/** How many there are. */
export const unsavedAtom = atom(0)

/** Whoever leads away from a form that was changed waits for its answer; what the page does by itself does not ask. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, hasOverlay() ? { ...options, replace: true } : options)
  const ask = options?.replace ? undefined : forms.at(-1)
  if (ask) ask(go)
  else go()
}

/**
 * Asks once before what was changed is lost: by Escape, by a button, by Back, by a link, by a reload. `saving`: what leads away then is
 * the saving itself, and Back waits for it.
 */
export function useUnsaved(changed: boolean, onClose: Go, saving = false) {
  const [waits, setWaits] = useState<{ go: Go; from: Element | null } | null>(null)
  const asks = (go: Go) => setWaits((now) => ({ go, from: now?.from ?? document.activeElement }))
  const leads = useEffectEvent((go: Go) =>
    asks(() => {
      onClose()
      go()
    }),
  )
  useBackCloses(changed, () => {
    if (!saving) asks(onClose)
    return true
  })
  // it was changed back a moment before, which the form says only once it was judged: nothing is lost, and whoever asked leaves
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
    const form = (go: Go) => leads(go)
    const preventUnload = (event: BeforeUnloadEvent) => token.get() !== null && event.preventDefault() // a session that has ended goes
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
    close: () => (changed && !saving ? asks(onClose) : onClose()),
    stay: () => {
      setWaits(null)
      const { from } = waits ?? {}
      requestAnimationFrame(() => {
        const now = document.activeElement // the page, or a dialog around the form: else somebody is already somewhere else
        if (from instanceof HTMLElement && from.isConnected && now?.contains(from)) from.focus()
      })
    },
    discard: () => waits?.go(),
  }
}
export type Unsaved = ReturnType<typeof useUnsaved>

import { useEffect, useEffectEvent } from 'react'

const over = 'lies over the page'
// after a reload nothing lies over the page any more: one Back should lead somewhere
if (typeof history !== 'undefined' && history.state === over) history.back()

/** What takes the whole of a small screen closes by Back, as every screen there does, and is closed with the page it lay over. */
export function useBackCloses(on: boolean, close: () => void): void {
  const closed = useEffectEvent(close)
  useEffect(() => {
    if (!on) return
    history.pushState(over, '')
    const left = () => closed()
    window.addEventListener('popstate', left)
    return () => {
      window.removeEventListener('popstate', left)
      if (history.state === over) history.back()
    }
  }, [on])
}

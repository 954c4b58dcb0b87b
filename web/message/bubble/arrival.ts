import { useEffect, useState } from 'react'

/** How a file comes, and `again` for one that did not: asked by somebody, or by itself once the machine is on line. */
export function useArrival() {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming')
  const again = () => {
    setTurn((one) => one + 1)
    setState('coming')
  }
  useEffect(() => {
    if (state !== 'failed') return
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  })
  return { turn, state, again, handlers: { onLoad: () => setState('here'), onError: () => setState('failed') } }
}

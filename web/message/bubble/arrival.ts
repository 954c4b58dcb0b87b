import { useEffect, useState } from 'react'

/** Loading state of a file. `again` retries a failed one; it also runs when the browser comes back online. */
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

import { useEffect, useState } from 'react'

/** How a file comes, and `again` for one that did not: asked by somebody, or by itself once the machine is on line. */
export function useArrival() {
  const [turn, turns] = useState(0)
  const [state, becomes] = useState<'coming' | 'here' | 'failed'>('coming')
  const again = () => {
    turns((one) => one + 1)
    becomes('coming')
  }
  useEffect(() => {
    if (state !== 'failed') return
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  })
  return { turn, state, again, handlers: { onLoad: () => becomes('here'), onError: () => becomes('failed') } }
}

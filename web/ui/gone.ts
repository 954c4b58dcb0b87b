import { useEffect, useRef } from 'react'

/** Returns a function that says whether the component has been unmounted, for work that must end with its dialog. */
export function useIsGone(): () => boolean {
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return () => gone.current
}

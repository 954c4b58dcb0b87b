import { useEffect, useEffectEvent } from 'react'
import { lastDayFrom, today } from '#web/ui/moment.ts'
import type { Asked } from './address.ts'

const refreshMs = 30_000

/** Loads the numbers of a period that has not ended every 30 seconds, so that they do not lag behind those of now. */
export function useRefresh(reload: () => unknown, { from, to }: Asked): void {
  const isGoingOn = (to ?? lastDayFrom(from)) >= today()
  const again = useEffectEvent(() => {
    if (!document.hidden) void reload()
  })
  useEffect(() => {
    if (!isGoingOn) return undefined
    const timer = setInterval(() => again(), refreshMs)
    return () => clearInterval(timer)
  }, [isGoingOn])
}

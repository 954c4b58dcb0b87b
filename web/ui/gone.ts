import { useEffect, useEffectEvent, useState } from 'react'
import { Refused } from '#web/api.ts'

/** Whether the row of an open form was deleted: asked as it leaves the list, which it also does where it no longer fits the search. */
export function useGone(
  id: number | null,
  listed: readonly number[],
  find: (ask: { params: { id: number } }) => Promise<unknown>,
): boolean {
  const [gone, tell] = useState<number | null>(null)
  const missing = id !== null && !listed.includes(id)
  const ask = useEffectEvent(async (wanted: number) => {
    try {
      await find({ params: { id: wanted } })
    } catch (error) {
      if (error instanceof Refused && error.status === 404) tell(wanted)
    }
  })
  useEffect(() => {
    if (missing) void ask(id!)
  }, [missing, id])
  return id !== null && gone === id
}

import { useEffect, useState } from 'react'
import { ApiError } from '#web/api.ts'

/**
 * Whether the row of an open form was deleted. It asks the server when the row leaves the list, because the row
 * may only no longer match the search.
 */
export function useRecordDeleted(
  id: number | null,
  listed: readonly number[],
  find: (ask: { params: { id: number } }) => Promise<unknown>,
): boolean {
  const [gone, setGone] = useState<number | null>(null)
  const missing = id !== null && !listed.includes(id) ? id : null
  useEffect(() => {
    if (missing === null) return
    find({ params: { id: missing } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) setGone(missing)
    })
  }, [missing, find])
  return id !== null && gone === id
}

import { atom, type WritableAtom } from 'jotai'
import { viewerAtom } from '#web/session.ts'

/** A value that survives a reload of this tab; another tab starts with the first value. */
export function createSessionStorageAtom<Value>(name: string, first: Value): WritableAtom<Value, [Value], void> {
  const shelf = typeof sessionStorage === 'undefined' ? null : sessionStorage
  let kept = first
  try {
    kept = (JSON.parse(shelf?.getItem(name) ?? 'null') as Value | null) ?? first
  } catch {
    // an unreadable value counts as none
  }
  const now = atom(kept)
  return atom(
    (get) => get(now),
    (_, set, next: Value) => {
      set(now, next)
      shelf?.setItem(name, JSON.stringify(next))
    },
  )
}

/** The same, separately for each user of this tab. */
export function createUserStorageAtom<Value>(name: string, first: Value): WritableAtom<Value, [Value], void> {
  const ofUser = new Map<number | undefined, WritableAtom<Value, [Value], void>>()
  const atomOf = (userId: number | undefined) => {
    const known = ofUser.get(userId) ?? createSessionStorageAtom(`${name}-${userId}`, first)
    ofUser.set(userId, known)
    return known
  }
  return atom(
    (get) => get(atomOf(get(viewerAtom)?.id)),
    (get, set, next: Value) => set(atomOf(get(viewerAtom)?.id), next),
  )
}

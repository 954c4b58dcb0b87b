export type Locks = Pick<LockManager, 'request'>

/**
 * Holds a lock of the browser until the returned function runs or the page ends, however it ends. `granted`: the page has
 * the lock now.
 */
export function holdLock(
  name: string,
  { mode = 'exclusive', granted, locks }: { mode?: LockMode; granted?: () => void; locks: Locks },
): () => void {
  let release = () => {}
  let isReleased = false
  const released = new Promise<void>((resolve) => {
    release = () => {
      isReleased = true
      resolve()
    }
  })
  void locks.request(name, { mode }, () => {
    if (!isReleased) granted?.()
    return released
  })
  return release
}

/** Among all pages that join, one leads; the browser lets the next one lead as soon as it ends (A-NOTIF-01). */
export function joinElection(name: string, locks: Locks) {
  let isLeader = false
  const release = holdLock(name, {
    locks,
    granted: () => {
      isLeader = true
    },
  })
  return {
    isLeader: () => isLeader,
    leave: () => {
      isLeader = false
      release()
    },
  }
}

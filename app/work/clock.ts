/** The product's time: what is decided, told and due by it. Leases, sessions, limits, caches and anchors go by the machine's. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** ISO 8601, UTC. */
  iso: () => string
}

/** `ahead`: by how much it goes before the machine's, in milliseconds. */
export function openClock(ahead: () => number = () => 0): Clock {
  const now = () => Date.now() + ahead()
  return { now, iso: () => new Date(now()).toISOString() }
}

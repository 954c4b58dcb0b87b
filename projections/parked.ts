/** A stream that a follower waits with, from the event on that it cannot apply (`revision`), up to the newest one that it has passed over since. */
export type Parked = { id: number; stream: string; behind: number }

type Statement = { text: string; values?: unknown[] }

export const waiting = (follower: string): Statement => ({
  text: 'select stream from parked_stream where follower = $1',
  values: [follower],
})

/** How far what waits was passed over. */
export function appendParked(follower: string, events: { stream: string; revision: number }[], waits: Set<string>): Statement[] {
  const behind = new Map(events.filter(({ stream }) => waits.has(stream)).map(({ stream, revision }) => [stream, revision]))
  if (behind.size === 0) return []
  const text = `update parked_stream set behind = greatest(behind, h.revision) from unnest($2::text[], $3::int[]) as h(stream, revision)
    where follower = $1 and parked.stream = h.stream`
  return [{ text, values: [follower, [...behind.keys()], [...behind.values()]] }]
}

/** Whether it still waits as it was seen, and for as long as the transaction lasts. */
export const stillParked = ({ id, behind }: Parked): Statement => ({
  text: 'select id from parked_stream where id = $1 and behind = $2 for update',
  values: [id, behind],
})

/** It waits at another revision from now on, or, with null, no longer. */
export const resumeStream = ({ id, behind }: Parked, next: number | null): Statement =>
  next === null
    ? { text: 'delete from parked_stream where id = $1 and behind = $2', values: [id, behind] }
    : { text: 'update parked_stream set revision = $3 where id = $1 and behind = $2', values: [id, behind, next] }

/**
 * A parked stream: from `revision`, the event that cannot be applied, to `behind`, the newest event passed
 * over since.
 */
export type Parked = { id: number; stream: string; behind: number }

type Statement = { text: string; values?: unknown[] }

export const waiting = (follower: string): Statement => ({
  text: 'select stream from parked_stream where follower = $1',
  values: [follower],
})

/** Records the newest event passed over in each parked stream. */
export function appendParked(follower: string, events: { stream: string; revision: number }[], waits: Set<string>): Statement[] {
  const behind = new Map(events.filter(({ stream }) => waits.has(stream)).map(({ stream, revision }) => [stream, revision]))
  if (behind.size === 0) return []
  const text = `update parked_stream set behind = greatest(behind, h.revision) from unnest($2::text[], $3::int[]) as h(stream, revision)
    where follower = $1 and parked_stream.stream = h.stream`
  return [{ text, values: [follower, [...behind.keys()], [...behind.values()]] }]
}

/** Checks and locks that the stream is still parked as it was read. */
export const stillParked = ({ id, behind }: Parked): Statement => ({
  text: 'select id from parked_stream where id = $1 and behind = $2 for update',
  values: [id, behind],
})

/** Moves the parked stream to another revision, or releases it with null. */
export const resumeStream = ({ id, behind }: Parked, next: number | null): Statement =>
  next === null
    ? { text: 'delete from parked_stream where id = $1 and behind = $2', values: [id, behind] }
    : { text: 'update parked_stream set revision = $3 where id = $1 and behind = $2', values: [id, behind, next] }

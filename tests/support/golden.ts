import { readFileSync } from 'node:fs'
import { decodeEvent } from '#app/event-store/event-codec.ts'
import type { StoredEvent } from '#app/event-store/event-store.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { PersistedEvent } from '#projections/projector.ts'

type Line = Pick<StoredEvent, 'stream' | 'type' | 'data' | 'meta'>

/** Events as they are stored, unsealed: one JSON line each. Lines are only appended, because an old event store must keep its meaning. */
export const goldenLines = readFileSync(new URL('../invariants/golden.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** The first lines never change. A release that writes new events raises both values. */
export const frozen = { lines: 139, sha256: '1210655eb478de97083371b53862fe7807966021fa0cfbec4cdc5b4ab85986b8' }

const revisions = new Map<string, bigint>()
/** The decoded golden events, in the order of the store. */
export const goldenEvents: PersistedEvent<TicketEvent>[] = goldenLines.map((text, i) => {
  const line: Line = JSON.parse(text)
  const revision = (revisions.get(line.stream) ?? -1n) + 1n
  revisions.set(line.stream, revision)
  return decodeEvent<TicketEvent>(
    ticketStream,
    { ...line, revision, position: BigInt(i + 1), id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}` },
    null,
  )
})
/** The events of the frozen lines. What they fold and project into never changes. */
export const frozenEvents = goldenEvents.slice(0, frozen.lines)

import { EventTooLarge, maxEventBytes, type NewEvent } from '#app/event-store/event-store.ts'

/** Limit of EventStoreDB for one append. The Postgres engine uses the same limit, so that an installation can change engines. */
export const maxAppendBytes = 1024 * 1024

export type SerializedEvent = { data: string; meta: string }

/** Serializes the events as JSON; throws `TooLarge` over the limits. */
export function serializeEvents(stream: string, events: readonly NewEvent[]): SerializedEvent[] {
  if (events.length === 0) throw new Error(`No events to append to ${stream}`)
  let total = 0
  return events.map((event) => {
    const data = JSON.stringify(event.data)
    const meta = JSON.stringify(event.meta)
    const bytes = Buffer.byteLength(data)
    if (bytes > maxEventBytes) throw new EventTooLarge(`${event.type} in ${stream} has ${bytes} bytes; the limit is ${maxEventBytes}`)
    total += bytes + Buffer.byteLength(meta) + event.type.length * 2
    if (total > maxAppendBytes) throw new EventTooLarge(`Append to ${stream} exceeds ${maxAppendBytes} bytes`)
    return { data, meta }
  })
}

import { maxEventBytes, type NewEvent, TooLarge } from '#app/event-store/event-store.ts'

/** What EventStoreDB takes in one append; the Postgres engine keeps to the same, so that a company can move from one to the other. */
export const maxAppendBytes = 1024 * 1024

export type Written = { data: string; meta: string }

/** The events as JSON, or TooLarge. */
export function written(stream: string, events: readonly NewEvent[]): Written[] {
  if (events.length === 0) throw new Error(`nothing to append to ${stream}`)
  let total = 0
  return events.map((event) => {
    const data = JSON.stringify(event.data)
    const meta = JSON.stringify(event.meta)
    const bytes = Buffer.byteLength(data)
    if (bytes > maxEventBytes) throw new TooLarge(`${event.type} in ${stream} has ${bytes} bytes, at most ${maxEventBytes} are taken`)
    total += bytes + Buffer.byteLength(meta) + event.type.length * 2
    if (total > maxAppendBytes) throw new TooLarge(`an append to ${stream} has more than ${maxAppendBytes} bytes`)
    return { data, meta }
  })
}

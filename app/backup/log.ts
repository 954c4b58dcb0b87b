import type pg from 'pg'
import { prefixOf } from '#domain/stream.ts'
import { anchorPrefix } from '../anchor/anchor.ts'
import { anchored } from '../anchor/make.ts'
import type { EventStore, NewEvent, StoredEvent } from '../event-store/event-store.ts'
import { followers, streamKinds, streamPrefixes } from '../modules.ts'

type Line = NewEvent & { stream: string; revision: string; position: string }

/** Anchors come first: if they were read last, they could cover events that are not in the archive. */
const prefixes = [anchorPrefix, ...streamPrefixes]
/** The stream prefix of each processor. */
const prefixOfProcessor = new Map([...followers, ...anchored(streamKinds)].map(({ name, of }) => [name, prefixOf(of)]))

/** The events of an external event store up to its current end, one JSON line each. */
export async function* linesOf(eventStore: EventStore): AsyncGenerator<Buffer> {
  const enough = new AbortController()
  try {
    for (const prefix of prefixes)
      for await (const { events, caughtUp } of eventStore.subscribe(null, prefix, enough.signal)) {
        if (events.length > 0) yield Buffer.from(events.map(line).join(''))
        if (caughtUp) break
      }
  } finally {
    enough.abort()
  }
}
const line = ({ stream, revision, position, id, type, data, meta }: StoredEvent) =>
  `${JSON.stringify({ stream, revision: String(revision), position: String(position), id, type, data, meta } satisfies Line)}\n`

type Checkpoint = { name: string; position: string }
export const checkpointsIn = async (client: pg.Client): Promise<Checkpoint[]> =>
  (await client.query<Checkpoint>('select name, position::text from checkpoint')).rows

/** Appends the lines in their order. Events that an interrupted restore has already written are the same and are not repeated. */
export function lineWriter(eventStore: EventStore, checkpoints: Checkpoint[]) {
  const text = new TextDecoder()
  /** How many events of its prefix each processor had processed. */
  const seen = new Map(checkpoints.map(({ name }) => [name, 0]))
  let rest = ''
  let events = 0
  const write = async (lines: Line[]) => {
    for (let i = 0; i < lines.length; ) {
      const { stream, revision } = lines[i]!
      const batch = lines.slice(i, i + maxBatch)
      const other = batch.findIndex((one) => one.stream !== stream)
      if (other > 0) batch.length = other
      const own = batch.map(({ id, type, data, meta }) => ({ id, type, data, meta }))
      await eventStore.append(stream, revision === '0' ? 'none' : BigInt(revision) - 1n, own)
      for (const { name, position } of checkpoints)
        if (stream.startsWith(prefixOfProcessor.get(name) ?? ' '))
          seen.set(name, seen.get(name)! + batch.filter((one) => BigInt(one.position) <= BigInt(position)).length)
      events += batch.length
      i += batch.length
    }
  }
  return {
    async take(chunk: Buffer): Promise<void> {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop()!
      await write(lines.map((one) => JSON.parse(one) as Line))
    },
    done: () => ({ events, seen }),
  }
}
/** Events per append: EventStoreDB accepts 1 MB, and an event has at most 64 KB. */
const maxBatch = 12

/** A restored event store has new positions, so each checkpoint is moved to the new position of its processor's last event. */
export async function moveCheckpoints(client: pg.Client, eventStore: EventStore, seen: Map<string, number>): Promise<void> {
  const found = new Map<string, { at: string; id: string | null }>([...seen.keys()].map((name) => [name, { at: '0', id: null }]))
  const enough = new AbortController()
  for (const prefix of streamPrefixes) {
    const own = [...seen].filter(([name]) => prefixOfProcessor.get(name) === prefix)
    let n = 0
    for await (const { events, caughtUp } of eventStore.subscribe(null, prefix, enough.signal)) {
      for (const { position, id } of events) {
        n += 1
        for (const [name, count] of own) if (count === n) found.set(name, { at: String(position), id })
      }
      if (caughtUp) break
    }
  }
  enough.abort()
  for (const [name, { at, id }] of found)
    await client.query('update checkpoint set position = $2, event_id = $3, event_stream = null, event_revision = null where name = $1', [
      name,
      at,
      id,
    ])
}

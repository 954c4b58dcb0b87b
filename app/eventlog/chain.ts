import { createHash } from 'node:crypto'
import type { Json, JsonObject, NewEvent } from '#app/eventlog/eventlog.ts'

type Placed = NewEvent & { stream: string; revision: bigint }
export type Misfit = { revision: bigint; reason: 'gap' | 'hash' }
/** The last event already checked. */
export type Checked = { revision: bigint; hash: string }

/** The same text for the same value, however a store orders the keys. */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return 'null'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}

export function link(previous: string, stream: string, revision: bigint, { id, type, data, meta }: NewEvent): string {
  const { hash, ...rest } = meta
  const text = canonical({ stream, revision: revision.toString(), id, type, data, meta: rest })
  return createHash('sha256').update(previous).update(text).digest('hex')
}

export const hashOf = (meta: JsonObject): string => (typeof meta.hash === 'string' ? meta.hash : '')

/** Each event with the hash that binds it to the one before; `previous` is '' for the first of a stream. */
export function chained(previous: string, stream: string, firstRevision: bigint, events: readonly NewEvent[]): NewEvent[] {
  let last = previous
  return events.map((event, i) => {
    last = link(last, stream, firstRevision + BigInt(i), event)
    return { ...event, meta: { ...event.meta, hash: last } }
  })
}

/** The first event that does not fit behind the one before it, or null. A stream cut off at its end cannot be told from a shorter one. */
export function check(events: Iterable<Placed>, from: Checked | null = null): Misfit | null {
  let last = from ?? { revision: -1n, hash: '' }
  for (const event of events) {
    const { stream, revision } = event
    if (revision !== last.revision + 1n) return { revision, reason: 'gap' }
    const hash = link(last.hash, stream, revision, event)
    if (hash !== event.meta.hash) return { revision, reason: 'hash' }
    last = { revision, hash }
  }
  return null
}

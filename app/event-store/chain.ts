import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject, type NewEvent } from '#app/event-store/event-store.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { secretKey } from '../crypto/key-object.ts'

/** `withheld` occurs in exported files only: parts of the event are left out, and the file's signature covers its hash. */
type Placed = NewEvent & { stream: string; revision: bigint; withheld?: true }
/** `mac`: the MAC is wrong. `unsigned`: the MAC is missing; without the keys only after a signed event. */
export type Misfit = { revision: bigint; reason: 'gap' | 'hash' | 'mac' | 'unsigned'; detail?: string }
/** The last checked event; `signed`: it or an earlier event has a MAC. */
export type Checked = { revision: bigint; hash: string; signed: boolean }

/** Canonical JSON: equal values give equal texts, because stores may reorder the keys. */
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
  const { hash: _hash, mac: _mac, ...rest } = meta
  const text = canonical({ stream, revision: revision.toString(), id, type, data, meta: rest })
  return digest('sha256', previous + text, 'hex')
}

export const hashOf = (meta: JsonObject | null): string => (typeof meta?.hash === 'string' ? meta.hash : '')

const macOf = (key: Buffer, hash: string) => createHmac('sha256', secretKey(key)).update(hash).digest()

/**
 * Adds to each event the hash that binds it to the previous one; `previous` is '' for the first event of a stream. The MAC prevents a
 * writer without the key from recomputing the chain.
 */
export function chained(
  previous: string,
  stream: string,
  firstRevision: bigint,
  events: readonly NewEvent[],
  by?: EventMacKey,
): NewEvent[] {
  let last = previous
  return events.map((event, i) => {
    const meta = { ...event.meta, ...(by && { macKey: by.id }) }
    last = link(last, stream, firstRevision + BigInt(i), { ...event, meta })
    return { ...event, meta: { ...meta, hash: last, ...(by && { mac: macOf(by.key, last).toString('hex') }) } }
  })
}

export const isSigned = (meta: JsonObject | null): boolean => meta?.mac !== undefined

function isMacValid({ mac, macKey }: JsonObject, hash: string, of: EventMacKeys['of']): boolean {
  const key = typeof macKey === 'string' ? of(macKey) : null
  const macBytes = Buffer.from(typeof mac === 'string' ? mac : '', 'hex')
  return key !== null && macBytes.length === 32 && timingSafeEqual(macBytes, macOf(key, hash))
}

/** Names a missing key, because without it every event of the store looks forged. */
function missingKeyDetail({ macKey }: JsonObject, of: EventMacKeys['of']): { detail?: string } {
  const named = typeof macKey === 'string' && /^[\w-]{1,40}$/.test(macKey) ? macKey : null
  return named !== null && of(named) === null ? { detail: `MAC key ${named} is missing` } : {}
}

/** The keys that MACs are checked with. */
export type MacKeys = Pick<EventMacKeys, 'of'>
/** The state before the first event of a stream. With keys, every event must have a MAC, because a store signs from its first event on. */
export const unchecked = (keys: MacKeys | null): Checked => ({ revision: -1n, hash: '', signed: keys !== null })

/**
 * Returns the first event that breaks the chain, or null. Without keys, MACs are not checked. Events removed from the end of a stream
 * cannot be detected here; the anchors detect them.
 */
export function check(events: Iterable<Placed>, from: Checked | null = null, keys: MacKeys | null = null): Misfit | null {
  let last = from ?? unchecked(keys)
  for (const event of events) {
    const { stream, revision } = event
    const meta = isJsonObject(event.meta) ? event.meta : {} // a forger may have left a value of any type here
    if (revision !== last.revision + 1n) return { revision, reason: 'gap' }
    const hash = event.withheld ? hashOf(meta) : link(last.hash, stream, revision, { ...event, meta })
    if (hash !== meta.hash) return { revision, reason: 'hash' }
    if (last.signed && !isSigned(meta)) return { revision, reason: 'unsigned' }
    if (keys && isSigned(meta) && !isMacValid(meta, hash, keys.of)) return { revision, reason: 'mac', ...missingKeyDetail(meta, keys.of) }
    last = { revision, hash, signed: last.signed || isSigned(meta) }
  }
  return null
}

/** The state after valid events, to check the next event against. */
export const checkedBy = (events: readonly Placed[], from: Checked | null): Checked | null => {
  const last = events.at(-1)
  return last
    ? { revision: last.revision, hash: hashOf(last.meta), signed: from?.signed === true || events.some(({ meta }) => isSigned(meta)) }
    : from
}

import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto'
import type { Json, JsonObject, NewEvent } from '#app/event-store/event-store.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { secretKey } from '../crypto/key-object.ts'

/** `withheld`: an exported event is not whole, and the signature of its file vouches for its hash. A log never says so. */
type Placed = NewEvent & { stream: string; revision: bigint; withheld?: true }
/** `mac`: it is not the one that the key makes. `unsigned`: it has none, behind one that has, or in a store that signed from its first event on. */
export type Misfit = { revision: bigint; reason: 'gap' | 'hash' | 'mac' | 'unsigned'; detail?: string }
/** The last event already checked; `signed`: it or one before it has a MAC. */
export type Checked = { revision: bigint; hash: string; signed: boolean }

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
  const { hash: _hash, mac: _mac, ...rest } = meta
  const text = canonical({ stream, revision: revision.toString(), id, type, data, meta: rest })
  return digest('sha256', previous + text, 'hex')
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

export const hashOf = (meta: JsonObject | null): string => (typeof meta?.hash === 'string' ? meta.hash : '')

const macOf = (key: Buffer, hash: string) => createHmac('sha256', secretKey(key)).update(hash).digest()

/**
 * Each event with the hash that binds it to the one before; `previous` is '' for the first of a stream. Signed, so that who can write to
 * the store but has no key cannot compute the chain again.
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

function signedRight({ mac, macKey }: JsonObject, hash: string, of: EventMacKeys['of']): boolean {
  const key = typeof macKey === 'string' ? of(macKey) : null
  const macBytes = Buffer.from(typeof mac === 'string' ? mac : '', 'hex')
  return key !== null && macBytes.length === 32 && timingSafeEqual(macBytes, macOf(key, hash))
}

/** A whole store reads as forged where its key is gone: whoever looks should know which. */
function keyGone({ macKey }: JsonObject, of: EventMacKeys['of']): { detail?: string } {
  const named = typeof macKey === 'string' && /^[\w-]{1,40}$/.test(macKey) ? macKey : null
  return named !== null && of(named) === null ? { detail: `no key ${named} is among those of the log` } : {}
}

/** By which MACs are checked. */
export type MacKeys = Pick<EventMacKeys, 'of' | 'all'>
/** Before the first event of a stream. */
export const unchecked = (keys: MacKeys | null): Checked => ({ revision: -1n, hash: '', signed: keys?.all ?? false })

/** The first event that does not fit behind the one before it, or null; without keys no MAC is looked at. A stream cut off at its end cannot be told from a shorter one. */
export function check(events: Iterable<Placed>, from: Checked | null = null, keys: MacKeys | null = null): Misfit | null {
  let last = from ?? unchecked(keys)
  for (const event of events) {
    const { stream, revision } = event
    const meta = isObject(event.meta) ? event.meta : {} // whoever altered it may have left anything there
    if (revision !== last.revision + 1n) return { revision, reason: 'gap' }
    const hash = event.withheld ? hashOf(meta) : link(last.hash, stream, revision, { ...event, meta })
    if (hash !== meta.hash) return { revision, reason: 'hash' }
    if (last.signed && !isSigned(meta)) return { revision, reason: 'unsigned' }
    if (keys && isSigned(meta) && !signedRight(meta, hash, keys.of)) return { revision, reason: 'mac', ...keyGone(meta, keys.of) }
    last = { revision, hash, signed: last.signed || isSigned(meta) }
  }
  return null
}

/** What the next event is checked against, behind events that fit. */
export const checkedBy = (events: readonly Placed[], from: Checked | null): Checked | null => {
  const last = events.at(-1)
  return last
    ? { revision: last.revision, hash: hashOf(last.meta), signed: from?.signed === true || events.some(({ meta }) => isSigned(meta)) }
    : from
}

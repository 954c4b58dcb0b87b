import type { Finding } from '#domain/history/contract.ts'
import { type Proof, proves } from '../anchor/proof.ts'
import { fingerprint, fingerprintIn, grouped, isSignedBy } from '../anchor/signing-key.ts'
import { commitmentsIn, commitmentTo } from '../crypto/commitment.ts'
import { isSealed } from '../crypto/seal.ts'
import { canonical, hashOf } from '../event-store/chain.ts'
import { isJsonObject, type Json, type JsonObject, type NewEvent } from '../event-store/event-store.ts'
import type { Verdict, VerificationFault } from '../verification/verification-result.ts'
import { type Placed, walk } from '../verification/verify.ts'

/** An event in an exported file: `data` as stored and sealed; `plain` unsealed, proven by `salts` if the event has commitments. */
export type ExportedEvent = NewEvent & {
  revision: string
  plain?: JsonObject
  salts?: Record<string, string>
  /** Ids that contain a phone number are left out, because the reader must not see them. Only the signature proves its hash. */
  withheld?: true
}
export type TicketHistory = {
  format: 'guiche-ticket-history'
  version: 2
  stream: string
  company: number
  ticket: JsonObject
  exportedAt: string
  /** The result of the exporting installation's own verification, which has the keys. */
  chain: Finding
  /** The public key of the exporting installation, for anchor and signature. */
  publicKey: string
  /** The newest anchor that covers the stream; null if there is none. */
  anchor?: Proof | null
  events: ExportedEvent[]
  signature?: string
}

/** The signed text: the canonical JSON of the file without its signature. */
const textOf = ({ signature: _, ...history }: Partial<TicketHistory>): string => canonical(history as unknown as Json)

export const signedBy = (sign: (text: string) => string, history: TicketHistory): TicketHistory => ({
  ...history,
  signature: sign(textOf(history)),
})

function parsed(text: string): Partial<TicketHistory> | null {
  try {
    return JSON.parse(text)
  } catch {
    // One JSON value per line: the heading, then the events.
    const [heading, ...events] = text.split('\n').filter((line) => line.trim() !== '')
    const head = JSON.parse(heading ?? '')
    if (isJsonObject(head) && 'events' in head) throw new Error('Events occur twice')
    return { ...head, events: events.map((line) => JSON.parse(line)) }
  }
}

/** Finds a duplicate key of a JSON object: a parser keeps the last value, but a reader may see the first. */
function namedTwice(text: string): string | null {
  const open: Set<string>[] = []
  for (const [token, key] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (key !== undefined) {
      const name: string = JSON.parse(key) // unescaped
      if (open.at(-1)!.has(name)) return name
      open.at(-1)!.add(name)
    }
  }
  return null
}

/** Finds a number whose text differs from the hashed value: 1e999 is read as null, 5.0000000000000000001 as 5. */
function writtenOtherwise(text: string): string | null {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g))
    if (token[0] !== '"' && JSON.stringify(Number(token)) !== token) return token
  return null
}

function placed(stream: string, event: ExportedEvent): Placed {
  const { revision, id, type, data, meta, withheld } = event
  if (!/^\d+$/.test(String(revision)) || typeof id !== 'string' || typeof type !== 'string' || !isJsonObject(data) || !isJsonObject(meta))
    throw new Error('Not an event')
  return { stream, revision: BigInt(revision), id, type, data, meta, ...(withheld === true && { withheld }) }
}

/** The field in which the heading differs from the first event or the stream name. Names and status are in no event. */
function otherHead({ stream, company, ticket, events }: Partial<TicketHistory>): string | null {
  const first = events?.[0]
  if (!first || !isJsonObject(first.data) || !isJsonObject(first.meta)) return null // reported when the events are verified
  const head = isJsonObject(ticket) ? ticket : {}
  const ones: [string, unknown, unknown][] = [
    ['company', company, first.meta.companyId],
    ['id', head.id, Number(stream?.split('-').at(-1))],
    ['uuid', head.uuid, first.data.uuid],
    ['contact', head.contactId ?? first.meta.contactId, first.meta.contactId],
  ]
  return ones.find(([, claimed, stored]) => claimed !== stored)?.[0] ?? null
}

const nothing = (stream: string): FileVerdict => ({
  ...{
    streams: 0,
    events: 0,
    signed: 0,
    macs: false,
    anchored: null,
    publicKey: null,
    exportedAt: null,
    anchor: null,
    withheld: 0,
  },
  bad: [{ stream, revision: null, event: null, reason: 'unreadable' }],
})

/** What an exported file proves besides its hash chain. */
export type FileVerdict = Verdict & {
  publicKey: string | null
  exportedAt: string | null
  anchor: { number: number; at: string; revision: number; behind: number } | null
  /** Events whose hash only the signature covers. */
  withheld: number
}

/** The first event whose readable part differs from its stored data or from its commitments. */
function editedIn(events: ExportedEvent[]): { at: number; field: string } | null {
  for (const [at, { data, meta, plain, salts = {} }] of events.entries()) {
    if (plain === undefined) continue
    if (!isJsonObject(plain) || !isJsonObject(salts)) return { at, field: 'plain' }
    const known = commitmentsIn(meta)
    for (const field of new Set([...Object.keys(data), ...Object.keys(plain)])) {
      const [stored, readable] = [data[field], plain[field]]
      if (!isSealed(stored)) {
        if (canonical(stored) !== canonical(readable) || field in data !== field in plain) return { at, field }
      } else if (readable !== undefined && commitmentTo(String(salts[field]), readable) !== known[field]) return { at, field }
    }
  }
  return null
}

/** Checks the signature of the file, and that its anchor covers these events. */
function sealFault(history: TicketHistory, given: string | undefined): Omit<VerificationFault, 'stream'> | null {
  const { stream, company, publicKey = '', anchor, events } = history
  const none = { revision: null, event: null }
  if (given !== undefined && fingerprintIn(given) !== fingerprint(publicKey))
    return { ...none, reason: 'key', detail: `it is signed with ${grouped(fingerprint(publicKey))}` }
  if (anchor) {
    const { head } = anchor
    if (!isJsonObject(head) || stream !== `ticket-${company}-${head.ticketId}` || !provesSafely(publicKey, company, anchor))
      return { ...none, reason: 'signature', detail: 'the anchor in it is not signed by that key, or not made over this stream' }
    const named = events.find(({ revision }) => revision === String(head.revision))
    const last = events.length - 1
    if (!named)
      return { revision: BigInt(last + 1), event: null, reason: 'cut', detail: `its anchor knows it up to revision ${head.revision}` }
    if (hashOf(named.meta) !== head.hash)
      return { revision: BigInt(named.revision), event: `${named.type} ${named.id}`, reason: 'anchor', detail: 'its anchor knows another' }
  }
  if (isSignedBy(publicKey, textOf(history), history.signature)) return null
  return { ...none, reason: 'signature', detail: 'the file is not as it was given out' }
}
function provesSafely(publicKey: string, company: number, proof: Proof): boolean {
  try {
    return proves(publicKey, company, proof)
  } catch {
    return false // a forger may have left any value there
  }
}

/** The failure that the exporting installation itself recorded in the file. */
function knownFault({ chain }: TicketHistory): Omit<VerificationFault, 'stream'> | null {
  if (!isJsonObject(chain) || chain.holds) return null
  const detail = `${chain.reason}, as reported by the installation that exported the file`
  return { revision: Number.isInteger(chain.brokenAt) ? BigInt(chain.brokenAt!) : null, event: null, reason: 'found', detail }
}

/** Verifies an exported history offline, without secrets or a database. `given`: a trusted public key or its fingerprint. */
export async function verifyExport(text: string, given?: string): Promise<FileVerdict> {
  let history: Partial<TicketHistory>
  try {
    history = parsed(text) ?? {}
  } catch {
    return nothing('')
  }
  const { format, version, stream, company, events } = history
  const sound = format === 'guiche-ticket-history' && version === 2 && typeof stream === 'string' && Array.isArray(events)
  if (!sound || !stream.startsWith(`ticket-${company}-`)) return nothing(String(stream ?? ''))
  const [twice, number] = [namedTwice(text), writtenOtherwise(text)]
  if (twice !== null || number !== null) {
    const detail = twice === null ? `it writes the number ${number!.slice(0, 40)}` : `it names ${JSON.stringify(twice)} twice`
    const fault = { stream, revision: null, event: null, reason: 'text' as const, detail }
    return { ...nothing(stream), streams: 1, events: events.length, bad: [fault] }
  }
  const walker = walk(null)
  for (const [i, event] of events.entries()) {
    try {
      walker.take(placed(stream, event))
    } catch {
      const { streams, events: walked, bad } = walker.verdict()
      return {
        ...{ ...nothing(stream), streams: Math.max(streams, 1), events: walked },
        bad: bad.length > 0 ? bad : [{ stream, revision: BigInt(i), event: null, reason: 'unreadable' }],
      }
    }
  }
  const verdict = { ...nothing(stream), ...walker.verdict() }
  if (verdict.bad.length > 0 || events.length === 0) return verdict
  const broken = (fault: Omit<VerificationFault, 'stream'>): FileVerdict => ({ ...verdict, bad: [{ stream, ...fault }] })
  const other = otherHead(history)
  if (other) return broken({ revision: 0n, event: other, reason: 'head' })
  if (typeof history.publicKey !== 'string')
    return broken({ revision: null, event: null, reason: 'signature', detail: 'the file is not signed' })
  const fault = editedIn(events)
  if (fault) {
    const { revision, type, id } = events[fault.at]!
    return broken({ revision: BigInt(revision), event: `${type} ${id}`, reason: 'text', detail: `${fault.field} is not what it stores` })
  }
  const whole = history as TicketHistory
  const unsealed = sealFault(whole, given) ?? knownFault(whole)
  if (unsealed) return broken(unsealed)
  const { anchor, publicKey, exportedAt } = whole
  const known = anchor ? { number: anchor.anchor.number, at: anchor.anchor.at, revision: anchor.head.revision } : null
  return {
    ...verdict,
    publicKey,
    exportedAt,
    withheld: events.filter(({ withheld }) => withheld).length,
    anchor: known && { ...known, behind: events.length - 1 - known.revision },
  }
}

import type { EventStore } from '../event-store/event-store.ts'
import type { VerificationFault, VerificationFinding } from '../verification/verification-result.ts'
import {
  type Anchor,
  anchorHash,
  anchorPrefix,
  anchorStream,
  createAnchorReader,
  isSigned,
  rootOver,
  type StoredAnchor,
  streamOfHead,
} from './anchor.ts'

/** Public keys by the id of the signing key. */
export type PublicKeys = Map<string, string>
export const publicKeys = (keys: { id: string; publicKey: string }[]): PublicKeys => new Map(keys.map((key) => [key.id, key.publicKey]))

type Scope = {
  eventStore: EventStore
  keys: PublicKeys
  companyId?: number | undefined
  /** Collects only the heads of this stream. */
  stream?: string
  /** The newest anchor number of each company in the tables. */
  known?: Map<number, number>
  /** Anchors that were published elsewhere; null if they are not to be compared. */
  published?: Anchor[] | null
  signal?: AbortSignal | undefined
}

/** Reads the anchors of one company or all. Checks that each is signed with our key, covers its heads and follows the previous one. */
export async function findAnchors({
  eventStore,
  keys,
  companyId,
  stream: only,
  known,
  published = null,
  signal,
}: Scope): Promise<VerificationFinding> {
  const heads: VerificationFinding['heads'] = new Map()
  const bad = new Map<string, VerificationFault>()
  const walks = new Map<string, ReturnType<typeof walk>>()
  const firsts: VerificationFinding['firsts'] = new Map()
  let [anchors, newest]: [number, VerificationFinding['newest']] = [0, null]
  const report = (stream: string, fault: Omit<VerificationFault, 'stream'>) => bad.has(stream) || bad.set(stream, { stream, ...fault })

  for await (const event of eventsOf(eventStore, companyId, signal)) {
    const own = walks.get(event.stream) ?? walk(keys, Number(event.stream.slice(anchorPrefix.length)))
    walks.set(event.stream, own)
    const { kept, fault } = own.take(event)
    if (fault) report(event.stream, { revision: event.revision, event: `${event.type} ${event.id}`, ...fault })
    if (!kept || fault) continue
    anchors += 1
    const { company, number, at } = kept.anchor
    if (!newest || newest.at < at) newest = { company, number, at }
    if (!firsts.has(company)) firsts.set(company, at)
    for (const head of kept.heads) {
      const { revision, hash } = head
      const stream = streamOfHead(company, head)
      if (only !== undefined && stream !== only) continue
      const list = heads.get(stream) ?? []
      list.push({ revision: BigInt(revision), hash, number })
      heads.set(stream, list)
    }
  }
  for (const [company, number] of known ?? []) {
    const last = walks.get(anchorStream(company))?.last() ?? 0
    if (last < number)
      report(anchorStream(company), { revision: null, event: null, reason: 'cut', detail: `anchor ${last + 1} is not there any more` })
  }
  const relevantPublished = published?.filter(({ company }) => companyId === undefined || company === companyId)
  for (const one of relevantPublished ?? []) {
    const fault = comparePublished(one, keys, walks.get(anchorStream(one.company))?.hashes)
    if (fault) report(anchorStream(one.company), { revision: null, event: null, reason: 'published', detail: fault })
  }
  for (const list of heads.values()) list.sort((a, b) => Number(a.revision - b.revision))
  const companies = new Set([...(known?.keys() ?? []), ...(companyId === undefined ? [] : [companyId])])
  for (const stream of walks.keys()) companies.add(Number(stream.slice(anchorPrefix.length)))
  for (const { company } of relevantPublished ?? []) companies.add(company)
  const compared = [...companies]
    .sort((a, b) => a - b)
    .map((company) => {
      const lines = relevantPublished?.filter((one) => one.company === company) ?? []
      const last = lines.reduce<Anchor | null>((most, one) => (most && most.number >= one.number ? most : one), null)
      const here = Math.max(walks.get(anchorStream(company))?.last() ?? 0, known?.get(company) ?? 0)
      return { company, anchors: lines.length, newest: last && { number: last.number, at: last.at }, behind: here - (last?.number ?? 0) }
    })
  return { anchors, newest, firsts, heads, bad: [...bad.values()], published: relevantPublished ? compared : null }
}

async function* eventsOf(eventStore: EventStore, companyId: number | undefined, signal?: AbortSignal) {
  if (companyId !== undefined) return yield* (await eventStore.read(anchorStream(companyId))).events
  const enough = new AbortController()
  try {
    for await (const { events, caughtUp } of eventStore.subscribe(
      null,
      anchorPrefix,
      AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]),
    )) {
      yield* events
      if (caughtUp) return
    }
  } finally {
    enough.abort()
  }
  throw new Error('Verification stopped before the end of the anchors')
}

type Fault = Pick<VerificationFault, 'reason' | 'detail'>

/** Checks the anchors of one company in order. */
function walk(keys: PublicKeys, company: number) {
  const read = createAnchorReader()
  const hashes = new Map<number, string>()
  let [revision, number, previous] = [-1n, 0, '']
  function faultOf({ anchor, heads }: StoredAnchor): Fault | null {
    const named = `anchor ${anchor.number}`
    const key = keys.get(anchor.key)
    if (keys.size === 0) return { reason: 'signature', detail: `${named}: no key is there to check it by` }
    if (anchor.company !== company || key === undefined || !isSigned(key, anchor))
      return { reason: 'signature', detail: `${named} is not signed by this installation` }
    if (anchor.number !== number + 1) return { reason: 'gap', detail: `anchor ${number + 1} is missing` }
    if (anchor.previous !== previous) return { reason: 'hash', detail: `${named} does not follow the one before it` }
    const whole = anchor.heads === heads.length && anchor.root === rootOver(company, heads)
    return whole ? null : { reason: 'root', detail: `${named} was made over other heads` }
  }
  return {
    take(event: Parameters<typeof read>[0]): { kept: StoredAnchor | null; fault: Fault | null } {
      const expected = revision + 1n
      revision = event.revision
      const kept = read(event)
      const fault = event.revision === expected ? kept && faultOf(kept) : { reason: 'gap' as const, detail: 'a record is missing' }
      if (kept && Number.isInteger(kept.anchor.number)) {
        number = kept.anchor.number
        previous = anchorHash(kept.anchor)
        hashes.set(number, previous)
      }
      return { kept, fault }
    },
    last: () => number,
    hashes,
  }
}

/** How a published anchor differs from the event store; null if it does not. */
function comparePublished(one: Anchor, keys: PublicKeys, hashes: Map<number, string> | undefined): string | null {
  const key = keys.get(one.key)
  if (key === undefined || !isSigned(key, one)) return `anchor ${one.number} as it was published is not signed by this installation`
  const stored = hashes?.get(one.number)
  if (stored === undefined) return `anchor ${one.number} was published and is not in the log`
  return stored === anchorHash(one) ? null : `anchor ${one.number} was published with other words`
}

/** Parses published anchors, one per line; null if a line is no anchor. */
export function publishedIn(text: string): Anchor[] | null {
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const all = lines.map((line) => JSON.parse(line) as Anchor)
    return all.every((one) => one?.format === 'guiche-anchor' && Number.isInteger(one.company) && Number.isInteger(one.number)) ? all : null
  } catch {
    return null
  }
}

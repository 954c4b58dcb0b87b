import { createHash, randomUUID } from 'node:crypto'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { canonical } from '../event-store/chain.ts'
import { isJsonObject, type JsonObject, type NewEvent, type StoredEvent } from '../event-store/event-store.ts'
import { rootOf } from './merkle.ts'
import { isSignedBy, type SigningKey } from './signing-key.ts'

/** The head of a stream: its category and id, its newest revision and that event's hash. */
export type Head = { kind: string; id: number; revision: number; hash: string }

/** The signed statement: the Merkle root over the stream heads of a company that changed since the previous anchor. */
export type Statement = {
  format: 'guiche-anchor'
  company: number
  /** 1, 2, 3 … without gaps. */
  number: number
  at: string
  previous: string
  heads: number
  root: string
  /** The id of the signing key. */
  key: string
}
export type Anchor = Statement & { signature: string }

export const anchorPrefix = 'anchor-'
export const anchorStream = (companyId: number): string => `${anchorPrefix}${companyId}`

export const streamOfHead = (company: number, { kind, id }: Head): string => streamName({ stream: kind }, company, id)
export const leafOf = (company: number, head: Head): string =>
  canonical({ stream: streamOfHead(company, head), revision: head.revision, hash: head.hash })
export const rootOver = (company: number, heads: readonly Head[]): string => rootOf(heads.map((head) => leafOf(company, head)))

const textOf = ({ format, company, number, at, previous, heads, root, key }: Statement): string =>
  canonical({ format, company, number, at, previous, heads, root, key })

/** The hash by which the next anchor refers to this one. */
export const anchorHash = (anchor: Statement): string => createHash('sha256').update(textOf(anchor)).digest('hex')

export function signAnchor(
  key: SigningKey,
  company: number,
  last: Pick<Statement, 'number'> & { hash: string },
  heads: Head[],
  at: string,
): Anchor {
  const statement: Statement = {
    ...{ format: 'guiche-anchor', company, number: last.number + 1, at, previous: last.hash },
    ...{ heads: heads.length, root: rootOver(company, heads), key: key.id },
  }
  return { ...statement, signature: key.sign(textOf(statement)) }
}

export const isSigned = (publicKey: string, anchor: Anchor): boolean => isSignedBy(publicKey, textOf(anchor), anchor.signature)

/** Heads per event, well below the maximum size of an event. */
const headsInEvent = 500
type Listed = [id: number, revision: number, hash: string]
/** The category of heads without a kind, as in the first anchors. */
const defaultKind = ticketStream.stream

/** The events of an anchor for one append: its heads, grouped by category, and the anchor itself. */
export function anchorEvents(anchor: Anchor, heads: readonly Head[]): NewEvent[] {
  const { company, number, at } = anchor
  const meta = { v: 1, companyId: company, at }
  const parts = [...Map.groupBy(heads, ({ kind }) => kind)].flatMap(([kind, own]) =>
    Array.from({ length: Math.ceil(own.length / headsInEvent) }, (_, i) => {
      const some = own.slice(i * headsInEvent, (i + 1) * headsInEvent)
      const listed = some.map(({ id, revision, hash }): Listed => [id, revision, hash])
      return { id: randomUUID(), type: 'HeadsListed', data: { number, ...(kind !== defaultKind && { kind }), heads: listed }, meta }
    }),
  )
  return [...parts, { id: randomUUID(), type: 'AnchorMade', data: anchor as unknown as JsonObject, meta }]
}

/** `first` and `revision`: the revisions of the anchor's first and last event. */
export type StoredAnchor = { anchor: Anchor; heads: Head[]; first: number; revision: number }

const isHead = (value: unknown): value is Listed =>
  Array.isArray(value) && Number.isInteger(value[0]) && Number.isInteger(value[1]) && typeof value[2] === 'string'

/** Reads the events of an anchor stream in order and returns each complete anchor. Checks all types, because events may be forged. */
export function createAnchorReader() {
  let heads: Head[] = []
  let first: number | null = null
  return ({ type, data, revision }: Pick<StoredEvent, 'type' | 'data' | 'revision'>): StoredAnchor | null => {
    first ??= Number(revision)
    if (type !== 'AnchorMade') {
      const { kind = defaultKind, heads: named } = isJsonObject(data) ? data : {}
      const listed = Array.isArray(named) ? named.filter(isHead) : []
      for (const [id, at, hash] of listed) heads.push({ kind: typeof kind === 'string' ? kind : '', id, revision: at, hash })
      return null
    }
    const kept = { anchor: (isJsonObject(data) ? data : {}) as unknown as Anchor, heads, first, revision: Number(revision) }
    heads = []
    first = null
    return kept
  }
}

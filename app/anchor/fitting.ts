import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Finding } from '#domain/history/contract.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { type Checked, check, checkedBy, hashOf } from '../event-store/chain.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { keepFinding } from '../history/findings.ts'
import { type Head, streamOfHead } from './anchor.ts'
import { anchoredAs } from './proof.ts'
import type { SigningKey } from './signing-key.ts'

export type Deps = {
  db: Kysely<Database>
  eventStore: EventStore
  signingKey: SigningKey
  eventMacKeys: EventMacKeys & { current: EventMacKey }
  logger: Logger
  /** Leaves two thirds of the time to other work of this process. Not used at shutdown, which waits for the anchors. */
  gently?: boolean
}

/** Shorter streams are checked from the start, longer ones from their last anchor, whose hash covers the earlier events. */
const shortStreamLength = 200
const [atOnce, partSize] = [16, 2000]

/**
 * Returns the heads of the streams whose hash chain and MACs are valid. Invalid streams are never signed: the failure is recorded and
 * reported once.
 */
export async function selectValidHeads(deps: Deps, companyId: number, heads: Head[], signal: AbortSignal): Promise<Head[]> {
  const valid: Head[] = []
  for (let i = 0; i < heads.length; i += atOnce) {
    signal.throwIfAborted()
    const began = performance.now()
    const some = heads.slice(i, i + atOnce)
    const faults = await Promise.all(some.map((head) => faultOf(deps, companyId, head)))
    for (const [n, head] of some.entries()) {
      const fault = faults[n]
      if (!fault) valid.push(head)
      else if (head.kind === ticketStream.stream) await keepFinding(deps, { companyId, ticketId: head.id }, fault)
      else deps.logger.error({ stream: streamOfHead(companyId, head), ...fault }, 'Stream was altered; not anchored')
    }
    if (deps.gently) await sleep(2 * (performance.now() - began), undefined, { signal })
  }
  return valid
}

async function faultOf(deps: Deps, companyId: number, head: Head): Promise<Finding | null> {
  const { eventStore, eventMacKeys } = deps
  const broken = (revision: bigint, reason: Finding['reason']): Finding => ({ holds: false, brokenAt: Number(revision), reason })
  const stream = streamOfHead(companyId, head)
  const known = await findTrustedAnchor(deps, companyId, head)
  let last: Checked | null = null
  for (let from = BigInt(known?.revision ?? 0); ; ) {
    let { events } = await eventStore.read(stream, from, partSize)
    const more = events.length === partSize
    const first = events[0]
    if (known && !last && first) {
      if (Number(first.revision) !== known.revision || hashOf(first.meta) !== known.hash) return broken(from, 'anchor')
      last = { revision: first.revision, hash: known.hash, signed: true }
      events = events.slice(1)
    }
    const misfit = check(events, last, eventMacKeys)
    if (misfit) return broken(misfit.revision, misfit.reason)
    last = checkedBy(events, last)
    if (!last) return broken(from, 'cut')
    if (!more) return last.revision < BigInt(head.revision) ? broken(last.revision + 1n, 'cut') : null
    from = last.revision + 1n
  }
}

async function findTrustedAnchor({ db, eventStore, signingKey }: Deps, companyId: number, { kind, id, revision }: Head) {
  if (kind !== ticketStream.stream || revision < shortStreamLength) return null
  const known = await anchoredAs({ db, eventStore, publicKey: signingKey.publicKey }, { companyId, ticketId: id })
  return known?.sound ? known : null
}

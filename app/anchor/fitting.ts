import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Finding } from '#domain/history/contract.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { type Checked, check, checkedBy, hashOf, isSigned } from '../event-store/chain.ts'
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
  /** Whoever else works in this process has two thirds of it meanwhile; not where it stops and waits for this alone. */
  gently?: boolean
}

/** A stream of so few events is read whole; of a longer one what came since its last anchor, whose hash says what was before. */
const whole = 200
const [atOnce, partSize] = [16, 2000]

/** The heads of those streams that hold, chain and MACs, up to there. The house signs no other: it is kept on record, told once, and left out. */
export async function fitting(deps: Deps, companyId: number, heads: Head[], signal: AbortSignal): Promise<Head[]> {
  const fit: Head[] = []
  for (let i = 0; i < heads.length; i += atOnce) {
    signal.throwIfAborted()
    const began = performance.now()
    const some = heads.slice(i, i + atOnce)
    const faults = await Promise.all(some.map((head) => faultOf(deps, companyId, head)))
    for (const [n, head] of some.entries()) {
      const fault = faults[n]
      if (!fault) fit.push(head)
      else if (head.kind === ticketStream.stream) await keepFinding(deps, { companyId, ticketId: head.id }, fault)
      else deps.logger.error({ stream: streamOfHead(companyId, head), ...fault }, 'a stream was changed; it is not anchored')
    }
    if (deps.gently) await sleep(2 * (performance.now() - began), undefined, { signal })
  }
  return fit
}

async function faultOf(deps: Deps, companyId: number, head: Head): Promise<Finding | null> {
  const { eventStore, eventMacKeys } = deps
  const broken = (revision: bigint, reason: Finding['reason']): Finding => ({ holds: false, brokenAt: Number(revision), reason })
  const stream = streamOfHead(companyId, head)
  const known = await knownOf(deps, companyId, head)
  let last: Checked | null = null
  for (let from = BigInt(known?.revision ?? 0); ; ) {
    let { events } = await eventStore.read(stream, from, partSize)
    const more = events.length === partSize
    const first = events[0]
    if (known && !last && first) {
      if (Number(first.revision) !== known.revision || hashOf(first.meta) !== known.hash) return broken(from, 'anchor')
      last = { revision: first.revision, hash: known.hash, signed: eventMacKeys.all || isSigned(first.meta) }
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

async function knownOf({ db, eventStore, signingKey }: Deps, companyId: number, { kind, id, revision }: Head) {
  if (kind !== ticketStream.stream || revision < whole) return null
  const known = await anchoredAs({ db, eventStore, publicKey: signingKey.publicKey }, { companyId, ticketId: id })
  return known?.sound ? known : null
}

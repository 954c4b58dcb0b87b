import { anchorStream } from '#app/anchor/anchor.ts'
import { type Checked, check, hashOf, isSigned, type MacKeys, unchecked } from '#app/event-store/chain.ts'
import type { EventStore, StoredEvent } from '#app/event-store/event-store.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { datedBack, recordedAt } from './timestamp-check.ts'
import type { Anchored, Verdict, VerificationFault, VerificationFinding } from './verification-result.ts'

export type Placed = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'meta'> & { withheld?: true }

/** An additional check of each page. */
type Look = (events: Placed[]) => Promise<void>

/** Verifies many streams at once. `inOrder`: events come in store order, so once any event has a MAC, no stream may start without one. */
export function walk(keys: MacKeys | null, inOrder = false, found: VerificationFinding | null = null) {
  let signed = 0
  const last = new Map<string, Checked>()
  const bad = new Map<string, VerificationFault>()
  let events = 0
  const anchored = (stream: string) => found?.heads.get(stream) ?? []
  /** Number of anchored heads of each stream that its events have passed. */
  const passed = new Map<string, number>()
  /** Recording time of the first event of each company. */
  const begun = new Map<number, number>()

  function compareWithAnchors({ stream, revision, type, id }: Placed, hash: string): VerificationFault | null {
    const list = anchored(stream)
    let at = passed.get(stream) ?? 0
    let other: Anchored | null = null
    for (; at < list.length && list[at]!.revision <= revision; at += 1) if (list[at]!.hash !== hash) other ??= list[at]!
    passed.set(stream, at)
    return other && { stream, revision, event: `${type} ${id}`, reason: 'anchor', detail: `anchor ${other.number} knows another` }
  }
  function findCutStreams(): VerificationFault[] {
    return [...(found?.heads ?? [])].flatMap(([stream, list]): VerificationFault[] => {
      const { revision, number } = list.at(-1)!
      const end = last.get(stream)?.revision
      if (bad.has(stream) || (end !== undefined && end >= revision)) return []
      const detail = `anchor ${number} knows it up to revision ${revision}`
      return [{ stream, revision: (end ?? -1n) + 1n, event: null, reason: end === undefined ? 'removed' : 'cut', detail }]
    })
  }
  function countUnanchored(): number {
    let count = 0
    for (const [stream, { revision }] of last) {
      const known = anchored(stream).at(-1)?.revision ?? -1n
      if (revision > known) count += Number(revision - known)
    }
    return count
  }

  function begins(company: number, at: number): void {
    if (at < (begun.get(company) ?? Number.POSITIVE_INFINITY)) begun.set(company, at)
  }

  return {
    take(event: Placed): void {
      events += 1
      const { stream, revision } = event
      if (found && revision === 0n && !datedBack(event)) begins(Number(stream.split('-').at(-2)), recordedAt(event))
      const before = last.get(stream) ?? { ...unchecked(keys), ...(inOrder && signed > 0 && { signed: true }) }
      if (isSigned(event.meta)) signed += 1 // also after a failure, where nothing more is checked
      if (bad.has(stream)) return
      const misfit = check([event], before, keys)
      const fault = misfit ? { stream, event: `${event.type} ${event.id}`, ...misfit } : compareWithAnchors(event, hashOf(event.meta))
      if (fault) bad.set(stream, fault)
      last.set(stream, { revision, hash: hashOf(event.meta), signed: before.signed || isSigned(event.meta) })
    },
    verdict: (): Verdict => ({
      ...{
        streams: last.size,
        events,
        signed,
        macs: keys !== null,
        bad: [...bad.values(), ...findCutStreams(), ...findMissingAnchors(begun, found), ...(found?.bad ?? [])],
      },
      anchored: found && {
        anchors: found.anchors,
        newest: found.newest,
        firsts: found.firsts,
        published: found.published,
        behind: countUnanchored(),
      },
    }),
  }
}

/** A company has an anchor on the day of its first event. If anchors were removed, the first one is missing or too late. */
function findMissingAnchors(begun: ReadonlyMap<number, number>, found: VerificationFinding | null): VerificationFault[] {
  return [...begun].flatMap(([company, at]): VerificationFault[] => {
    const first = found?.firsts.get(company)
    if (Date.parse(first ?? new Date().toISOString()) - at < dayMs) return []
    const detail = `${first ? `the first anchor is of ${first}` : 'there is no anchor'}, and the first event of ${new Date(at).toISOString()}`
    return [{ stream: anchorStream(company), revision: null, event: null, reason: 'cut', detail }]
  })
}

export async function verifyEvents(
  events: Iterable<Placed> | AsyncIterable<Placed>,
  keys: MacKeys | null = null,
  found: VerificationFinding | null = null,
): Promise<Verdict> {
  const walker = walk(keys, false, found)
  for await (const event of events) walker.take(event)
  return walker.verdict()
}

/** Verifies all streams with these prefixes up to the current end, and compares them with the given anchors. */
export async function verifyLog(
  eventStore: EventStore,
  prefixes: string[],
  keys: MacKeys | null = null,
  found: VerificationFinding | null = null,
  signal?: AbortSignal,
  look: Look = async () => {},
): Promise<Verdict> {
  const done = new AbortController()
  const stop = signal ? AbortSignal.any([signal, done.signal]) : done.signal
  const walker = walk(keys, true, found)
  try {
    for (const prefix of prefixes) {
      let ended = false
      for await (const { events, caughtUp } of eventStore.subscribe(null, prefix, stop)) {
        for (const event of events) walker.take(event)
        await look(events)
        ended = caughtUp
        if (ended) break
      }
      if (!ended) throw new Error('Verification stopped before the end of the event store')
    }
    return walker.verdict()
  } finally {
    done.abort()
  }
}

export async function verifyStream(
  eventStore: EventStore,
  stream: string,
  keys: MacKeys | null = null,
  found: VerificationFinding | null = null,
  look: Look = async () => {},
): Promise<Verdict> {
  const { events } = await eventStore.read(stream)
  await look(events)
  return verifyEvents(events, keys, found)
}

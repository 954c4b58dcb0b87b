import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newDataKey, seal } from '#app/crypto/seal.ts'
import { canonical, chained, check, hashOf, link } from '#app/event-store/chain.ts'
import type { EventStore, JsonObject, StoredEvent } from '#app/event-store/event-store.ts'
import { signedBy, type TicketHistory, verifyExport } from '#app/history/exported.ts'
import { verifyEvents, verifyLog, verifyStream } from '#app/verification/verify.ts'

const key = newDataKey()
const signer = generateKeyPairSync('ed25519')
const signed = (file: TicketHistory) => signedBy((text) => sign(null, Buffer.from(text), signer.privateKey).toString('base64url'), file)

/** A stream as stored: encrypted, chained and written in two appends. */
function history(stream: string, count = 12): StoredEvent[] {
  const offered = Array.from({ length: count }, (_, i) => {
    const data = { messageId: randomUUID(), body: `Olá nº ${i} — "ok"`, queueId: i % 3 ? 5 : null, tags: [{ b: i, a: [1.5, true] }] }
    const meta = { companyId: 1, by: { kind: 'user', id: 7 }, at: `2026-01-01T00:00:${10 + i}.000Z`, v: 1 }
    const { data: hidden } = seal({ stream, id: `${i}`, data }, key, ['body'])
    return { id: randomUUID(), type: i === 0 ? 'TicketOpened' : 'MessageReceived', data: hidden as JsonObject, meta }
  })
  const first = chained('', stream, 0n, offered.slice(0, 3))
  const rest = chained(hashOf(first.at(-1)!.meta), stream, 3n, offered.slice(3))
  return [...first, ...rest].map((event, i) => ({ ...event, stream, revision: BigInt(i), position: BigInt(i + 1) }))
}

function exported(events: StoredEvent[], company = 1): TicketHistory {
  return signed({
    format: 'guiche-ticket-history',
    version: 2,
    stream: events[0]!.stream,
    company,
    ticket: { id: Number(events[0]!.stream.split('-').at(-1)) },
    exportedAt: '2026-02-01T00:00:00.000Z',
    chain: { holds: true } as TicketHistory['chain'],
    publicKey: signer.publicKey.export({ format: 'jwk' }).x!,
    events: events.map(({ revision, id, type, data, meta }) => ({
      revision: revision.toString(),
      id,
      type,
      data,
      meta,
      plain: { ...data, body: undefined },
    })),
  } as unknown as TicketHistory)
}

describe('the canonical JSON text', () => {
  it('is the same for any key order', () => {
    expect(canonical({ b: 1, a: { d: [1, { z: null, y: 'ç' }], c: true } })).toBe('{"a":{"c":true,"d":[1,{"y":"ç","z":null}]},"b":1}')
  })
  it('is the same for the stored and reloaded data', () => {
    const data = { at: undefined, list: [0.1, -0, 1e21, 5e-324], text: '\u2028"\\', '10': 1, '9': 2 }
    expect(canonical(data as unknown as JsonObject)).toBe(canonical(JSON.parse(JSON.stringify(data))))
  })
})

describe('a chained stream', () => {
  const stream = 'ticket-1-0b9f7f0e-6f0e-4c7e-9a55-0d6a35bb6a01'
  const events = history(stream)

  it('is valid', () => {
    expect(check(events)).toBe(null)
    expect(check(events.slice(5), { revision: 4n, hash: hashOf(events[4]!.meta), signed: false })).toBe(null)
    expect(check([])).toBe(null)
  })

  it('starts with an empty previous hash', () => expect(hashOf(events[0]!.meta)).toBe(link('', stream, 0n, events[0]!)))

  it('reveals the first event that was removed, moved, duplicated or inserted', () => {
    expect(check(events.toSpliced(4, 1))).toEqual({ revision: 5n, reason: 'gap' })
    expect(check(events.slice(1))).toEqual({ revision: 1n, reason: 'gap' })
    expect(check(events.toSpliced(4, 0, events[3]!))).toEqual({ revision: 3n, reason: 'gap' })
    const renumbered = events.toSpliced(4, 1).map((event, i) => ({ ...event, revision: BigInt(i) }))
    expect(check(renumbered)).toEqual({ revision: 4n, reason: 'hash' })
    const other = history('ticket-1-other')
    expect(check(events.with(6, { ...other[6]!, stream }))).toEqual({ revision: 6n, reason: 'hash' })
    const { hash, ...bare } = events[2]!.meta
    expect(check(events.with(2, { ...events[2]!, meta: bare }))).toEqual({ revision: 2n, reason: 'hash' })
  })

  it('reveals one recomputed hash at the next event', () => {
    const [forged] = chained(hashOf(events[3]!.meta), stream, 4n, [{ ...events[4]!, data: { body: 'never said' } }])
    expect(check(events.with(4, { ...events[4]!, ...forged! }))).toEqual({ revision: 5n, reason: 'hash' })
  })

  it('reveals any flipped bit in id, type, data or meta', () => {
    let found = 0
    for (let round = 0; found < 4000; round += 1) {
      const at = round % events.length
      const field = (['id', 'type', 'data', 'meta'] as const)[Math.floor(round / events.length) % 4]!
      const stored = Buffer.from(JSON.stringify(events[at]![field]))
      const place = Math.floor(Math.random() * stored.length)
      stored[place] = stored[place]! ^ (1 << Math.floor(Math.random() * 8))
      const text = stored.toString()
      let value: JsonObject
      try {
        value = JSON.parse(text)
      } catch {
        // Invalid JSON cannot be read at all.
        found += 1
        continue
      }
      const spoilt = events.with(at, { ...events[at]!, [field]: value } as StoredEvent)
      const misfit = check(spoilt)
      expect(misfit, `${field} of ${at}: ${text}`).toEqual({ revision: BigInt(at), reason: 'hash' })
      found += 1
    }
  })
})

describe('verification', () => {
  const streams = Array.from({ length: 6 }, (_, i) => history(`ticket-${i < 4 ? 1 : 2}-${i}`, 8))
  const mixed = Array.from({ length: 8 }, (_, i) => streams.map((events) => events[i]!)).flat()

  const logOf = (events: StoredEvent[]): EventStore => ({
    read: async (stream) => ({ events: events.filter((event) => event.stream === stream), revision: 'none' }),
    append: () => Promise.reject(new Error('nothing is written here')),
    async *subscribe(_, prefix) {
      const own = events.filter(({ stream }) => stream.startsWith(prefix))
      yield { events: own.slice(0, 10), position: 10n, caughtUp: false }
      yield { events: own.slice(10), position: 99n, caughtUp: true }
    },
    readHeadPosition: async () => 99n,
    close: async () => {},
  })

  it('counts valid streams and events', async () => {
    const log = logOf(mixed)
    expect(await verifyLog(log, ['ticket-'])).toMatchObject({ streams: 6, events: 48, bad: [] })
    expect(await verifyLog(log, ['ticket-2-'])).toMatchObject({ streams: 2, events: 16, bad: [] })
    expect(await verifyStream(log, 'ticket-1-3')).toMatchObject({ streams: 1, events: 8, bad: [] })
  })

  it('names the first bad revision of each bad stream', async () => {
    const spoilt = mixed
      .map((event) => (event.stream === 'ticket-1-2' && event.revision >= 3n ? { ...event, type: 'TicketClosed' } : event))
      .filter(({ stream, revision }) => stream !== 'ticket-2-5' || revision !== 6n)
    const idAt = (of: string, at: bigint) => mixed.find(({ stream, revision }) => stream === of && revision === at)!.id
    expect(await verifyEvents(spoilt)).toMatchObject({
      streams: 6,
      events: 47,
      bad: [
        { stream: 'ticket-1-2', revision: 3n, event: `TicketClosed ${idAt('ticket-1-2', 3n)}`, reason: 'hash' },
        { stream: 'ticket-2-5', revision: 7n, event: expect.stringContaining(idAt('ticket-2-5', 7n)), reason: 'gap' },
      ],
    })
  })

  it('fails if it was stopped early', async () => {
    const log: EventStore = { ...logOf(mixed), async *subscribe() {} }
    await expect(verifyLog(log, ['ticket-'])).rejects.toThrow('stopped')
  })

  const file = exported(streams[0]!)
  const lines = ({ events, ...heading }: TicketHistory) => [heading, ...events].map((one) => JSON.stringify(one)).join('\n')

  it('reads an exported file, as JSON or as lines, without a key', async () => {
    const sound = { streams: 1, events: 8, signed: 0, macs: false, bad: [], anchored: null }
    expect(await verifyExport(JSON.stringify(file))).toMatchObject(sound)
    expect(await verifyExport(JSON.stringify(file, null, 2))).toMatchObject(sound)
    expect(await verifyExport(`${lines(file)}\n`)).toMatchObject(sound)
    const unreadable = signed({ ...file, events: file.events.map(({ plain, ...event }) => event) })
    expect(await verifyExport(JSON.stringify(unreadable))).toMatchObject(sound)
  })

  it('finds changes in an exported file', async () => {
    const changed = { ...file, events: file.events.with(5, { ...file.events[5]!, data: {} }) }
    for (const text of [JSON.stringify(changed), lines(changed)]) {
      expect((await verifyExport(text)).bad).toEqual([
        { stream: 'ticket-1-0', revision: 5n, event: `${changed.events[5]!.type} ${changed.events[5]!.id}`, reason: 'hash' },
      ])
    }
    expect((await verifyExport(JSON.stringify({ ...file, stream: 'ticket-1-9' }))).bad).toEqual([
      { stream: 'ticket-1-9', revision: 0n, event: `${file.events[0]!.type} ${file.events[0]!.id}`, reason: 'hash' },
    ])
  })

  it('reports a file that is no history as unreadable', async () => {
    for (const text of [
      '',
      'x',
      '[]',
      '{}',
      'null',
      '7',
      JSON.stringify({ ...file, version: 3 }),
      JSON.stringify({ ...file, company: 2 }),
    ]) {
      expect((await verifyExport(text)).bad, text).toMatchObject([{ revision: null, reason: 'unreadable' }])
    }
    const odd = { ...file, events: [file.events[0], null, 7] }
    expect((await verifyExport(JSON.stringify(odd))).bad).toEqual([
      { stream: 'ticket-1-0', revision: 1n, event: null, reason: 'unreadable' },
    ])
  })
})

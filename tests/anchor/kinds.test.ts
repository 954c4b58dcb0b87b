import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchorStream, createAnchorReader } from '#app/anchor/anchor.ts'
import { findAnchors, publicKeys } from '#app/anchor/check.ts'
import { anchorAll } from '#app/anchor/make.ts'
import { createAggregateRepository } from '#app/event-store/aggregate-repository.ts'
import { chained } from '#app/event-store/chain.ts'
import type { StoredEvent } from '#app/event-store/event-store.ts'
import { openSnapshots } from '#app/event-store/snapshots.ts'
import { lineOf } from '#app/verification/verification-result.ts'
import { verifyLog } from '#app/verification/verify.ts'
import { prefixOf } from '#domain/stream.ts'
import { counterStream } from '#tests/support/counter.ts'
import { engines, type Forger, forgedInstallation } from '#tests/support/forger.ts'
import type { TestApp } from '#tests/support/server.ts'

const never = new AbortController().signal

describe.each(engines)('another stream category beside tickets, on %s', (engine) => {
  let app: TestApp
  let forger: Forger
  let stop: () => Promise<void>
  let ticketId: number
  beforeAll(async () => {
    ;({ house: app, forger, stop } = await forgedInstallation(engine, [{ streamCategories: [counterStream] }]))
    const { contacts, connections, queues } = app.company
    const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
    ticketId = (await app.as('bruno')('POST', '/tickets', asked)).body.id
    for (const amount of [1, 2, 3]) await add(7, amount)
    await add(8, 1)
    await app.settled()
    await anchorAll(app.ctx, never)
  })
  afterAll(() => stop())

  async function add(id: number, amount: number): Promise<void> {
    const { db, eventMacKeys, contactKeys, eventStore, clock } = app.ctx
    const snapshots = openSnapshots(db, eventMacKeys.current, counterStream.snapshot.version)
    const store = createAggregateRepository(counterStream, { eventStore, contactKeys, signer: eventMacKeys.current, snapshots, clock })
    await store.execute(id, { type: 'Add', amount, companyId: 1, by: { kind: 'system' } }, crypto.randomUUID())
  }
  async function anchors() {
    const read = createAnchorReader()
    return (await app.ctx.eventStore.read(anchorStream(1))).events.flatMap((event) => read(event) ?? [])
  }
  async function found(): Promise<string[]> {
    const { eventStore, signingKey, streams, eventMacKeys } = app.ctx
    const anchored = await findAnchors({ eventStore, keys: publicKeys([signingKey]) })
    const { bad } = await verifyLog(eventStore, streams.map(prefixOf), eventMacKeys, anchored)
    return bad.map((one) => lineOf(one))
  }

  it('is covered by the same anchors as the tickets, as far as it changed', async () => {
    const heads = async () => (await anchors()).map((one) => one.heads.map(({ kind, id, revision }) => [kind, id, revision]))
    const [first] = await heads()
    expect(first).toEqual([
      ['counter', 7, 2],
      ['counter', 8, 0],
      ['ticket', ticketId, expect.any(Number)],
    ])
    expect(await anchorAll(app.ctx, never)).toBe(0)
    await add(8, 2)
    expect(await anchorAll(app.ctx, never)).toBe(1)
    expect(await heads()).toEqual([first, [['counter', 8, 1]]])
    const rows = await app.db.selectFrom('ticketAnchor').select(['ticketId', 'number']).execute()
    expect(rows).toEqual([{ ticketId, number: 1 }])
    expect(await found()).toEqual([])
  })

  it.each([
    [
      'its last events removed',
      (events: StoredEvent[]) => events.slice(0, 2),
      /^BROKEN counter-1-7 at revision 2: cut \(anchor 1 knows it up to revision 2\)$/,
    ],
    ['all events removed', () => [], /^BROKEN counter-1-7 at revision 0: removed \(anchor 1 knows it up to revision 2\)$/],
    [
      'an event rewritten with its chain and the MAC key',
      rechained,
      /^BROKEN counter-1-7 at revision 2, Added \S+: anchor \(anchor 1 knows another\)$/,
    ],
  ])('with %s is detected', async (_, change, line) => {
    const undo = await forger.rewrite('counter-1-7', change)
    expect(await found()).toEqual([expect.stringMatching(line)])
    await undo()
    expect(await found()).toEqual([])
  })

  function rechained(events: StoredEvent[]): StoredEvent[] {
    const changed = events.map((event, i) => {
      const { mac: _, macKey: __, hash: ___, ...meta } = event.meta
      return { ...event, meta, data: i === 1 ? { amount: 2000 } : event.data }
    })
    const anew = chained('', 'counter-1-7', 0n, changed, app.ctx.eventMacKeys.current)
    return events.map((event, i) => ({ ...event, data: changed[i]!.data, meta: anew[i]!.meta }))
  }
})

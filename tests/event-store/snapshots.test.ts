import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAggregateRepository } from '#app/event-store/aggregate-repository.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { openSnapshots } from '#app/event-store/snapshots.ts'
import { openClock } from '#app/scheduler/clock.ts'
import type { EventMetadata } from '#domain/decider.ts'
import { streamName } from '#domain/stream.ts'
import { foldVersion } from '#domain/ticket/snapshot.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { content } from '#tests/support/story.ts'
import { eventually } from '#tests/support/wait.ts'

/* Tickets with more events than a snapshot interval, loaded by repositories as in other processes, over the app's event store. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(async () => {
  await app?.stop()
  expect(faults).toEqual([])
})

type Store = ReturnType<typeof store>
const secret = 'bergamota'
const casa = () => app.company.companies.casa
const metadata = (userId?: number): EventMetadata => ({
  companyId: casa(),
  by: userId === undefined ? { kind: 'contact', id: app.company.contacts.maria } : { kind: 'user', id: userId },
  at: new Date().toISOString(),
})
const faults: unknown[] = []
const snapshots = (fold = foldVersion) =>
  openSnapshots(app.db, app.ctx.eventMacKeys.current, fold, pino({ level: 'warn' }, { write: (line) => void faults.push(line) }))
const store = (log: EventStore = app.ctx.eventStore, fold?: number) =>
  createAggregateRepository(ticketStream, {
    eventStore: log,
    contactKeys: app.ctx.contactKeys,
    signer: app.ctx.eventMacKeys.current,
    snapshots: snapshots(fold),
    clock: openClock(),
  })

/** An event store that counts the events read from it. */
function counted() {
  const read = { events: 0 }
  const { eventStore } = app.ctx
  const watched: EventStore = {
    ...eventStore,
    async read(...of) {
      const answer = await eventStore.read(...of)
      read.events += answer.events.length
      return answer
    },
  }
  return { log: watched, read }
}

const idOf = (ticketId: number, n: number) => ticketId * 10_000 + n
function receive(by: Store, ticketId: number, n: number, to: object = {}) {
  const opening = {
    ...{ ticketId, uuid: crypto.randomUUID(), contactId: app.company.contacts.maria, connectionId: app.company.connections.balcao },
    ...{ channel: 'whatsapp' as const, group: false, queueId: app.company.queues.vendas, predecessorId: null },
  }
  const { quotedId: _, ...messageContent } = content
  const message = { ...messageContent, body: `${secret} ${n}`, messageId: idOf(ticketId, n), externalId: `in-${ticketId}-${n}` }
  const command = { type: 'Receive' as const, ...message, participant: null, quotedExternalId: null, opening, ...to, ...metadata() }
  return by.execute(ticketId, command, `in-${ticketId}-${n}`)
}
const send = (by: Store, ticketId: number, n: number, to: object = {}) => {
  const ids = { messageId: idOf(ticketId, n), externalId: `out-${ticketId}-${n}`, clientId: `client-${ticketId}-${n}` }
  const how = { private: false, forwarded: false, seen: null, anyway: true, admin: true }
  const command = { type: 'Send' as const, ...content, body: secret, ...ids, ...how, ...to, ...metadata(app.company.users.bruno) }
  return by.execute(ticketId, command, ids.clientId)
}
const take = (by: Store, ticketId: number) =>
  by.execute(
    ticketId,
    { type: 'Accept', userId: app.company.users.bruno, queueId: app.company.queues.vendas, ...metadata(app.company.users.bruno) },
    `take-${ticketId}`,
  )

/** The contact wrote all messages except 3 and 4, which an agent sent. */
async function long(last = 700): Promise<number> {
  const ticketId = await app.ctx.nextTicketId()
  const by = store()
  await receive(by, ticketId, 1)
  await take(by, ticketId)
  await receive(by, ticketId, 2)
  await send(by, ticketId, 3)
  await send(by, ticketId, 4)
  for (let n = 5; n <= last; n++) await receive(by, ticketId, n)
  await settled(by, ticketId)
  return ticketId
}
/** Waits until the repository has written a snapshot and evicted old messages in the background. */
const settled = (by: Store, ticketId: number) =>
  eventually(
    () => by.load(casa(), ticketId),
    (now) => 'since' in now && now.since > 0,
  )
const rowOf = (ticketId: number) =>
  app.db
    .selectFrom('snapshot')
    .select(['fold', 'revision', 'state', 'hash'])
    .where('stream', '=', streamName(ticketStream, casa(), ticketId))
    .execute()

/** Runs commands about old messages and checks their results, whatever the repository has cached. */
async function assertPastKnown(by: Store, ticketId: number, round: number) {
  const { users } = app.company
  const ask = (command: object, id: string, userId?: number) =>
    by
      .execute(ticketId, { ...command, ...metadata(userId) } as never, `${id}-${round}`)
      .then(({ events }) => events.map(({ type }) => type))
  const refused = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error) => error.message,
    )
  const old = idOf(ticketId, 2)
  const ours = idOf(ticketId, 3)
  expect((await receive(by, ticketId, 2)).events).toEqual([])
  expect((await send(by, ticketId, 3)).events).toEqual([])
  expect(await take(by, ticketId)).toMatchObject({ events: [], isDuplicate: true })
  expect(await by.wasExecuted(casa(), ticketId, users.bruno, `take-${ticketId}`)).toBe(true)
  expect(await ask({ type: 'React', messageId: old, emoji: '👍', admin: true }, 'react', users.bruno)).toEqual([
    round % 2 === 1 ? 'MessageReacted' : 'ReactionRemoved',
  ])
  expect(await ask({ type: 'ContactReacts', externalId: `in-${ticketId}-2`, emoji: round % 2 === 1 ? '👍' : '' }, 'theirs')).toHaveLength(1)
  expect(await ask({ type: 'ContactEdits', externalId: `in-${ticketId}-2`, body: secret }, 'edits')).toEqual(['MessageEdited'])
  expect(await ask({ type: 'Mark', mark: 'read', externalIds: [`out-${ticketId}-3`, 'never'] }, 'mark')).toEqual(
    round === 1 ? ['MessagesRead'] : [],
  )
  expect(await ask({ type: 'Remove', messageId: idOf(ticketId, 4), admin: true }, 'remove', users.bruno)).toEqual(
    round === 1 ? ['MessageRemoved'] : [],
  )
  expect(await refused(ask({ type: 'Edit', messageId: idOf(ticketId, 4), body: 'x', admin: true }, 'gone', users.bruno))).toBe(
    'ERR_FETCH_WAPP_MSG',
  )
  expect(await refused(ask({ type: 'Edit', messageId: 1, body: 'x', admin: true }, 'nobody’s', users.bruno))).toBe('ERR_FETCH_WAPP_MSG')
  const [sent] = (await send(by, ticketId, 2000 + round, { quotedId: ours, seen: 4 })).events
  expect(sent).toMatchObject({ type: 'MessageSent', quotedId: ours })
  const [received] = (await receive(by, ticketId, 3000 + round, { quotedExternalId: `out-${ticketId}-3` })).events
  expect(received).toMatchObject({ type: 'MessageReceived', quotedId: ours })
}

describe('a ticket with a long history', () => {
  it('continues from its snapshot, and its state stays small', async () => {
    const ticketId = await long(1300)
    const [row] = await eventually(
      () => rowOf(ticketId),
      ([one]) => one?.revision === 1000,
    )
    expect(row).toMatchObject({ fold: foldVersion })
    const { log, read } = counted()
    const ticket = await store(log).load(casa(), ticketId)
    expect(read.events).toBeLessThan(500 + 501) // the check for its length, and the events after the snapshot
    expect(ticket).toMatchObject({ status: 'open', revision: 1301, inboundCount: 1298 })
    expect('since' in ticket && ticket.messages.size).toBeLessThan(200 + 501)
  })

  it('knows old messages, in the same process and in a new one', async () => {
    const ticketId = await long()
    const one = store()
    await assertPastKnown(one, ticketId, 1)
    await assertPastKnown(store(), ticketId, 2)
    await assertPastKnown(one, ticketId, 3) // after the other repository's events
  })

  it('works after all snapshots were deleted, in the same process and in a new one', async () => {
    const ticketId = await long()
    const warm = store()
    await assertPastKnown(warm, ticketId, 1)
    await sql`delete from snapshot`.execute(app.db)
    await assertPastKnown(store(), ticketId, 2)
    await sql`delete from snapshot`.execute(app.db)
    await assertPastKnown(warm, ticketId, 3)
    const rows = await sql`select stream from snapshot_past where (stream, fold) not in (select stream, fold from snapshot)
      union all select stream from snapshot_key where (stream, fold) not in (select stream, fold from snapshot)`.execute(app.db)
    expect(rows.rows).toEqual([])
  })

  it('keeps the snapshots of other tickets when it writes a new one', async () => {
    const [other, ticketId] = [await long(), await long(1100)]
    await app.db
      .deleteFrom('snapshot')
      .where('stream', '=', streamName(ticketStream, casa(), ticketId))
      .execute()
    await settled(store(), ticketId)
    await eventually(
      () => rowOf(ticketId),
      ([one]) => one !== undefined && one.revision > 1000,
    )
    expect(await rowOf(other)).toHaveLength(1)
  })

  it('ignores a snapshot that was changed, copied or made from another history', async () => {
    const [ticketId, other] = [await long(), await long()]
    const right = await store().load(casa(), ticketId)
    const same = async () => {
      const now = await settled(store(), ticketId)
      expect(now).toMatchObject({
        status: 'open',
        userId: app.company.users.bruno,
        revision: 'revision' in right ? right.revision : null,
      })
      return rowOf(ticketId)
    }
    await sql`update snapshot set state = replace(state, '"status":"open"', '"status":"closed"') where stream = ${streamName(ticketStream, casa(), ticketId)}`.execute(
      app.db,
    )
    expect((await same())[0]!.state).not.toContain('"status":"closed"')
    await sql`update snapshot s set state = o.state, hash = o.hash, mac = o.mac, revision = o.revision from snapshot o
      where s.stream = ${streamName(ticketStream, casa(), ticketId)} and o.stream = ${streamName(ticketStream, casa(), other)}`.execute(
      app.db,
    )
    await same()
    const [row] = await rowOf(ticketId)
    const of = { companyId: casa(), stream: streamName(ticketStream, casa(), ticketId) }
    const forged = {
      revision: BigInt(row!.revision) + 1n,
      hash: 'f'.repeat(64),
      state: row!.state.replace('"status":"open"', '"status":"closed"'),
    }
    expect(await snapshots().keep(of, BigInt(row!.revision), forged, [], [])).toBe('kept') // valid by key, but of another history
    expect((await same())[0]!.hash).not.toBe(forged.hash)
    await sql`update snapshot_past set said = replace(said, '"removed":false', '"removed":true') where stream = ${streamName(ticketStream, casa(), ticketId)}`.execute(
      app.db,
    )
    await assertPastKnown(store(), ticketId, 1)
    await sql`update snapshot_key set message_id = ${idOf(ticketId, 9)} where stream = ${streamName(ticketStream, casa(), ticketId)} and id = ${`out-${ticketId}-3`}`.execute(
      app.db,
    )
    await assertPastKnown(store(), ticketId, 2)
  })

  it('executes no command twice if its id was removed from the snapshot', async () => {
    const ticketId = await long()
    const { bruno } = app.company.users
    const stream = streamName(ticketStream, casa(), ticketId)
    const taken = `command ${bruno}/take-${ticketId}`
    const length = async () => (await app.ctx.eventStore.read(stream)).events.length
    const before = await length()
    const damages = [
      sql`delete from snapshot_key where stream = ${stream} and id = ${taken}`,
      sql`delete from snapshot_key where stream = ${stream} and id = ''`,
      sql`with gone as (delete from snapshot_key where stream = ${stream} and id = ${taken} returning next)
        update snapshot_key k set next = gone.next from gone where k.stream = ${stream} and k.next = ${taken}`,
    ]
    for (const damage of damages) {
      expect((await damage.execute(app.db)).numAffectedRows).toBe(1n)
      const by = store()
      expect(await take(by, ticketId)).toMatchObject({ events: [], isDuplicate: true })
      expect((await receive(by, ticketId, 2)).events).toEqual([])
      await settled(by, ticketId)
      await eventually(
        () => rowOf(ticketId),
        ([row]) => row !== undefined,
      )
    }
    expect(await length()).toBe(before)
    const warm = store() // and if a process has evicted it
    await assertPastKnown(warm, ticketId, 1)
    await sql`delete from snapshot_key where stream = ${stream} and id = ${taken}`.execute(app.db)
    expect(await take(warm, ticketId)).toMatchObject({ events: [], isDuplicate: true })
  })

  it('ignores snapshots of an older fold version and keeps those of a newer one', async () => {
    const ticketId = await long()
    await sql`update snapshot set state = 'what another release made of it' where stream = ${streamName(ticketStream, casa(), ticketId)}`.execute(
      app.db,
    )
    const newer = store(app.ctx.eventStore, foldVersion + 1)
    await assertPastKnown(newer, ticketId, 1)
    await settled(newer, ticketId)
    expect((await rowOf(ticketId)).map(({ fold }) => fold)).toEqual([foldVersion + 1])
    const older = store()
    await assertPastKnown(older, ticketId, 2)
    await settled(older, ticketId)
    expect(new Set((await rowOf(ticketId)).map(({ fold }) => fold))).toEqual(new Set([foldVersion, foldVersion + 1]))
  })

  it('has no message text in its snapshot', async () => {
    const ticketId = await long()
    await send(store(), ticketId, 5000, { body: secret })
    for (const table of ['snapshot', 'snapshot_past', 'snapshot_key'])
      expect((await sql`select from ${sql.table(table)} t where t::text ilike ${`%${secret}%`}`.execute(app.db)).rows).toEqual([])
    const { events } = await app.ctx.eventStore.read(streamName(ticketStream, casa(), ticketId))
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(secret) // the events do not contain it either
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { streamPrefixes } from '#app/areas.ts'
import { chained } from '#app/eventlog/chain.ts'
import type { LoggedEvent } from '#app/eventlog/eventlog.ts'
import { verifyLog, verifyStream } from '#app/eventlog/verify.ts'
import { streamOf } from '#domain/ticket/rules.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* Who owns the database but has no key rewrites history and computes the chain again. */
let house: TestHouse
let ticket: { id: number; uuid: string }
let stream: string
let before: LoggedEvent[]
beforeAll(async () => {
  house = await startHouse()
  for (const body of ['bom dia', 'quero cancelar', 'obrigada']) await house.phone.says('5511988887777', body)
  await house.settled()
  ticket = (await house.as('admin')('GET', '/tickets?status=search&searchParam=5511988887777')).body.tickets[0]
  stream = streamOf(house.company.companies.casa, ticket.id)
  before = (await house.house.log.read(stream)).events
}, 40_000)
afterAll(async () => {
  await write(before)
  await house?.stop({ faultsExpected: true })
}, 40_000)

async function write(events: Pick<LoggedEvent, 'revision' | 'data' | 'meta'>[]): Promise<void> {
  for (const { revision, data, meta } of events)
    await sql`update event set data = ${JSON.stringify(data)}::jsonb, meta = ${JSON.stringify(meta)}::jsonb
      where stream = ${stream} and version = ${Number(revision)}`.execute(house.db)
}
/** The stream with one fact changed and every hash computed anew, each MAC as `mac` leaves it. */
function rechained(mac: (meta: LoggedEvent['meta'], revision: bigint) => LoggedEvent['meta']): LoggedEvent[] {
  const changed = before.map((event) => ({
    ...event,
    data: event.revision === 1n ? { ...event.data, externalId: 'never' } : event.data,
    meta: mac(event.meta, event.revision),
  }))
  return chained('', stream, 0n, changed).map((event, i) => ({
    ...before[i]!,
    ...event,
    meta: { ...changed[i]!.meta, hash: event.meta.hash! },
  }))
}
const of = () => house.house.logKeys.of
const found = async () => (await verifyLog(house.house.log, streamPrefixes, of())).bad.map(({ revision, reason }) => [revision, reason])

it('signs every event, and finds them whole', async () => {
  expect(before.every(({ meta }) => /^"[0-9a-f]{64}"$/.test(JSON.stringify(meta.mac)))).toBe(true)
  expect(await verifyStream(house.house.log, stream, of())).toMatchObject({ events: before.length, signed: before.length, bad: [] })
})

it('finds a rewritten event whose chain was computed again', async () => {
  await write(rechained((meta) => meta))
  expect((await verifyStream(house.house.log, stream)).bad).toEqual([]) // the chain alone is content
  expect(await found()).toEqual([[1n, 'mac']])
  const { chain } = (await house.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).body
  expect(chain).toMatchObject({ holds: false, brokenAt: 1, reason: 'mac' })
})

it('finds one that was signed with a key of the forger’s own', async () => {
  await write(rechained((meta) => ({ ...meta, macKey: 'ffffffff', mac: '0'.repeat(64) })))
  expect(await found()).toEqual([[0n, 'mac']])
})

it('finds one that is not signed, behind one that is, in its stream or anywhere in the log', async () => {
  await write(rechained((meta, revision) => (revision === 0n ? meta : unsigned(meta))))
  expect(await found()).toEqual([[1n, 'unsigned']])
  await write(before)
  const { id: _, ...first } = before[0]!
  const own = { ...first, id: crypto.randomUUID(), meta: unsigned(first.meta) }
  const [made] = chained('', 'ticket-1-999999', 0n, [own])
  await sql`insert into event (stream, version, type, id, data, meta) values ('ticket-1-999999', 0, ${own.type}, ${own.id},
    ${JSON.stringify(own.data)}::jsonb, ${JSON.stringify(made!.meta)}::jsonb)`.execute(house.db)
  expect((await verifyLog(house.house.log, streamPrefixes)).bad).toMatchObject([{ stream: 'ticket-1-999999', reason: 'unsigned' }])
  await sql`delete from event where stream = 'ticket-1-999999'`.execute(house.db)
})

const unsigned = ({ mac: _, macKey: __, ...meta }: LoggedEvent['meta']): LoggedEvent['meta'] => meta

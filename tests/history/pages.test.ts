import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A long history is read page by page; its chain is checked as a whole. */
let app: TestApp
let uuid: string
let stream: string
const number = '5511977770001'

beforeAll(async () => {
  app = await startTestApp()
  for (let n = 0; n < 10; n++) await app.phone.says(number, `mensagem ${n}`)
  await app.settled()
  const ticket = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0]
  uuid = ticket.uuid
  stream = streamName(ticketStream, app.company.companies.casa, ticket.id)
  await app.as('dulce')('GET', `/ticket-history/${uuid}`) // the access event of this reading exists from now on
})
afterAll(() => app.stop({ faultsExpected: true }))

const page = async (query = '') => (await app.as('dulce')('GET', `/ticket-history/${uuid}${query}`)).body
const chain = async () => (await app.as('dulce')('GET', `/ticket-history/${uuid}/chain`)).body
async function pages(most: number): Promise<{ events: HistoryEvent[]; chain: unknown; next: number | null }[]> {
  const read = [await page(`?most=${most}`)]
  while (read.at(-1)!.next !== null) read.push(await page(`?most=${most}&from=${read.at(-1)!.next}`))
  return read
}
/** Runs the test while the fifth record is changed or moved, and restores it. */
async function within(column: 'data' | 'stream', value: string, act: () => Promise<void>): Promise<void> {
  const [name, here] = [sql.id(column), sql`stream = ${stream} and version = 4`]
  const { rows } = await sql<{ position: string; was: string }>`select position, ${name}::text as was from event where ${here}`.execute(
    app.db,
  )
  const { position, was } = rows[0]!
  const type = sql.raw(column === 'data' ? 'jsonb' : 'text')
  const put = (what: string) => sql`update event set ${name} = ${what}::${type} where position = ${position}`.execute(app.db)
  await put(value)
  try {
    await act()
  } finally {
    await put(was)
  }
}

it.each([1, 3, 5000])('pages of %i contain the same records as the whole history, once and in order', async (most) => {
  const { events } = await page()
  expect(events.map(({ revision }: HistoryEvent) => revision)).toEqual(events.map((_: unknown, n: number) => n))
  const read = await pages(most)
  expect(read.flatMap((one) => one.events)).toEqual(events)
  expect(read.map(({ chain: told }) => told)).toEqual(
    most === 5000 ? [{ holds: true, brokenAt: null, reason: null }] : read.map(() => null),
  )
})

it('the whole chain is checked, however long', async () => {
  const { events } = await page()
  expect(await chain()).toEqual({ chain: { holds: true, brokenAt: null, reason: null }, anchored: null, length: events.length })
})

it('a changed record is named, and the records after a missing one are read', async () => {
  await within('data', '{"messageId":4,"kind":"image"}', async () => {
    expect((await chain()).chain).toEqual({ holds: false, brokenAt: 4, reason: 'hash' })
    expect((await pages(3)).flatMap(({ events }) => events)[4]).toMatchObject({ revision: 4, data: { kind: 'image' } })
  })
  await within('stream', 'elsewhere', async () => {
    const { events } = await page()
    expect(events.map(({ revision }: HistoryEvent) => revision)).not.toContain(4)
    expect((await pages(3)).flatMap((one) => one.events)).toEqual(events)
    expect((await chain()).chain).toEqual({ holds: false, brokenAt: 5, reason: 'gap' })
  })
})

it.each(['from=-1', 'from=x', 'most=0', 'most=5001'])('the query %s is refused', async (query) => {
  expect(await app.as('dulce')('GET', `/ticket-history/${uuid}?${query}`)).toMatchObject({
    status: 400,
    body: { error: 'ERR_INVALID_INPUT' },
  })
})

import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { limitOf } from '#app/outbound/limits.ts'
import { runOutbox, slots } from '#app/outbound/outbox-sender.ts'
import { eventually } from '#tests/support/wait.ts'
import { app, board, connections, conversations, nothing, openInstallation, provider, still, waiting } from './boards.ts'

openInstallation()
const sendCount = (rows: { kind: string }[]) => rows.filter(({ kind }) => kind === 'send').length // counts sends; read receipts are in the same table

/* Effects of connections on each other, and of a provider on its connection. */
it('a connection whose channel hangs uses only its own slots and delays no other', async () => {
  const [slow, quick] = (await connections(2)) as [number, number]
  const stuck = await conversations(slow, slots + 2)
  const free = await conversations(quick, 1)
  for (let i = 0; i < slots + 2; i++) for (const line of ['a', 'b']) await stuck.say(i, `${i}${line}`)
  await eventually(
    () => waiting(slow),
    (rows) => rows.length === 2 * (slots + 2),
  )
  const answer = Promise.withResolvers<void>()
  const asked: string[] = []
  const arrived: string[] = []
  board(
    [runOutbox],
    provider(async (connectionId, body) => {
      asked.push(body)
      if (connectionId === slow) await answer.promise
      arrived.push(body)
    }),
  )
  await eventually(
    async () => asked.length,
    (n) => n === slots,
  )
  await free.say(0, 'adiante')
  await free.say(0, 'e mais')
  await eventually(
    async () => arrived.length,
    (n) => n === 2,
  )
  expect(arrived).toEqual(['adiante', 'e mais'])
  const theirFirst = asked.filter((body) => /^\d/.test(body))
  expect(theirFirst.every((body) => body.endsWith('a'))).toBe(true)
  expect(new Set(theirFirst).size).toBe(slots) // the first message of each conversation
  answer.resolve()
  await eventually(
    () => waiting(slow),
    (rows) => rows.length === 0,
  )
  const theirs = arrived.filter((body) => /^\d/.test(body))
  expect(theirs).toHaveLength(2 * (slots + 2))
  for (let i = 0; i < slots + 2; i++) expect(theirs.filter((body) => Number.parseInt(body, 10) === i)).toEqual([`${i}a`, `${i}b`])
})

it('messages of an offline connection are not tried, and are sent in order when it is back', async () => {
  const [id] = (await connections(1)) as [number]
  const set = (status: 'CONNECTED' | 'DISCONNECTED') => app.db.updateTable('connection').set({ status }).where('id', '=', id).execute()
  const { say } = await conversations(id, 1)
  const arrived: string[] = []
  board(
    [runOutbox],
    provider((_, body) => void arrived.push(body)),
    still,
  )
  await say(0, 'antes')
  await eventually(
    async () => arrived.length,
    (n) => n === 1,
  )
  await set('DISCONNECTED')
  const lines = Array.from({ length: 12 }, (_, i) => `linha ${i}`)
  for (const line of lines) await say(0, line)
  await eventually(
    () => waiting(id),
    (rows) => rows.length === lines.length,
  )
  expect((await waiting(id)).every(({ attempts }) => attempts === 0)).toBe(true)
  expect(arrived).toEqual(['antes'])
  await set('CONNECTED')
  await eventually(
    async () => arrived.length,
    (n) => n === 1 + lines.length,
  )
  expect(arrived).toEqual(['antes', ...lines])
})

it('a connection sends no faster than its provider allows', async () => {
  const [id] = (await connections(1, 'beta')) as [number]
  const { burst, perSecond } = limitOf('beta')
  const { say, hears } = await conversations(id, 2)
  for (const i of [0, 1]) await hears(i, 'oi')
  for (let i = 0; i < burst + 3; i++) await say(i % 2, `linha ${i}`)
  await eventually(
    () => waiting(id),
    (rows) => sendCount(rows) === burst + 3,
  )
  const began = performance.now()
  const sent: number[] = []
  board(
    [runOutbox],
    provider(() => void sent.push(performance.now() - began)),
  )
  await eventually(
    async () => sent.length,
    (n) => n === burst + 3,
  )
  for (const [i, at] of sent.entries()) expect(i + 1).toBeLessThanOrEqual(burst + (at / 1000) * perSecond)
})

it('answers are sent at once, and unsolicited messages at irregular intervals', async () => {
  const [id] = (await connections(1, 'beta')) as [number]
  const { fromMs, toMs } = limitOf('beta').apart!
  const { say, hears } = await conversations(id, 6)
  await hears(5, 'tem pão?')
  for (let i = 0; i < 5; i++) for (const line of ['a', 'b']) if (i === 0 || line === 'a') await say(i, `estranho ${i}${line}`)
  for (const line of ['a', 'b', 'c']) await say(5, `resposta ${line}`)
  await eventually(
    () => waiting(id),
    (rows) => sendCount(rows) === 9,
  )
  const sent: { body: string; at: number }[] = []
  board(
    [runOutbox],
    provider((_, body) => void sent.push({ body: body.split('\n').at(-1)!, at: performance.now() })),
  )
  await eventually(
    async () => sent.length,
    (n) => n === 9,
  )
  const strangers = sent.filter(({ body }) => body.startsWith('estranho'))
  const answers = sent.filter(({ body }) => body.startsWith('resposta'))
  expect(answers.at(-1)!.at).toBeLessThan(strangers[1]!.at)
  const gaps = strangers.slice(1).map(({ at }, i) => at - strangers[i]!.at)
  // The provider's receipt is measured, which a busy machine delays by more for one message than for the next
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(fromMs / 2)
  expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(1)
  expect(sent.filter(({ body }) => body.startsWith('estranho 0')).map(({ body }) => body)).toEqual(['estranho 0a', 'estranho 0b'])
  expect(toMs).toBeGreaterThan(fromMs)
})

it('read receipts use nothing of the send limit', async () => {
  const [id] = (await connections(1, 'beta')) as [number]
  const { burst } = limitOf('beta')
  const { say, hears } = await conversations(id, 2)
  for (const i of [0, 1]) await hears(i, 'oi')
  for (let i = 0; i < burst; i++) await say(i % 2, `linha ${i}`)
  await eventually(
    () => waiting(id),
    (rows) => sendCount(rows) === burst,
  )
  await sql`
    insert into outbox (kind, message_id, company_id, connection_id, contact_id, ticket_id, revision, external_id)
    select 'read', message_id, company_id, connection_id, contact_id, ticket_id, revision + 1000, external_id
    from outbox where connection_id = ${id} and kind = 'send'`.execute(app.db)
  vi.useFakeTimers({ toFake: ['performance'] }) // so that spent tokens do not come back
  onTestFinished(() => void vi.useRealTimers())
  board([runOutbox], provider(nothing))
  await eventually(
    () => waiting(id),
    (rows) => rows.length === 0,
  )
})

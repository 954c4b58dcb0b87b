import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modulesFor } from '#app/modules.ts'
import { typingTopic } from '#domain/ticket/topic.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { type KeptList, type ListRow, listsOf } from './live-list-models.ts'

/*
 * A list that was read once and then kept current by frames equals a fresh read, for every live list and several
 * users.
 */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const viewers: Person[] = ['admin', 'bruno', 'ana', 'carla', 'dulce']
/** Frames that belong to no list. */
const noList = [typingTopic.name]

it('after 200 random acts, each live list in the client equals a fresh read', async () => {
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  const throws = seededRandom(20260105)
  const numbers = Array.from({ length: 8 }, (_, i) => `551196000000${i}`)
  for (const number of numbers.slice(0, 5)) await app.phone.says(number, 'bom dia', { connection: app.company.connections.balcao })
  await app.settled()

  const kept = (await Promise.all(viewers.map((who) => listsOf(app, who)))).flat()
  const tally = new Map<string, number>()
  for (let n = 0; n < 200; n++) {
    const what = await act(throws, numbers, n)
    tally.set(what, (tally.get(what) ?? 0) + 1)
  }
  await app.settled()
  await shown(kept)

  expect(tally.size, 'kinds of acts and their answers').toBeGreaterThan(20)
  const byId = (rows: Iterable<ListRow>) => [...rows].sort((a, b) => a.id - b.id)
  for (const one of kept) {
    if (one.left) continue // it is read when it is opened again
    const fresh = await one.read()
    /* A topic whose frames only ask for a refetch is still refetching. */
    await expect
      .poll(() => ({ list: one.name, rows: byId(one.rows()) }), one.topic === 'failedMessage' ? {} : { timeout: 0 })
      .toEqual({ list: one.name, rows: byId(fresh) })
  }
  const filled = kept.filter(({ left, rows }) => !left && rows().length > 0)
  expect(filled.length).toBeGreaterThan(30)
  const topics = modulesFor(app.ctx.config).flatMap(({ topics }) => topics?.(app.ctx).map(({ topic }) => topic.name) ?? [])
  expect([...new Set([...topics, 'failedMessage'])].filter((name) => !noList.includes(name)).sort()).toEqual(
    [...new Set(filled.map(({ topic }) => topic))].sort(), // each has shown something
  )
  const shows = ({ rows }: KeptList) =>
    rows()
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join()
  expect(new Set(kept.filter(({ topic }) => topic === 'ticket').map(shows)).size).toBeGreaterThan(3)
})

/**
 * Waits until all frames of earlier changes arrived: sends a later notification for a missing row, or for an
 * existing one if only those are sent.
 */
async function shown(kept: KeptList[]): Promise<void> {
  const nobody = 2_000_000_000
  const joined = ['appMessage', 'ticketHistory']
  for (const one of kept) {
    const id = joined.includes(one.topic) ? one.left || one.rows()[0]?.id : nobody
    if (typeof id !== 'number') continue
    const before = one.line.frames.length
    const told = one.topic === 'quickmessage' ? 'quickMessage' : one.topic
    const heard = () => one.line.frames.slice(before).some((frame) => frame.channel.endsWith(`-${one.topic}`) && frame.id === id)
    if (one.topic === 'failedMessage') continue // its frames follow those of messages
    await sql`select pg_notify('changes', ${`${told} update ${app.company.companies.casa} ${id}`})`.execute(app.db)
    await expect.poll(heard, { message: one.name }).toBe(true)
  }
}

/** Performs one random act and returns its name and outcome. Many are refused, as in real use. */
async function act({ int, of, chance }: Dice, numbers: string[], n: number): Promise<string> {
  const { queues, users, tags, connections } = app.company
  const who = of(viewers)
  const ask = app.as(who)
  const did = async (what: string, method: string, path: string, body?: object) => `${what} ${(await ask(method, path, body)).status}`
  const { body: seen } = await ask('GET', '/tickets?showAll=true&pageSize=100')
  const ticket: ListRow | undefined = seen.tickets?.length ? of(seen.tickets as ListRow[]) : undefined
  const phone = async (body: string, more: object = {}) => {
    await app.phone.says(of(numbers), body, { connection: of([connections.loja, connections.balcao]), ...more })
    return 'phone'
  }
  if (!ticket || chance(0.2)) return phone(`mensagem ${n}`, chance(0.1) ? { group: { id: '120363000000000002', name: 'Família' } } : {})
  const to = `/tickets/${ticket.id}`
  const { body: talk } = await ask('GET', `/messages/${ticket.id}`)
  const message: ListRow | undefined = talk.messages?.length ? of(talk.messages as ListRow[]) : undefined
  const acts: (() => Promise<string>)[] = [
    () => did('take', 'PUT', to, { status: 'open', userId: users[who], queueId: ticket.queueId ?? queues.vendas }),
    () => did('take', 'PUT', to, { status: 'open', userId: users[who], queueId: ticket.queueId ?? queues.vendas }),
    () => did('return', 'PUT', to, { status: 'pending' }),
    () =>
      did('transfer', 'PUT', to, {
        isTransfered: true,
        queueId: of([queues.vendas, queues.suporte]),
        userId: of([null, users.ana, users.bruno]),
      }),
    () => did('close', 'PUT', to, { status: 'closed' }),
    () => did('open on screen', 'GET', `/tickets/u/${ticket.uuid}`),
    () => did('send', 'POST', `/messages/${ticket.id}`, { body: `resposta ${n}`, isPrivate: chance(0.2) }),
    () => did('send', 'POST', `/messages/${ticket.id}`, { body: `resposta ${n}` }),
    () => (message ? did('react', 'POST', `/messages/${message.id}/reactions`, { type: of(['👍', '❤️']) }) : phone('oi')),
    () => (message ? did('edit', 'PUT', `/messages/${message.id}`, { body: `editada ${n}` }) : phone('oi')),
    () => (message ? did('remove', 'DELETE', `/messages/${message.id}`) : phone('oi')),
    () => did('note', 'POST', '/ticket-notes', { ticketId: ticket.id, note: `nota ${n}` }),
    () => did('label', 'POST', '/tags/sync', { contactId: ticket.contactId, tags: chance(0.5) ? [{ id: tags.vip }] : [] }),
    () => did('rename', 'PUT', `/contacts/${ticket.contactId}`, { name: `Pessoa ${n}` }),
    () => did('tag', 'POST', '/tags', { name: `Marca ${n}`, color: '#123456' }),
    () => did('tag renamed', 'PUT', `/tags/${tags.novo}`, { name: `Marca ${n}`, color: '#654321' }),
    () => did('reply', 'POST', '/quick-messages', { shortcode: `r${n}`, message: 'Olá', geral: chance(0.5), visao: chance(0.5) }),
    () => did('person', 'PUT', `/users/${of([users.ana, users.carla])}`, { color: `#33${1000 + n}` }),
    () => did('connection', 'PUT', `/whatsapp/${of([connections.loja, connections.balcao])}`, { name: `Número ${n}` }),
    () => did('file list', 'POST', '/files', { name: `Lista ${n}`, message: 'Segue' }),
    () => did('setting', 'PUT', '/settings/requiredTag', { value: 'disabled' }),
    () => did('work', 'POST', '/tickets/listed/close-work', { status: 'group' }),
    () => did('fault', 'POST', `/sandbox/${of([connections.loja, connections.balcao])}/faults`, { failCode: 'BLOCKED', count: 1 }),
    () => did('queue', 'POST', '/queue', { name: `Fila ${n}`, color: `#f0${1000 + n}` }),
  ]
  if (chance(0.02)) return did('delete', 'DELETE', to)
  return acts[int(acts.length)]!()
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/kit/company.ts'
import { type Dice, dice } from '#tests/kit/dice.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import type { Frame, Line } from '#tests/kit/socket.ts'

/* What was read once, and kept up by the frames alone, is what would be read now: for every list that is shown live, to viewers of different rights. */
type Row = { id: number } & Record<string, any>
type Kept = {
  name: string
  topic: string
  read: () => Promise<Row[]>
  rows: Map<number, Row>
  /** The chat's ticket. When it leaves the viewer's sight the chat is closed; opened again it is read again. */
  chat: number | null
  left: boolean
  line: Line
  from: number
}

let house: TestHouse
beforeAll(async () => {
  house = await startHouse()
}, 30_000)
afterAll(() => house.stop(), 30_000)

const viewers: Person[] = ['admin', 'bruno', 'ana', 'carla', 'dulce']

it('stale list and frames are a fresh list, after two hundred acts of several people and their customers', {
  timeout: 90_000,
}, async () => {
  await house.set('enableLGPD', 'enabled')
  await house.set('lgpdHideNumber', 'enabled')
  const throws = dice(20260105)
  const numbers = Array.from({ length: 8 }, (_, i) => `551196000000${i}`)
  for (const number of numbers.slice(0, 5)) await house.phone.says(number, 'bom dia', { connection: house.company.connections.balcao })
  await house.settled()

  const kept = (await Promise.all(viewers.map(keep))).flat()
  const tally = new Map<string, number>()
  for (let n = 0; n < 200; n++) {
    const what = await act(throws, numbers, n)
    tally.set(what, (tally.get(what) ?? 0) + 1)
  }
  await house.settled()
  await new Promise((resolve) => setTimeout(resolve, 500)) // the last frames

  expect(tally.size, 'kinds of acts and their answers').toBeGreaterThan(12)
  for (const one of kept) {
    for (const frame of one.line.frames.slice(one.from)) apply(one, frame)
    const fresh = await one.read()
    if (one.left && fresh.length > 0) continue // it came back into sight, and is read again when it is opened
    const byId = (rows: Iterable<Row>) => [...rows].sort((a, b) => a.id - b.id)
    expect({ list: one.name, rows: byId(one.rows.values()) }).toEqual({ list: one.name, rows: byId(fresh) })
  }
  expect(kept.filter(({ rows }) => rows.size > 0).length).toBeGreaterThan(15)
  expect(
    new Set(kept.filter(({ topic }) => topic === 'ticket').map(({ rows }) => [...rows.keys()].sort((a, b) => a - b).join())).size,
  ).toBeGreaterThan(3)
})

async function keep(who: Person): Promise<Kept[]> {
  const ask = house.as(who)
  const line = await house.socket(who)
  const all = async (path: string, field?: string): Promise<Row[]> => {
    const rows: Row[] = []
    for (let page = 1; ; page++) {
      const { body } = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}pageNumber=${page}`)
      rows.push(...(field ? body[field] : body))
      if (!field || !body.hasMore) return rows
    }
  }
  const sighted = await all('/tickets?showAll=true&pageSize=100', 'tickets')
  line.emit('joinTickets')
  for (const { id } of sighted.slice(0, 6)) line.emit('joinChatBox', { ticketId: id })
  await new Promise((resolve) => setTimeout(resolve, 200))
  const list = async (topic: string, read: () => Promise<Row[]>, chat: number | null = null): Promise<Kept> => {
    const from = line.frames.length
    return {
      name: `${topic} of ${who}`,
      topic,
      read,
      chat,
      left: false,
      rows: new Map((await read()).map((row) => [row.id, row])),
      line,
      from,
    }
  }
  /* A message's copies are as they were read: its ticket's queue and owner serve whoever decides who sees it, and the head of the chat says the name. */
  const ofChat = (id: number) => async () =>
    (await all(`/messages/${id}`, 'messages').catch(() => []))
      .filter(({ ticketId }) => ticketId === id)
      .map(({ ticket: _, contact: __, ...row }) => row as Row)
  return Promise.all([
    list('ticket', () => all('/tickets?showAll=true&pageSize=100', 'tickets')),
    list('contact', () => all('/contacts', 'contacts')),
    list('tag', () => all('/tags', 'tags')),
    list('quickmessage', () => all('/quick-messages', 'records')),
    list('queue', () => all('/queue')),
    ...sighted.slice(0, 3).map(({ id }) => list('appMessage', ofChat(id), id)),
  ])
}

const fields: Record<string, string> = {
  ticket: 'ticket',
  appMessage: 'message',
  contact: 'contact',
  tag: 'record',
  quickmessage: 'record',
  queue: 'record',
}

/** As a browser does it. */
function apply(one: Kept, frame: Frame): void {
  const { topic, rows, chat } = one
  if (chat !== null && frame.channel.endsWith('-ticket') && frame.action === 'delete' && frame.id === chat) {
    one.left = true
    rows.clear()
  }
  if (!frame.channel.endsWith(`-${topic}`) || one.left) return
  if (frame.action === 'updateUnread') {
    const read = rows.get(frame.ticketId)
    if (read) rows.set(read.id, { ...read, unreadMessages: 0 })
    return
  }
  const row: Row | undefined = frame.action === 'delete' ? undefined : frame[fields[topic]!]
  const { ticket: _, contact: __, ...message }: Record<string, any> = row ?? {}
  if (!row) rows.delete(frame.id)
  else if (chat === null) rows.set(row.id, row)
  else if (row.ticketId === chat) rows.set(row.id, message as Row)
}

/** One act of somebody; answers what it was and what became of it. Many are refused, as in life. */
async function act({ int, of, chance }: Dice, numbers: string[], n: number): Promise<string> {
  const { queues, users, tags, connections } = house.company
  const who = of(viewers)
  const ask = house.as(who)
  const did = async (what: string, method: string, path: string, body?: object) => `${what} ${(await ask(method, path, body)).status}`
  const { body: seen } = await ask('GET', '/tickets?showAll=true&pageSize=100')
  const ticket: Row | undefined = seen.tickets?.length ? of(seen.tickets as Row[]) : undefined
  const phone = async (body: string, more: object = {}) => {
    await house.phone.says(of(numbers), body, { connection: of([connections.loja, connections.balcao]), ...more })
    return 'phone'
  }
  if (!ticket || chance(0.2)) return phone(`mensagem ${n}`, chance(0.1) ? { group: { id: '120363000000000002', name: 'Família' } } : {})
  const to = `/tickets/${ticket.id}`
  const { body: talk } = await ask('GET', `/messages/${ticket.id}`)
  const message: Row | undefined = talk.messages?.length ? of(talk.messages as Row[]) : undefined
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
    () => did('queue', 'POST', '/queue', { name: `Fila ${n}`, color: `#f0${1000 + n}` }),
  ]
  if (chance(0.02)) return did('delete', 'DELETE', to)
  return acts[int(acts.length)]!()
}

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene, type Ticket } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

type Part = { text: string; isHit: boolean }
type Message = { id: number; snippet: Part[]; fileName: Part[] | null; author: string | null }
type Group = { ticket: Ticket; count: number | null; isCountCapped: boolean; messages: Message[]; cursor: string | null }
type Found = { tickets: Group[]; count: number | null; isCountCapped: boolean; cursor: string | null }

const ask = (who: Person, query: Record<string, string | number>) =>
  app.as(who)('GET', `/messages/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`)
async function find(who: Person, searchParam: string, more: Record<string, string | number> = {}): Promise<Found> {
  const { status, body } = await ask(who, { ...(searchParam && { searchParam }), ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const ids = ({ tickets }: Found) => tickets.map(({ ticket }) => ticket.id)
const messageIds = ({ tickets }: Found) => tickets.flatMap(({ messages }) => messages.map(({ id }) => id))
const marked = (parts: Part[] | null) => parts?.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('')
const say = (ticket: Ticket, body: string, who: Person = 'ana') => scene.message(ticket, who, { body })
const nothing = { tickets: [], count: 0, isCountCapped: false, cursor: null }

/** Rows without an event, which are removed at the end of the test. */
const copiesFrom = 1_000_000
const copied = ({ id }: Ticket, rows: Record<string, unknown>[]) =>
  sql`insert into message select (m.one).* from (
    select jsonb_populate_record(null::message, to_jsonb(base) || jsonb_build_object('id', ${copiesFrom}::int + n, 'revision', 1000 + n) || row) as one
    from (select * from message where ticket_id = ${id} and id < ${copiesFrom} limit 1) base,
      jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as r (row, n)) m`.execute(app.db)
const removeCopies = () => sql`delete from message where id >= ${copiesFrom}`.execute(app.db)
const text = (words: string) => ({ body: words, words })

const upload = async (ticket: Ticket, name: string, type: string, body: string, content = '%PDF-1.4 x'): Promise<{ id: number }> => {
  const form = new FormData()
  form.append('body', body)
  form.append('medias', new Blob([content], { type }), name)
  return (await app.as('ana')('POST', `/messages/${ticket.id}`, form)).body.messages[0]
}

describe('a search in all messages (A-TICKET-18)', () => {
  it('groups by ticket, newest match first, with the number of matches in each', async () => {
    const first = await scene.served()
    const second = await scene.served()
    const old = await say(first, 'a Jabuticaba')
    const sent = []
    for (const body of ['uma jabuticaba', 'duas jabuticabas', 'três jabuticabas', 'JABUTICABA!']) sent.push((await say(second, body)).id)
    await say(first, 'nada')
    const found = await find('ana', 'jabuticaba')
    expect(ids(found)).toEqual([second.id, first.id])
    expect(found).toMatchObject({ count: 5, isCountCapped: false, cursor: null })
    expect(found.tickets.map(({ count }) => count)).toEqual([4, 1])
    expect(messageIds(found)).toEqual([...sent.slice(1).reverse(), old.id])
    expect(found.tickets[0]!.messages[0]).toMatchObject({ author: 'ana', fromMe: true, mediaType: 'chat' })
    expect(marked(found.tickets[1]!.messages[0]!.snippet)).toBe('a [Jabuticaba]')
    const further = await find('ana', 'jabuticaba', { ticketId: second.id, cursor: found.tickets[0]!.cursor! })
    expect(messageIds(further)).toEqual(sent.slice(0, 1))
    expect(further.tickets).toMatchObject([{ count: null, cursor: null }])
    expect(await find('ana', 'jabuticaba', { ticketId: second.id })).toMatchObject({ count: 4, tickets: [{ count: 4, cursor: null }] })
  })
  it('finds all words in any order, and a phrase only as written', async () => {
    const ticket = await scene.served()
    const { id } = await say(ticket, 'nota de crédito,\nfiscal e parcelada')
    const { id: other } = await say(ticket, 'a parcelada nota fiscal')
    expect(messageIds(await find('ana', 'parcelada fiscal nota'))).toEqual([other, id])
    expect(messageIds(await find('ana', '"nota fiscal" parcelada'))).toEqual([other])
    expect(messageIds(await find('ana', '"credito, fiscal"'))).toEqual([id])
    expect(await find('ana', 'parcelada zebra')).toEqual(nothing)
  })
  it('takes every character literally', async () => {
    const ticket = await scene.served()
    const { id } = await say(ticket, '100% de desconto_já \\o/')
    expect(messageIds(await find('ana', '100% desconto_já'))).toEqual([id])
    expect(await find('ana', '100%desconto')).toEqual(nothing)
    expect(messageIds(await find('ana', 'desconto \\o/'))).toEqual([id])
  })
  it('finds composed and decomposed letters in text and file names, with and without accents', async () => {
    const ticket = await scene.served()
    const words = ['coração', 'forêt', 'Größe', 'İzmir', 'Ñandú', 'extração']
    const plain = ['coracao', 'foret', 'grosse', 'izmir', 'nandu', 'extracao']
    for (const [n, word] of words.entries()) {
      const said = [(await say(ticket, `um ${word.normalize('NFC')} x`)).id, (await say(ticket, `um ${word.normalize('NFD')} x`)).id]
      const named = await upload(ticket, `${word.normalize('NFD')} 1.pdf`, 'application/pdf', '')
      const all = [named.id, ...said.reverse()]
      for (const typed of [word, word.normalize('NFD'), word.toUpperCase(), word.toLowerCase(), plain[n]!, plain[n]!.toUpperCase()]) {
        const found = await find('ana', typed)
        expect([typed, messageIds(found)]).toEqual([typed, all])
        const { messages } = found.tickets[0]!
        expect(messages.slice(1).map(({ snippet }) => marked(snippet)?.normalize('NFC'))).toEqual([`um [${word}] x`, `um [${word}] x`])
        expect(marked(messages[0]!.fileName)?.normalize('NFC')).toBe(`[${word}] 1.pdf`)
      }
    }
  })
  it('finds a caption and the name of a file', async () => {
    const ticket = await scene.served()
    const { id } = await upload(ticket, 'Minuta Locação.pdf', 'application/pdf', 'a versão final')
    const byName = await find('ana', 'minuta locacao')
    expect(messageIds(byName)).toEqual([id])
    expect(marked(byName.tickets[0]!.messages[0]!.fileName)).toBe('[Minuta] [Locação].pdf')
    expect(marked(byName.tickets[0]!.messages[0]!.snippet)).toBe('a versão final')
    expect(marked((await find('ana', 'versao final')).tickets[0]!.messages[0]!.snippet)).toBe('a [versão] [final]')
    expect(messageIds(await find('ana', 'minuta versao'))).toEqual([id])
    expect(await find('ana', '"final minuta"')).toEqual(nothing)
  })
  it('finds an edited message by its new text only, and a removed one not at all', async () => {
    const ticket = await scene.served()
    const { id } = await say(ticket, 'parede verdemar')
    await app.as('ana')('POST', `/messages/edit/${id}`, { body: 'parede azulmar' })
    expect(await find('ana', 'verdemar')).toEqual(nothing)
    expect(messageIds(await find('ana', 'azulmar'))).toEqual([id])
    await app.as('ana')('DELETE', `/messages/${id}`)
    expect(await find('ana', 'azulmar')).toEqual(nothing)
  })
  it('reaches each of 37 matches over three years, page by page, and counts them', async () => {
    const tickets: Ticket[] = []
    for (let n = 0; n < 25; n++) tickets.push(await scene.served())
    for (const ticket of tickets) await say(ticket, 'marco')
    try {
      const all: number[] = []
      for (const [n, ticket] of tickets.entries()) {
        const rows = n < 12 ? [`${2023 + (n % 3)}-02-03T10:00:00Z`, `2022-03-${10 + n}T10:00:00Z`] : [`2024-05-${n}T10:00:00Z`]
        for (const created_at of rows) {
          const id = copiesFrom + 10 * all.length + 1
          await copied(ticket, [{ ...text('o samambaial'), created_at, id }])
          all.push(id)
        }
      }
      const reached: number[] = []
      let cursor: string | null = null
      let pages = 0
      do {
        const found: Found = await find('ana', 'samambaial', cursor ? { cursor } : {})
        expect(found.count).toBe(cursor ? null : 37)
        reached.push(...messageIds(found))
        cursor = found.cursor
        pages++
      } while (cursor)
      expect(pages).toBe(2)
      expect(reached.toSorted((a, b) => a - b)).toEqual(all)
    } finally {
      await removeCopies()
    }
  })
  it('counts a very frequent word only up to 1,000, says so, and still reaches every ticket', async () => {
    const tickets = [await scene.served(), await scene.served(), await scene.served()]
    for (const ticket of tickets) await say(ticket, 'margaridal')
    try {
      await copied(tickets[0]!, [{ ...text('o margaridal'), created_at: '2020-01-01T00:00:00Z' }])
      await copied(
        tickets[2]!,
        Array.from({ length: 2100 }, (_, n) => ({ ...text('margaridal'), id: copiesFrom + 10 + n })),
      )
      const reached: number[] = []
      let cursor: string | null = null
      do {
        const found: Found = await find('ana', 'margaridal', cursor ? { cursor } : {})
        if (!cursor) {
          expect(found).toMatchObject({ count: 1000, isCountCapped: true })
          expect(found.tickets[0]).toMatchObject({ count: 1000, isCountCapped: true })
          expect(found.tickets[0]!.messages.length).toBe(3)
        }
        reached.push(...ids(found))
        cursor = found.cursor
      } while (cursor)
      expect(reached.toSorted((a, b) => a - b)).toEqual(tickets.map(({ id }) => id).toSorted((a, b) => a - b))
      expect(await find('carla', 'margaridal')).toEqual(nothing) // she may not see them
      expect(ids(await find('ana', 'margaridal', { to: '2020-01-31' }))).toEqual([tickets[0]!.id])
    } finally {
      await removeCopies()
    }
  })
  it('refuses a text without a word of three letters, and a search without any condition', async () => {
    for (const query of [{ searchParam: 'ok' }, { searchParam: ' " ' }, {}, { queueIds: '[]' }] as Record<string, string>[])
      expect(await ask('ana', query)).toMatchObject({ status: 400, body: { error: 'ERR_SEARCH_TOO_SHORT' } })
    const wrong = [
      { cursor: 'x' },
      { sender: 'ana' },
      { from: '2026-02-30' },
      { kind: 'fax' },
      { users: '[a]' },
      { cursor: '99999999999999-1' },
    ]
    for (const query of wrong as unknown as Record<string, string>[])
      expect(await ask('ana', { searchParam: 'abc', ...query })).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_INPUT' } })
    expect((await ask('ana', { searchParam: 'abc', cursor: '9999999999999-9999999999' })).status).toBe(200)
  })
})

describe('a filter of the search in all messages', () => {
  it('chooses the sender: the customer, us, or one agent', async () => {
    await app.phone.says('5511944480001', 'um crisantemo')
    await app.settled()
    const [ticket] = (await app.as('admin')('GET', '/tickets?searchParam=5511944480001&status=search')).body.tickets
    await app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
    const ours = await say(ticket, 'crisantemo nosso')
    const admins = await say(ticket, 'crisantemo do chefe', 'admin')
    const [theirs] = messageIds(await find('ana', 'crisantemo', { sender: 'customer' }))
    expect([ours.id, admins.id]).not.toContain(theirs)
    expect(messageIds(await find('ana', 'crisantemo', { sender: 'us' }))).toEqual([admins.id, ours.id])
    expect(messageIds(await find('ana', 'crisantemo', { sender: scene.users.ana }))).toEqual([ours.id])
    expect(messageIds(await find('ana', 'crisantemo', { sender: scene.users.admin }))).toEqual([admins.id])
    expect(await find('ana', 'crisantemo', { sender: scene.users.rita })).toEqual(nothing)
    expect((await find('ana', '', { sender: scene.users.admin })).tickets[0]!.messages[0]!.id).toBe(admins.id)
  })
  it('chooses the first and the last day in the company’s zone', async () => {
    const ticket = await scene.served()
    await say(ticket, 'base')
    try {
      const moments = ['2025-05-01T02:59:59.999Z', '2025-05-01T03:00:00Z', '2025-05-02T02:59:59.999Z', '2025-05-02T03:00:00Z']
      await copied(
        ticket,
        moments.map((created_at) => ({ ...text('lirio do dia'), created_at })),
      )
      const day = async (query: Record<string, string>) => messageIds(await find('ana', 'lirio', query)).map((id) => id - copiesFrom)
      expect(await day({ from: '2025-05-01', to: '2025-05-01' })).toEqual([3, 2])
      expect(await day({ from: '2025-05-01' })).toEqual([4, 3, 2])
      expect(await day({ to: '2025-05-01' })).toEqual([3, 2, 1])
      expect(await day({ from: '2025-05-02', to: '2025-05-01' })).toEqual([])
    } finally {
      await removeCopies()
    }
  })
  it('chooses queue, agent, tag and connection of the ticket', async () => {
    const of = async (more: object) => {
      const { id: contactId } = await scene.contact()
      const ticket: Ticket = await scene.made('admin', 'POST', '/tickets', { contactId, ...more })
      await say(ticket, 'bromelia', 'admin')
      return ticket
    }
    const sales = await of({ queueId: scene.queues.vendas, userId: scene.users.ana })
    const support = await of({ queueId: scene.queues.suporte, userId: scene.users.admin })
    const counter = await of({ queueId: scene.queues.vendas, userId: scene.users.admin, whatsappId: scene.connections.balcao })
    await scene.made('admin', 'POST', '/tags/sync', { contactId: sales.contactId, tags: [{ id: scene.tags.vip }] })
    const found = async (query: Record<string, string>) => ids(await find('admin', 'bromelia', query)).toSorted((a, b) => a - b)
    expect(await found({ queueIds: `[${scene.queues.suporte}]` })).toEqual([support.id])
    expect(await found({ users: `[${scene.users.ana}]` })).toEqual([sales.id])
    expect(await found({ tags: `[${scene.tags.vip}]` })).toEqual([sales.id])
    expect(await found({ whatsapps: `[${scene.connections.balcao}]` })).toEqual([counter.id])
    expect(await found({ queueIds: `[${scene.queues.vendas}]`, users: `[${scene.users.admin}]` })).toEqual([counter.id])
    expect(await found({})).toEqual([sales.id, support.id, counter.id])
    expect(ids(await find('admin', '', { tags: `[${scene.tags.vip}]` }))).toEqual([sales.id])
  })
  it('chooses the kind: text, file, picture, audio, video or link', async () => {
    const ticket = await scene.served()
    const written = await say(ticket, 'azaleia')
    const linked = await say(ticket, 'azaleia em https://exemplo.com.br/a')
    const bare = await say(ticket, 'azaleia em exemplo.com.br.')
    const file = await upload(ticket, 'azaleia.pdf', 'application/pdf', '')
    await copied(ticket, [
      { ...text('azaleia'), media_type: 'image' },
      { ...text('azaleia'), media_type: 'audio' },
      { ...text('azaleia'), media_type: 'video' },
    ])
    try {
      const found = async (kind: string) => messageIds(await find('ana', 'azaleia', { kind, ticketId: ticket.id }))
      expect(await found('text')).toEqual([bare.id, linked.id, written.id])
      expect(await found('link')).toEqual([bare.id, linked.id])
      expect(await found('file')).toEqual([file.id])
      expect(await found('picture')).toEqual([copiesFrom + 1])
      expect(await found('audio')).toEqual([copiesFrom + 2])
      expect(await found('video')).toEqual([copiesFrom + 3])
      expect(messageIds(await find('ana', '', { kind: 'video' }))).toEqual([copiesFrom + 3])
    } finally {
      await removeCopies()
    }
  })
})

describe('what a search in all messages never shows', () => {
  it('tickets that the viewer may not see, by any filter, nor their number (A-VIS-01)', async () => {
    const { id: contactId } = await scene.contact()
    const hidden: Ticket = await scene.made('admin', 'POST', '/tickets', {
      contactId,
      queueId: scene.queues.suporte,
      userId: scene.users.admin,
    })
    await say(hidden, 'acordo sigiloso 7788', 'admin')
    await scene.made('admin', 'POST', '/tags/sync', { contactId, tags: [{ id: scene.tags.novo }] })
    const filters: Record<string, string | number>[] = [
      ...[{}, { sender: 'us' }, { sender: scene.users.admin }, { tags: `[${scene.tags.novo}]` }, { kind: 'text' }],
      ...[{ queueIds: `[${scene.queues.suporte}]` }, { users: `[${scene.users.admin}]` }, { whatsapps: `[${scene.connections.loja}]` }],
      ...[{ from: '2020-01-01' }, { ticketId: hidden.id }],
    ]
    for (const filter of filters) {
      for (const words of ['7788', 'sigiloso']) {
        expect(await find('ana', words, filter)).toEqual(nothing)
        expect(await find('carla', words, filter)).toEqual(nothing) // another agent of the queue
        expect(ids(await find('admin', words, filter))).toEqual([hidden.id])
      }
    }
    expect(await find('ana', '', { tags: `[${scene.tags.novo}]` })).toEqual(nothing)
    expect(await find('root', 'sigiloso')).toEqual(nothing)
  })
  it('anything of a hidden ticket by any other search, list or report (A-VIS-01)', async () => {
    const { id: contactId, name } = await scene.made('admin', 'POST', '/contacts', { name: 'Zenóbia Reservada', number: '5511944486001' })
    const of = { contactId, queueId: scene.queues.suporte, userId: scene.users.admin }
    const hidden: Ticket = await scene.made('admin', 'POST', '/tickets', of)
    await say(hidden, 'acordo reservadissimo 668877', 'admin')
    const form = new FormData()
    form.append('body', '')
    form.append('medias', new Blob(['%PDF-1.4 x'], { type: 'application/pdf' }), 'minuta-oculta.pdf')
    expect((await app.as('admin')('POST', `/messages/${hidden.id}`, form)).status).toBeLessThan(300)
    await app.settled()
    const searches = ['668877', 'reservadissimo', 'minuta-oculta', name, '5511944486001', `#${hidden.id}`]
    const calls = (text: string) => [
      `/tickets?searchParam=${encodeURIComponent(text)}`,
      `/tickets?searchParam=${encodeURIComponent(text)}&status=search&showAll=true`,
      `/tickets?searchParam=${encodeURIComponent(text)}&status=search&searchOnMessages=true`,
      `/messages/search?searchParam=${encodeURIComponent(text)}`,
      `/messages/${hidden.id}/search?searchParam=${encodeURIComponent(text)}`,
      `/ticketreport/reports?searchParam=${encodeURIComponent(text)}`,
      `/ticket-history?searchParam=${encodeURIComponent(text)}`,
    ]
    const size = ({ status, body }: { status: number; body: any }) =>
      status >= 400 ? 0 : (body.tickets ?? body.messages).length + (body.count ?? 0) + (body.total ?? 0)
    for (const text of searches) {
      for (const call of calls(text)) {
        expect([call, size(await app.as('ana')('GET', call))]).toEqual([call, 0])
        expect([call, size(await app.as('carla')('GET', call))]).toEqual([call, 0])
      }
      const found = await Promise.all(calls(text).map(async (call) => size(await app.as('admin')('GET', call))))
      expect([text, Math.max(...found)]).not.toEqual([text, 0])
    }
    const seen = JSON.stringify([
      (await app.as('ana')('GET', `/tickets?contactId=${contactId}&status=search&showAll=true`)).body,
      (await app.as('ana')('GET', `/contacts/${contactId}/overview`)).body,
      (await app.as('ana')('GET', '/tickets/unread')).body,
    ])
    for (const text of [hidden.uuid, 'reservadissimo', 'minuta-oculta']) expect(seen).not.toContain(text)
  })
  it('tickets of colleagues, even to a user who may see all of them (R-VIS-03)', async () => {
    const ticket = await scene.served()
    await say(ticket, 'hortensia')
    expect(await find('bruno', 'hortensia')).toEqual(nothing)
    expect(ids(await find('admin', 'hortensia'))).toEqual([ticket.id])
  })
  it('tickets that wait for a consent, except to admins (A-LGPD-06)', async () => {
    const ticket = await scene.served()
    await say(ticket, 'violeta')
    const set = (status: 'lgpd' | 'open') => app.db.updateTable('ticket').set({ status }).where('id', '=', ticket.id).execute()
    await set('lgpd')
    expect(await find('ana', 'violeta')).toEqual(nothing)
    expect(ids(await find('admin', 'violeta'))).toEqual([ticket.id])
    await set('open')
  })
  it('deleted tickets', async () => {
    const ticket = await scene.served()
    await say(ticket, 'petunia')
    await app.as('admin')('DELETE', `/tickets/${ticket.id}`)
    await app.settled()
    expect(await find('admin', 'petunia')).toEqual(nothing)
  })
  it('numbers to masked viewers, who find a mention only by the whole number (A-LGPD-04)', async () => {
    await app.set('lgpdHideNumber', 'enabled')
    await app.set('enableLGPD', 'enabled')
    try {
      const ticket = await scene.served()
      const { id } = await say(ticket, 'fale com @5511987650000 hoje')
      expect(await find('ana', '98765')).toEqual(nothing)
      const found = await find('ana', '5511987650000')
      expect(messageIds(found)).toEqual([id])
      expect(JSON.stringify(found)).not.toContain('98765')
      expect(messageIds(await find('ana', '+55 11 98765-0000'))).toEqual([id])
    } finally {
      await app.set('lgpdHideNumber', 'disabled')
      await app.set('enableLGPD', 'disabled')
    }
  })
})

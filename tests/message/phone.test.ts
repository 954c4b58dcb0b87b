import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* What a customer's phone does, in the whole app: journal, ticket, list, and back to the phone. */
let app: TestApp
let people = 0
const logged: string[] = []
beforeAll(async () => {
  app = await startTestApp({ log: (line) => void logged.push(line) })
})
afterAll(() => app.stop())

const number = () => `55119${String(70_000_000 + ++people)}`
const admin = (method: string, path: string, body?: object) => app.as('admin')(method, path, body)
/** The tickets of a number, oldest first. */
async function ticketsOf(from: string): Promise<any[]> {
  await app.settled()
  const { body } = await admin('GET', `/tickets?status=search&searchParam=${from}`)
  return body.tickets.sort((a: any, b: any) => a.id - b.id)
}
const thread = async (id: number): Promise<any[]> => {
  await app.settled()
  return (await admin('GET', `/messages/${id}`)).body.messages
}
async function served(from: string) {
  await app.phone.says(from, 'bom dia')
  const [ticket] = await ticketsOf(from)
  await app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: app.company.users.ana })
  return ticket
}
const answer = async (id: number, body: string) => (await app.as('ana')('POST', `/messages/${id}`, { body })).body.messages[0]
const outbox = async (to: string): Promise<any[]> => {
  await app.settled()
  return (await admin('GET', `/sandbox/${app.company.connections.balcao}/outbox?to=${to}`)).body
}

describe('an inbound message', () => {
  it('reported many times at once is stored and counted once', async () => {
    const from = number()
    const id = crypto.randomUUID()
    await Promise.all(Array.from({ length: 12 }, () => app.phone.says(from, 'uma vez', { id })))
    const [ticket, ...more] = await ticketsOf(from)
    expect([ticket.unreadMessages, more]).toEqual([1, []])
    expect((await thread(ticket.id)).map(({ body }) => body)).toEqual(['uma vez'])
    await app.phone.says(from, 'uma vez', { id })
    expect((await ticketsOf(from))[0].unreadMessages).toBe(1)
  })
  it('of a burst keeps its order and does not delay other customers', async () => {
    const [one, two] = [number(), number()]
    const text = Array.from({ length: 20 }, (_, i) => `mensagem ${i}`)
    for (const body of text) await Promise.all([app.phone.says(one, body), app.phone.says(two, body)])
    for (const from of [one, two]) {
      const tickets = await ticketsOf(from)
      expect(tickets).toHaveLength(1)
      expect((await thread(tickets[0].id)).map(({ body }) => body)).toEqual(text)
    }
  })
  it('finds its contact with and without the ninth digit (A-CONTACT-02)', async () => {
    const from = number()
    await app.phone.says(from, 'com o nono')
    await app.phone.says(`${from.slice(0, 4)}${from.slice(5)}`, 'sem o nono')
    const tickets = await ticketsOf(from)
    expect(tickets).toHaveLength(1)
    expect((await thread(tickets[0].id)).map(({ body }) => body)).toEqual(['com o nono', 'sem o nono'])
  })
  it('after a close opens another ticket, unless it is a duplicate', async () => {
    const from = number()
    const ticket = await served(from)
    const id = await app.phone.says(from, 'obrigado')
    await app.settled()
    await app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'closed' })
    await app.phone.says(from, 'obrigado', { id })
    expect(await ticketsOf(from)).toHaveLength(1)
    await app.phone.says(from, 'mais uma coisa')
    expect((await ticketsOf(from)).map(({ status }) => status)).toEqual(['closed', 'pending'])
  })
  it('from a blocked contact is dropped and logged without a name (R-CONTACT-01, A-BOT-01)', async () => {
    const from = number()
    await app.phone.says(from, 'bom dia')
    const [ticket] = await ticketsOf(from)
    await app.db.updateTable('contact').set({ active: false }).where('id', '=', ticket.contactId).execute()
    await new Promise((resolve) => setTimeout(resolve, 2100)) // permission to write is cached for two seconds
    await app.phone.says(from, 'ainda aí?')
    expect((await thread(ticket.id)).map(({ body }) => body)).toEqual(['bom dia'])
    const told = logged.filter((line) => line.includes('Inbound event of a blocked contact ignored'))
    expect(told).toEqual([expect.stringContaining(`"contactId":${ticket.contactId}`)])
    expect(told.join()).not.toContain(from)
  })
  it('from a contact that is blocked while served changes nothing until the unblocking', async () => {
    const from = number()
    const ticket = await served(from)
    const socket = await app.socket('ana')
    socket.emit('joinTickets', { status: 'open' })
    await socket.fence()
    expect((await admin('PUT', `/contacts/block/${ticket.contactId}`, { active: false })).status).toBe(200)
    app.ctx.caches.contacts.clear()
    await app.settled()
    const before = (await ticketsOf(from))[0]
    for (const body of ['ei', 'alô', 'responda']) await app.phone.says(from, body)
    expect(await ticketsOf(from)).toEqual([before])
    expect(before).toMatchObject({ status: 'open', lastMessage: 'bom dia' })
    await socket.fence()
    expect(JSON.stringify(socket.frames)).not.toMatch(/"(ei|alô|responda)"/)
    const { contacts } = (await admin('GET', '/contacts?active=false')).body
    expect(contacts.map(({ id }: { id: number }) => id)).toContain(ticket.contactId)
    const { changes } = (await admin('GET', `/audit?list=contact&rowId=${ticket.contactId}`)).body
    expect(changes[0]).toMatchObject({ user: { name: 'admin' }, after: { active: false } })
    expect((await admin('PUT', `/contacts/block/${ticket.contactId}`, { active: true })).status).toBe(200)
    app.ctx.caches.contacts.clear()
    await app.phone.says(from, 'obrigado')
    expect(await ticketsOf(from)).toMatchObject([{ id: ticket.id, lastMessage: 'obrigado' }])
  })
  it('with invalid characters is refused and delays nothing', async () => {
    const from = number()
    await expect(app.phone.says(from, 'a\u0000b')).rejects.toThrow(/400/)
    await expect(app.phone.says(from, '\ud800')).rejects.toThrow(/400/)
    await app.phone.says(from, `a${'😀'.repeat(150)}`) // the list preview is cut between two characters
    expect((await ticketsOf(from))[0].lastMessage.isWellFormed()).toBe(true)
  })
})

describe('a customer’s action on a message', () => {
  it('is applied: reaction, edit, removal, quote', async () => {
    const from = number()
    const ticket = await served(from)
    const own = await app.phone.says(from, 'digitei errrado')
    await app.settled()
    await answer(ticket.id, 'tudo bem')
    const [sent] = await outbox(from)
    await app.phone.says(from, '', { quotedId: sent.id, reaction: '👍' })
    await app.phone.says(from, 'digitei errado', { edits: own })
    await app.phone.says(from, 'e isto?', { quotedId: sent.id })
    expect((await thread(ticket.id)).slice(1)).toMatchObject([
      { body: 'digitei errado', isEdited: true },
      { body: 'tudo bem', reactions: [{ emoji: '👍', from: 'contact' }] },
      { body: 'e isto?', quotedMsg: { body: 'tudo bem', fromMe: true } },
    ])
    await app.phone.says(from, '', { deletes: own })
    expect((await thread(ticket.id))[1]).toMatchObject({ isDeleted: true, deletedBy: 'contact' })
  })
  it('is applied in an earlier ticket too', async () => {
    const from = number()
    const { id } = await served(from)
    const own = await app.phone.says(from, 'apague isto')
    await app.settled()
    await answer(id, 'combinado')
    const [sent] = await outbox(from)
    let last = id
    for (const body of ['um', 'dois', 'três', 'quatro', 'cinco']) {
      expect((await admin('PUT', `/tickets/${last}`, { status: 'closed' })).status).toBe(200)
      await app.phone.says(from, body)
      last = (await ticketsOf(from)).at(-1).id
    }
    expect(await ticketsOf(from)).toHaveLength(6)
    await app.phone.says(from, '', { quotedId: sent.id, reaction: '👍' })
    await app.phone.says(from, '', { deletes: own })
    await app.settled()
    const rows = app.db.selectFrom('message').select(['deletedBy', 'reactions']).where('ticketId', '=', id).orderBy('revision').offset(1)
    expect(await rows.execute()).toMatchObject([{ deletedBy: 'contact' }, { deletedBy: null, reactions: [{ emoji: '👍' }] }])
  })
})

/** A picture of one pixel, each with its own colour, so that each is a different file. */
async function picture(): Promise<string> {
  const [r, g, b] = [++people % 256, people >> 8, 7] as [number, number, number]
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}
const load = async (address: string) => (await app.stranger('GET', address)).status
const taken = async (from: string, uuid: string, body: string) => {
  const list = (await admin('GET', `/tickets?status=search&searchOnMessages=true&searchParam=${encodeURIComponent(body)}`)).body
  const { rows } = await sql<{ told: string }>`
    select to_jsonb(m)::text as told from message m union all select to_jsonb(t)::text from ticket t
    union all select payload::text from inbound_event where payload is not null union all select to_jsonb(s)::text from sandbox_message s`.execute(
    app.db,
  )
  const replay = (await admin('GET', `/ticket-history/${uuid}`)).body
  return {
    inList: JSON.stringify(list).includes(body),
    inTables: rows.some(({ told }) => told.includes(body)),
    inThread: JSON.stringify(await thread((await ticketsOf(from))[0].id)).includes(body),
    inReplay: JSON.stringify(replay.events).includes(body),
    files: Object.values(replay.mediaUrls) as string[],
  }
}

describe('a message that the contact deleted (A-LGPD-03)', () => {
  afterAll(() => app.set('lgpdDeleteMessage', 'disabled'))

  it('is removed from tables, answers, search and media, and kept in the replay', async () => {
    await app.set('lgpdDeleteMessage', 'enabled')
    const from = number()
    const { id, uuid } = await served(from)
    const text = 'meu CPF é segredíssimo'
    const own = await app.phone.says(from, text, { mediaUrl: await picture() })
    const before = (await thread(id)).at(-1)
    await app.as('ana')('POST', `/messages/${id}`, { body: 'recebi', quotedMsg: { id: before.id } })
    expect(await load(before.mediaUrl)).toBe(200)
    await app.phone.says(from, '', { deletes: own })
    const [, gone, answered] = await thread(id)
    expect(gone).toMatchObject({ isDeleted: true, deletedBy: 'contact', body: '', media: null, mediaUrl: null, mediaType: 'image' })
    expect(answered.quotedMsg).toMatchObject({ body: '', mediaUrl: null, isDeleted: true })
    const { files, ...where } = await taken(from, uuid, text)
    expect(where).toEqual({ inList: false, inTables: false, inThread: false, inReplay: true })
    expect(await load(before.mediaUrl)).toBe(404)
    expect(await Promise.all(files.map(load))).toEqual([200])
    expect(await load(`${before.mediaUrl}&a=1`)).toBe(404) // an agent cannot build an auditor's address
  })
  it('loses its file, also if the file was decrypted later', async () => {
    const from = number()
    const { id } = await served(from)
    const own = await app.phone.says(from, '', { undecryptable: true })
    expect((await thread(id)).at(-1)).toMatchObject({ undecryptable: true, mediaUrl: null })
    await app.phone.says(from, 'agora sim', { id: own, mediaUrl: await picture() })
    const { mediaUrl } = (await thread(id)).at(-1)
    expect(await load(mediaUrl)).toBe(200)
    await app.phone.says(from, '', { deletes: own })
    expect([(await thread(id)).at(-1).mediaUrl, await load(mediaUrl)]).toEqual([null, 404])
  })
  it('keeps a file that another message shows, and the file can be sent again', async () => {
    await app.set('lgpdDeleteMessage', 'enabled')
    const [from, other] = [number(), number()]
    const [{ id }, { id: otherId }] = [await served(from), await served(other)]
    const mediaUrl = await picture()
    const own = await app.phone.says(from, 'um', { mediaUrl })
    const same = await app.phone.says(other, 'dois', { mediaUrl })
    const address = (await thread(id)).at(-1).mediaUrl
    await app.phone.says(from, '', { deletes: own })
    expect([(await thread(id)).at(-1).mediaUrl, await load(address)]).toEqual([null, 200])
    await app.phone.says(other, '', { deletes: same })
    expect([(await thread(otherId)).at(-1).mediaUrl, await load(address)]).toEqual([null, 404])
    await app.phone.says(from, 'de novo', { mediaUrl })
    expect(await load((await thread(id)).at(-1).mediaUrl)).toBe(200)
  })
  it('is kept behind a notice if the company does not remove deleted messages', async () => {
    await app.set('lgpdDeleteMessage', 'disabled')
    const from = number()
    const { id } = await served(from)
    const own = await app.phone.says(from, 'fica', { mediaUrl: await picture() })
    await app.phone.says(from, '', { deletes: own })
    const kept = (await thread(id)).at(-1)
    expect(kept).toMatchObject({ isDeleted: true, body: 'fica' })
    expect(await load(kept.mediaUrl)).toBe(200)
  })
})

describe('an outbound message', () => {
  it('reaches the phone once, in order, and gets its delivery receipts', async () => {
    const from = number()
    const ticket = await served(from)
    for (const body of ['um', 'dois', 'três']) await answer(ticket.id, body)
    const arrived = await outbox(from)
    expect(arrived.map(({ body }) => body)).toEqual(['um', 'dois', 'três'])
    await admin('POST', `/sandbox/${app.company.connections.balcao}/marks`, { id: arrived[2].id, mark: 'read' })
    expect((await thread(ticket.id)).slice(1).map(({ ack }) => ack)).toEqual([2, 2, 3])
  })
  it('reaches the phone character by character as it was typed', async () => {
    const from = number()
    const ticket = await served(from)
    const typed = [
      ...['11:30', 'http://exemplo.test/a', 'C:\\x', '8)', '2*3*4=24', 'nome_do_arquivo_final', '*Oi* Iara', '**Oi**', '~a~ `b` ```c```'],
      ...['👨‍👩‍👧‍👦', 'a  b\n\n c', '<b>&amp;</b>', '{x} {{y}} $1 %s', '\u200fשלום', 'e\u0301 é', `${'x'.repeat(4094)}😀`],
    ]
    for (const body of typed) await answer(ticket.id, body)
    expect((await outbox(from)).map(({ body }) => body)).toEqual(typed)
    expect((await thread(ticket.id)).slice(1).map(({ body }) => body)).toEqual(typed)
  })
  it('that is internal is never sent (R-MSG-14)', async () => {
    const from = number()
    const ticket = await served(from)
    await app.as('ana')('POST', `/messages/${ticket.id}`, { body: 'só nós', isPrivate: true })
    expect(await outbox(from)).toEqual([])
  })
  it('that the channel refuses is marked as failed, and the next one is sent (A-MSG-09)', async () => {
    const from = number()
    const ticket = await served(from)
    await admin('POST', `/sandbox/${app.company.connections.balcao}/faults`, { failCode: 'BLOCKED', count: 1 })
    await answer(ticket.id, 'não vai')
    await app.settled()
    await answer(ticket.id, 'vai')
    expect((await outbox(from)).map(({ body }) => body)).toEqual(['vai'])
    expect((await thread(ticket.id)).slice(1)).toMatchObject([
      { body: 'não vai', failed: 'BLOCKED', ack: 0 },
      { body: 'vai', failed: null },
    ])
  })
  it('whose answer is lost is tried again and arrives once', async () => {
    const from = number()
    const ticket = await served(from)
    await admin('POST', `/sandbox/${app.company.connections.balcao}/faults`, { loseAnswers: true, count: 1 })
    await answer(ticket.id, 'uma vez')
    expect((await outbox(from)).map(({ body }) => body)).toEqual(['uma vez'])
    expect((await thread(ticket.id)).at(-1)).toMatchObject({ body: 'uma vez', uncertain: false, failed: null })
  })
  it('is edited, reacted to and removed on the phone', async () => {
    const from = number()
    const ticket = await served(from)
    const { id } = await answer(ticket.id, 'erro')
    await app.settled()
    await app.as('ana')('PUT', `/messages/${id}`, { body: 'certo' })
    await app.as('ana')('POST', `/messages/${id}/reactions`, { type: '❤️' })
    await app.settled()
    const phone = async () => (await admin('GET', `/sandbox/${app.company.connections.balcao}/phone/${from}`)).body.at(-1)
    expect(await phone()).toMatchObject({ body: 'certo', edited: true, reactions: [{ emoji: '❤️', mine: false }] })
    await app.as('ana')('DELETE', `/messages/${id}`)
    await app.settled()
    expect(await phone()).toMatchObject({ removed: true, body: '' })
  })
})

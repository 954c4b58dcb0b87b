import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf } from '#tests/bots/customer.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* What a user who must not see numbers could learn from the sort order, the author or an answer (A-LGPD-04). */
let app: TestApp
const nameless = '5511955558877'
const [participant, group, older] = ['5511944443322', '120363000000000009@g.us', '5511933332211-1612345678@g.us']

beforeAll(async () => {
  app = await startTestApp()
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  await app.phone.says(nameless, 'oi', { name: '+55 11 95555-8877' })
  await app.phone.says(participant, 'oi, grupo', { name: '+55 11 94444-3322', group: { id: group, name: 'Família' } })
  await app.phone.says(participant, 'oi, grupo antigo', { name: 'Zeca', group: { id: older, name: 'Antigo' } })
  await app.settled()
})
afterAll(() => app.stop())

const contacts = async (who: 'bruno' | 'admin', query = '') => (await app.as(who)('GET', `/contacts?${query}`)).body.contacts as any[]

describe('the list of contacts', () => {
  it('is sorted by what is shown, so that a position reveals no digits', async () => {
    const { id } = (await contacts('bruno')).find(({ name }) => name === 'Maria Silva')
    for (const name of ['+55 11 95', '+55 11 955', '+55 11 96', '55 A', 'Maria Silva']) {
      expect((await app.as('bruno')('PUT', `/contacts/${id}`, { name })).status).toBe(200)
      const names = (await contacts('bruno')).map((one) => one.name)
      expect(names.at(-1)).toBe('5511*******77')
    }
    expect((await contacts('admin'))[0].name).toBe('+55 11 95555-8877')
  })
  it('contains all contacts for everybody', async () => {
    const known = await contacts('bruno')
    expect(new Set(known.map(({ id }) => id)).size).toBe((await contacts('admin')).length)
  })
})

describe('the author in a group', () => {
  it('is masked in the ticket row, in the list and in live frames', async () => {
    const socket = await app.socket('bruno')
    socket.emit('joinTickets')
    await app.phone.says(participant, 'outra vez', { name: '+55 11 94444-3322', group: { id: group, name: 'Família' } })
    const { ticket } = await socket.heard((frame) => frame.ticket?.contact.name === 'Família' && frame.ticket.lastMessage === 'outra vez')
    expect(ticket.lastMessageSender).toBe('5511*******22')
    await app.settled()
    const { tickets } = (await app.as('bruno')('GET', '/tickets?status=group&showAll=true')).body
    expect(tickets.map((row: any) => row.lastMessageSender).toSorted()).toEqual(['5511*******22', 'Zeca'])
    expect(JSON.stringify([tickets, socket.frames])).not.toMatch(/4444-?3322|55119333322/)
    expect(tickets.find((row: any) => row.contact.name === 'Família').contact.number).toBe(group)
  })
  it('is masked in mentions and reactions', async () => {
    const at = { name: '+55 11 94444-3322', group: { id: group, name: 'Família' } }
    const quotedId = await app.phone.says(participant, `e o @${participant}?`, at)
    await app.phone.says(participant, '', { ...at, quotedId, reaction: '👍' })
    await app.settled()
    const { tickets } = (await app.as('bruno')('GET', '/tickets?status=group&showAll=true')).body
    const { id, lastMessage } = tickets.find((row: any) => row.contact.name === 'Família')
    const said = async (who: 'bruno' | 'admin') => (await app.as(who)('GET', `/messages/${id}`)).body.messages.at(-1)
    expect([lastMessage, (await said('bruno')).body]).toEqual(['e o @5511*******22?', 'e o @5511*******22?'])
    expect((await said('bruno')).reactions).toMatchObject([{ emoji: '👍', from: 'contact', name: '5511*******22' }])
    expect(await said('admin')).toMatchObject({ body: `e o @${participant}?`, reactions: [{ name: '+55 11 94444-3322' }] })
  })
  it('is masked in the history, its records and its export', async () => {
    const { tickets } = (await app.as('dulce')('GET', '/ticket-history?searchParam=familia')).body
    const at = `/ticket-history/${tickets[0].uuid}`
    const shown = (await app.as('dulce')('GET', at)).body
    const heard = shown.events.find(({ type }: { type: string }) => type === 'MessageReceived')
    expect(heard.data.participant).toEqual({ id: '5511*******22', name: '5511*******22' })
    const { status, body: record } = await app.as('dulce')('GET', `${at}/records/${heard.revision}`)
    const file = (await app.as('dulce')('GET', `${at}/export`)).body
    expect([status, file.events.length > 1]).toEqual([200, true])
    expect(JSON.stringify([shown, record, file])).not.toMatch(/4444-?3322/)
    expect(JSON.stringify((await app.as('admin')('GET', `${at}/export`)).body)).toContain(participant)
  })
})

it('mentioned numbers are masked in the steps of a bot', async () => {
  const { loja } = app.company.connections
  await app.db.updateTable('connection').set({ greetingMessage: 'Olá!' }).where('id', '=', loja).execute()
  const one = customerOf(app, loja)
  await one.says(`vendas, como o @${participant}`)
  const { id } = await one.ticket()
  await app.as('admin')('PUT', `/tickets/${id}`, {
    status: 'open',
    userId: app.company.users.bruno,
    queueId: app.company.queues.vendas,
  })
  await app.settled()
  const stepsFor = async (who: 'bruno' | 'admin') => (await app.as(who)('GET', `/tickets/${id}/automation`)).body.steps
  expect(JSON.stringify(await stepsFor('admin'))).toContain(`@${participant}`)
  expect(JSON.stringify(await stepsFor('bruno'))).toContain('@5511*******22')
  expect(JSON.stringify(await stepsFor('bruno'))).not.toContain(participant)
})

describe('searches for whole numbers', () => {
  it('are limited in rate, on every path', async () => {
    const statuses: number[] = []
    const asks = [
      (n: string) => app.as('dulce')('GET', `/contacts?searchParam=${n}`),
      (n: string) => app.as('dulce')('GET', `/tickets?status=search&searchParam=${n}`),
      (n: string) => app.as('dulce')('GET', `/ticket-history?searchParam=${n}`),
      (n: string) => app.as('dulce')('POST', '/contacts', { name: 'Tentativa', number: n }),
    ]
    for (let n = 0; n < 60; n++) statuses.push((await asks[n % 4]!(`55119555${String(50_000 + n)}`)).status)
    expect(statuses.slice(0, 30).every((status) => status === 200 || status === 201)).toBe(true)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15)
    const over = await app.as('dulce')('GET', `/contacts?searchParam=${nameless}`)
    expect([over.body.error, Number(over.headers.get('retry-after')) > 0]).toEqual(['ERR_TOO_MANY_REQUESTS', true])
    expect((await app.as('dulce')('GET', '/contacts?searchParam=joao')).status).toBe(200)
    expect((await app.as('admin')('GET', `/contacts?searchParam=${nameless}`)).status).toBe(200)
  })
  it('are not possible with a part of a number', async () => {
    expect((await app.as('bruno')('GET', '/contacts?searchParam=5558877')).body.count).toBe(0)
  })
})

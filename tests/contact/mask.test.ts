import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyExport } from '#app/history/exported.ts'
import { bounded, type NewJournalEntry } from '#app/inbound/inbound-journal.ts'
import { messageIds, providerIdOf } from '#app/meta/message-ids.ts'
import { masked } from '#domain/contact/phone.ts'
import { streamName } from '#domain/stream.ts'
import { withoutNumberInLinks } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { own, startWithMeta, type WithMeta } from '#tests/meta/house.ts'
import type { Person } from '#tests/support/meta/world.ts'
import { eventually } from '#tests/support/wait.ts'

/* What a masked agent or auditor could learn of a number of the Cloud API past its mask (A-LGPD-04). */
const number = '5511971234568'
const third = '5511955667788'
let at: WithMeta
let person: Person
let ticketId: number
let uuid: string
let key = 0
const lines: string[] = []
/** An id as the Cloud API makes it: whose conversation it is in stands in it. */
const idOf = (phone: string) => {
  const parts = [`\x1c\x18\x0d${phone}`, '\x15\x02\0\x12\x18\x14', `3A0123456789ABCDEF${String(++key).padStart(2, '0')}`, '\0']
  return `wamid.${Buffer.from(parts.join(''), 'latin1').toString('base64')}`
}
const say = (message: { type: string } & Record<string, any>) =>
  at.meta.whatsapp.says(own.phoneNumberId, person, { id: idOf(number), ...message })[0]!
const text = (body: string, context?: { id: string }) => say({ type: 'text', text: { body }, ...(context && { context }) })
const shows = (fits: (all: any[]) => boolean) => at.shows('Cliente', fits)

/** The texts in an answer, and what each of them packs. */
function texts(value: unknown): string[] {
  if (typeof value === 'string')
    return [value, ...[...value.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([packed]) => Buffer.from(packed, 'base64').toString('latin1'))]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
const tells = (value: unknown, whole = number) => texts(value).filter((one) => one.replace(/[\s()+.-]/g, '').includes(whole.slice(4, -2)))

beforeAll(async () => {
  at = await startWithMeta({ log: (line) => void lines.push(line) })
  await at.house.set('enableLGPD', 'enabled')
  await at.house.set('lgpdHideNumber', 'enabled')
  await at.cloud()
  person = at.meta.whatsapp.person('Cliente', number)
  const first = text('bom dia')
  await shows((all) => all.length === 1)
  text(`fale com @${third} amanhã`)
  say({ type: 'contacts', contacts: [{ name: { formatted_name: 'Beto' }, phones: [{ phone: '+55 11 95566-7788', wa_id: third }] }] })
  say({ type: 'reaction', reaction: { message_id: first, emoji: '👍' } })
  text(`de novo: @${third}`, { id: first })
  const { id } = await shows((all) => all.length === 4 && all[0].reactions.length > 0)
  ticketId = id
  const bruno = at.house.as('bruno')
  const accepted = await bruno('PUT', `/tickets/${id}`, { status: 'open' })
  expect(accepted.status).toBe(200)
  uuid = accepted.body.uuid
  await at.admin('POST', `/messages/${id}`, { body: 'sim?' })
  await at.house.settled()
})
afterAll(async () => at?.stop())

describe('an id of the Cloud API', () => {
  it('reveals no number to a masked reader, in any answer', async () => {
    const dulce = at.house.as('dulce')
    const shown = (await dulce('GET', `/ticket-history/${uuid}`)).body
    expect(shown.events.map(({ type }: any) => type)).toContain('MessageReceived')
    const records = []
    for (const { revision } of shown.events) records.push((await dulce('GET', `/ticket-history/${uuid}/records/${revision}`)).body)
    const file = (await dulce('GET', `/ticket-history/${uuid}/export`)).body
    expect([tells(shown), tells(records), tells(file)]).toEqual([[], [], []])
    expect(tells([shown, records, file], third)).toEqual([])
    const bruno = at.house.as('bruno')
    for (const path of [
      `/messages/${ticketId}`,
      '/tickets?status=open&showAll=true',
      `/tickets/${ticketId}`,
      '/contacts',
      '/messages/failed',
    ])
      expect([path, ...tells((await bruno('GET', path)).body), ...tells((await bruno('GET', path)).body, third)]).toEqual([path])
  })
  it('leaves a masked export verifiable, also for ids stored by an earlier release', async () => {
    const { companies, users } = at.house.company
    const by = { kind: 'user' as const, id: users.bruno }
    await at.house.ctx.execute(
      ticketId,
      { type: 'Access', userId: users.bruno, mode: 'print', companyId: companies.casa, by },
      `7/${idOf(number)}`,
    )
    const path = `/ticket-history/${uuid}/export`
    const file = (await at.house.as('dulce')('GET', path)).body
    expect(tells(file)).toEqual([])
    expect(tells((await at.admin('GET', path)).body).length).toBeGreaterThan(0)
    expect(await verifyExport(JSON.stringify(file))).toMatchObject({ bad: [], withheld: 1 })
    const last = (await at.house.as('dulce')('GET', `/ticket-history/${uuid}`)).body.events.at(-1)
    for (const { revision } of file.events)
      expect(tells((await at.house.as('dulce')('GET', `/ticket-history/${uuid}/records/${revision}`)).body)).toEqual([])
    expect(last.type).toBe('TicketAccessed')
    file.events.find(({ withheld }: any) => withheld).data.userId = 1
    expect((await verifyExport(JSON.stringify(file))).bad).toHaveLength(1)
  })
  it('does not appear in the log', () => {
    expect(tells(lines)).toEqual([])
  })
})

describe('a contact card', () => {
  it('shows a masked reader the name and no number', async () => {
    const card = async (who: 'bruno' | 'admin') =>
      ((await at.house.as(who)('GET', `/messages/${ticketId}`)).body.messages as any[]).find(({ vCard }) => vCard).vCard as string
    expect(await card('bruno')).toContain('FN:Beto')
    expect(await card('bruno')).toContain(masked(third))
    expect(tells(await card('bruno'), third)).toEqual([])
    expect(await card('admin')).toContain(`waid=${third}:+55 11 95566-7788`)
  })
  it('is sent live without a number', async () => {
    const line = await at.house.socket('bruno')
    line.emit('joinTickets')
    line.emit('joinChatBox', ticketId)
    say({ type: 'contacts', contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 11 95566-7788', wa_id: third }] }] })
    text(`e @${third}`)
    await line.heard((frame) => frame.message?.body?.startsWith('e @'))
    expect([tells(line.frames), tells(line.frames, third)]).toEqual([[], []])
  })
})

describe('a message search', () => {
  const inThread = async (who: 'bruno' | 'admin', sought: string) =>
    (await at.house.as(who)('GET', `/messages/${ticketId}/search?searchParam=${encodeURIComponent(sought)}`)).body
  const inTickets = async (who: 'bruno' | 'admin', sought: string) =>
    (await at.house.as(who)('GET', `/tickets?status=search&searchOnMessages=true&searchParam=${encodeURIComponent(sought)}`)).body
  it('finds no part of a mentioned number for a masked reader', async () => {
    for (const part of ['5566', third.slice(0, 8), third.slice(0, -1), `@${third.slice(0, 6)}`, 'com @5511']) {
      expect((await inThread('admin', part)).messages.length).toBeGreaterThan(0)
      expect([part, (await inThread('bruno', part)).messages]).toEqual([part, []])
      expect([part, (await inTickets('bruno', part)).tickets]).toEqual([part, []])
    }
  })
  it('finds a whole number and words beside it, and shows no number', async () => {
    for (const sought of [third, 'amanhã', 'fale com @']) {
      const [thread, tickets] = [await inThread('bruno', sought), await inTickets('bruno', sought)]
      expect([sought, thread.messages.length > 0, tickets.hits.length]).toEqual([sought, true, 1])
      expect(tells([thread, tickets], third)).toEqual([])
    }
  })
  it('finds digits that are no number', async () => {
    text('o pedido 4711 de 2026')
    await shows((all) => all.some(({ body }) => body.includes('4711')))
    expect((await inThread('bruno', '4711 de')).messages).toHaveLength(1)
  })
})

describe('a number in a link', () => {
  it('is not filled into an agent’s message while numbers are masked', async () => {
    await at.house.as('bruno')('POST', `/messages/${ticketId}`, { body: 'https://evil.test/?n={{numero}} e {numero}', anyway: true })
    const left = await eventually(
      async () => at.meta.world.reached(person.id).find(({ body }) => body.startsWith('https://evil')),
      (one) => one !== undefined,
    )
    expect(left!.body).toBe(`https://evil.test/?n=* e ${number}`)
  })
  it('is removed however the link is written', () => {
    for (const [written, left] of [
      ['veja evil.test/{{ numero }}!', 'veja evil.test/*!'],
      ['https://{numero}.evil.test', 'https://*.evil.test'],
      ['https://evil.test/{{\nNUMERO\n}}', 'https://evil.test/*'],
      ['https://evil.test/{{ nome }}{{numero}}', 'https://evil.test/{{nome}}*'],
      ['https://evil.test/{{nu{numero}mero}}', 'https://evil.test/{{nu*mero}}'],
      ['mailto:{{numero}}@evil.test', 'mailto:*@evil.test'],
      ['Seu número: {{numero}}.', 'Seu número: {{numero}}.'],
      ['*{{numero}}*, (número:{numero})', '*{{numero}}*, (número:{numero})'],
    ])
      expect(withoutNumberInLinks(written!)).toBe(left)
  })
})

describe('ids in the event store', () => {
  const stored = async () =>
    (await at.house.ctx.eventStore.read(streamName(ticketStream, at.house.company.companies.casa, ticketId))).events
  const ours = (body: string) => () => at.meta.world.reached(person.id).find((one) => one.body === body)
  const idTable = () => at.house.db.selectFrom('messageProviderId').select(['providerId', 'digest'])

  it('are stored as digests, and the provider still gets the original id', async () => {
    const [{ id: connection }] = (await at.admin('GET', '/whatsapp')).body.filter(({ name }: any) => name === 'Oficial')
    const before = (await stored()).length
    const id = text('quanto custa?')
    const asked = (await shows((all) => all.at(-1).body === 'quanto custa?')).messages.at(-1)
    const bruno = at.house.as('bruno')
    await bruno('POST', `/messages/${ticketId}`, { body: 'dez', quotedMsg: { id: asked.id }, anyway: true })
    const dez = (await eventually(async () => ours('dez')(), Boolean))!
    expect(dez.quoted).toBe(id)
    await shows((all) => all.at(-1).ack >= 1)
    at.meta.whatsapp.mark(dez, 'read')
    text('fechado', { id: dez.id })
    const { messages } = await shows((all) => all.at(-1).body === 'fechado' && all.at(-2).ack >= 3)
    expect(messages.at(-1).quotedMsg).toMatchObject({ body: 'dez' })
    await eventually(async () => at.meta.whatsapp.read.includes(id), Boolean)
    text('fechado', { id: dez.id })
    await at.house.settled()
    expect(tells((await stored()).slice(before))).toEqual([])
    expect(JSON.stringify((await stored()).slice(before).map(({ data, meta }) => [data, meta]))).not.toContain('wamid')
    const journal = await at.house.db.selectFrom('inboundEvent').select('externalId').where('connectionId', '=', connection).execute()
    expect(tells(journal)).toEqual([])
  })
  it('are recognised when reported twice, also under another secret', async () => {
    const id = idOf(number)
    const twice = () => say({ type: 'text', text: { body: 'só uma vez' }, id })
    twice()
    await shows((all) => all.at(-1).body === 'só uma vez')
    const { digest } = await idTable().where('providerId', '=', id).executeTakeFirstOrThrow()
    const owner = await at.house.db.selectFrom('messageProviderId').select(['companyId', 'connectionId']).limit(1).executeTakeFirstOrThrow()
    expect(await messageIds(Buffer.from('another')).hide(at.house.db, owner, id, number)).toBe(digest)
    twice()
    text('e depois')
    const { messages } = await shows((all) => all.at(-1).body === 'e depois')
    expect(messages.filter(({ body }) => body === 'só uma vez')).toHaveLength(1)
  })
  it('keep the form in which an earlier release stored them', async () => {
    const [id, owner] = [idOf(number), { companyId: at.house.company.companies.casa, connectionId: at.house.company.connections.loja }]
    const heard = JSON.stringify({ type: 'message' })
    const row = { ...owner, externalId: id, conversation: number, payload: heard, doneAt: new Date().toISOString() }
    await at.house.db.insertInto('inboundEvent').values(row).execute()
    expect(await at.house.ctx.messageIds.hide(at.house.db, owner, id, number)).toBe(id)
  })
  it('cannot be decrypted once the contact is erased', async () => {
    const maria = '5511987654321'
    const { id: contactId, companyId } = await at.house.db
      .selectFrom('contact')
      .select(['id', 'companyId'])
      .where('number', '=', maria)
      .where('companyId', '=', at.house.company.companies.casa)
      .executeTakeFirstOrThrow()
    const [id, connectionId] = [idOf(maria), at.house.company.connections.loja]
    const digest = await at.house.ctx.messageIds.hide(at.house.db, { companyId, connectionId }, id, maria)
    expect(await providerIdOf(at.house.db, connectionId, digest)).toBe(id)
    await at.house.ctx.contactKeys.destroy({ companyId, contactId })
    expect(await providerIdOf(at.house.db, connectionId, digest)).toBe('')
    expect(tells(await idTable().execute()).length).toBeGreaterThan(0)
  })
})

it('an oversized message id is logged as a short digest', () => {
  const told: object[] = []
  const payload: NewJournalEntry['payload'] = { type: 'receipt', externalIds: [], mark: 'read' }
  const entry = { companyId: 1, connectionId: 1, externalId: idOf(number).padEnd(600, 'A'), conversation: number, payload }
  expect(bounded([entry], { warn: (fields: object) => void told.push(fields) })).toEqual([])
  expect(told).toMatchObject([{ externalId: expect.stringMatching(/^[\w-]{12}$/) }])
  expect(tells(told)).toEqual([])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverOf } from '#app/channels/providers.ts'
import { eventually } from '#tests/support/wait.ts'
import { own, startAtAll, type WithMeta } from './house.ts'

/* Outbound messages: the preview, the rate, and how the outcome is found on each channel if an answer is lost. */
let at: WithMeta
let people = 0
beforeAll(async () => {
  at = await startAtAll()
})
afterAll(async () => at?.stop())

const accounts = { whatsapp: own.phoneNumberId, page: '2001', instagram: '3001' }
/** The sender of each product: an Instagram account sends through its page. */
const speakers = { ...accounts, instagram: accounts.page }
type Product = keyof typeof accounts
/** A contact who wrote, in a ticket that is served. */
async function someone(product: Product) {
  const name = `Duvida ${product} ${++people}`
  const one = product === 'whatsapp' ? at.meta.whatsapp.person(name, `55119830000${people}`) : at.meta[product].person(name)
  if (product === 'whatsapp') at.meta.whatsapp.text(accounts.whatsapp, one, 'oi')
  else at.meta[product].text(accounts[product], one, 'oi')
  const { id } = await at.shows(name, (all) => all.length === 1)
  await at.admin('PUT', `/tickets/${id}`, { status: 'open', queueId: at.house.company.queues.vendas })
  await at.house.settled()
  return { name, person: one.id, ticketId: id }
}
/** Sends with a lost answer or a lost call. `quiet`: no webhook comes either. */
async function loses(product: Product, lost: 'answer' | 'all', body: string, quiet: boolean) {
  const who = await someone(product)
  at.meta.world.faults.push({ on: `${speakers[product]}/messages`, method: 'POST', lost })
  if (quiet) at.meta.hooks.hold()
  const { body: sent } = await at.admin('POST', `/messages/${who.ticketId}`, { body })
  const id = sent.messages[0].id as number
  const now = async () => (await at.thread(who.name)).messages.find((one) => one.id === id)
  return { ...who, id, now, check: () => at.admin('POST', `/messages/${id}/check`).then((answer) => answer.body.outcome) }
}
const doubt = (now: () => Promise<any>) => eventually(now, (one) => one.uncertain === true)

describe.each(['whatsapp', 'page', 'instagram'] as const)('a message of the %s whose answer was lost', (product) => {
  it('is confirmed by the channel’s webhook, once', async () => {
    const { name, person, now } = await loses(product, 'answer', `chegou ${product}`, false)
    await eventually(now, (one) => one.ack >= 1 && !one.uncertain)
    await at.meta.hooks.quiet()
    await at.house.settled()
    expect((await at.thread(name)).messages.filter(({ body }) => body === `chegou ${product}`)).toHaveLength(1)
    expect(at.meta.world.reached(person).filter(({ body }) => body === `chegou ${product}`)).toHaveLength(1)
  })
})

it('an Instagram message is recognised by its final text', async () => {
  const { name, person, now } = await loses('instagram', 'answer', 'bem-vinda, {{nome}} \n', false)
  await eventually(now, (one) => one.ack >= 1 && !one.uncertain)
  await at.meta.hooks.quiet()
  await at.house.settled()
  expect((await at.thread(name)).messages.filter(({ fromMe }) => fromMe)).toHaveLength(1)
  expect(at.meta.world.reached(person).map(({ body }) => body)).toEqual([`bem-vinda, ${name}`])
})

it('an Instagram file with a lost answer is recognised by its kind, once', async () => {
  const { name, person, ticketId } = await someone('instagram')
  at.meta.world.faults.push({ on: `${speakers.instagram}/messages`, method: 'POST', lost: 'answer' })
  at.meta.hooks.hold()
  const form = new FormData()
  form.set('medias', new File(['%PDF-1.4 nota'], 'nota.pdf', { type: 'application/pdf' }))
  expect((await at.admin('POST', `/messages/${ticketId}`, form)).status).toBe(200)
  await at.shows(name, (all) => all.at(-1).uncertain)
  at.meta.hooks.release()
  await at.shows(name, (all) => all.some(({ fromMe, ack, uncertain }) => fromMe && ack >= 1 && !uncertain))
  await at.meta.hooks.quiet()
  await at.house.settled()
  const { messages } = await at.thread(name)
  expect(messages.filter(({ fromMe }) => fromMe)).toMatchObject([{ mediaType: 'application', elsewhere: false, uncertain: false }])
  expect(at.meta.world.reached(person).map(({ type }) => type)).toEqual(['file'])
})

describe.each(['page', 'instagram'] as const)('where the %s is asked', (product) => {
  it('a message that arrived is found in the conversation', async () => {
    const { now, check, name } = await loses(product, 'answer', `achada ${product}`, true)
    await doubt(now)
    expect(await check()).toBe('arrived')
    await eventually(now, (one) => one.ack >= 1 && !one.uncertain)
    expect(await check()).toBe('arrived')
    at.meta.hooks.release()
    await at.meta.hooks.quiet()
    await at.house.settled()
    expect((await at.thread(name)).messages.filter(({ body }) => body === `achada ${product}`)).toHaveLength(1)
  })
  it('a message that did not arrive is not found, although an equal one was sent before', async () => {
    const { now, check, ticketId, person } = await loses(product, 'all', 'igual', true)
    await doubt(now)
    expect(await check()).toBe('missing')
    at.meta.hooks.release()
    await at.admin('POST', `/messages/${ticketId}`, { body: 'igual' })
    await eventually(
      async () => at.meta.world.reached(person),
      (all) => all.length === 1,
    )
    await at.house.settled()
    expect(await check()).toBe('missing')
  })
})

type Becomes = [code: number, subcode: number | undefined, becomes: string]
/** The outcome of a message after this error: failed with a reason, waiting for a retry, or uncertain. */
const afterwards: Record<Product, Becomes[]> = {
  page: [
    [10, 2018278, 'ERR_WINDOW_CLOSED'],
    [100, 2018001, 'ERR_CONTACT_UNREACHABLE'],
    [551, undefined, 'ERR_CONTACT_UNREACHABLE'],
    [10, undefined, 'ERR_CHANNEL_FORBIDDEN'],
    [200, undefined, 'ERR_CHANNEL_FORBIDDEN'],
    [10, 1893063, 'ERR_CHANNEL_FORBIDDEN'],
    [1, undefined, 'unknown'],
    [2, undefined, 'unknown'],
    [4, undefined, 'waits'],
    [17, undefined, 'waits'],
    [32, undefined, 'waits'],
    [613, undefined, 'waits'],
  ],
  instagram: [
    [10, 2534022, 'ERR_WINDOW_CLOSED'],
    [100, 2018001, 'ERR_CONTACT_UNREACHABLE'],
    [613, undefined, 'waits'],
  ],
  whatsapp: [
    [131047, undefined, 'ERR_WINDOW_CLOSED'],
    [131026, undefined, 'ERR_CONTACT_UNREACHABLE'],
    [131049, undefined, 'ERR_CONTACT_UNREACHABLE'],
    [131051, undefined, 'ERR_UNSUPPORTED_MEDIA'],
    [132000, undefined, 'ERR_TEMPLATE_FIELDS'],
    [132001, undefined, 'ERR_TEMPLATE_GONE'],
    [131056, undefined, 'waits'],
    [130429, undefined, 'waits'],
    [80007, undefined, 'waits'],
  ],
}
it.each(['page', 'instagram', 'whatsapp'] as const)(
  'each fault of the %s leaves a message as it should, and the connection as it is',
  async (product) => {
    const served = await someone(product)
    for (const [code, subcode, becomes] of afterwards[product]) {
      const { name, ticketId } = becomes === 'waits' ? await someone(product) : served
      const times = becomes === 'ERR_WINDOW_CLOSED' && product !== 'whatsapp' ? 2 : 1 // tried once more as an agent's message
      await at.house.settled() // a read receipt is a call to the same address
      at.meta.world.faults.push({ on: `${speakers[product]}/messages`, method: 'POST', code, ...(subcode && { subcode }), times })
      const body = `depois de ${code}/${subcode ?? ''}`
      await at.admin('POST', `/messages/${ticketId}`, { body })
      const now = async () => (await at.thread(name)).messages.at(-1)
      if (becomes === 'waits') {
        const sent = at.house.db
          .selectFrom('outbox')
          .select(['state', 'putOff'])
          .where('ticketId', '=', ticketId)
          .where('kind', '=', 'send')
        const row = await eventually(
          () => sent.executeTakeFirstOrThrow(),
          ({ putOff }) => putOff > 0,
        )
        expect(row).toEqual({ state: 'waiting', putOff: 1 })
        expect(await now()).toMatchObject({ body, failed: null, uncertain: false })
        await at.house.db.updateTable('outbox').set({ state: 'failed' }).where('ticketId', '=', ticketId).execute() // nobody waits for it
      } else await eventually(now, (one) => one.body === body && (becomes === 'unknown' ? one.uncertain : one.failed === becomes))
      expect(at.meta.world.faults).toEqual([])
    }
    const rows = (await at.admin('GET', '/whatsapp')).body as { provider: string; status: string }[]
    expect(rows.filter(({ provider, status }) => provider !== 'sandbox' && status !== 'CONNECTED')).toEqual([])
  },
)

it('a WhatsApp message that was accepted and then refused as too late fails with that reason', async () => {
  const { name, person, ticketId } = await someone('whatsapp')
  await at.admin('POST', `/messages/${ticketId}`, { body: 'aceita, e depois não' })
  const [arrived] = await eventually(
    async () => at.meta.world.reached(person),
    ({ length }) => length === 1,
  )
  at.meta.whatsapp.fails(arrived!, 131047)
  await at.shows(name, (all) => all.at(-1)?.failed === 'ERR_WINDOW_CLOSED')
})

it.each(['page', 'instagram'] as const)('many files of the %s are sent one after another, below Meta’s limit', async (product) => {
  const { person, ticketId } = await someone(product)
  for (let n = 0; n < 14; n++) {
    const form = new FormData()
    form.set('medias', new File(['%PDF-1.4 nota'], `${n}.pdf`, { type: 'application/pdf' }))
    expect((await at.admin('POST', `/messages/${ticketId}`, form)).status).toBe(200)
  }
  await eventually(
    async () => at.meta.world.reached(person).length,
    (n) => n === 14,
  )
  expect(at.meta.world.limited).toBe(0)
})

it('a WhatsApp contact is shown typing for the last message, once in a while', async () => {
  const { name, person, ticketId } = await someone('whatsapp')
  const last = at.meta.whatsapp.text(accounts.whatsapp, at.meta.world.people.get(person)!, 'alguém?')
  await at.shows(name, (all) => all.length === 2)
  const socket = await at.house.socket('admin')
  socket.emit('joinChatBox', { ticketId })
  await socket.fence()
  const types = async (times: number) => {
    for (let n = 0; n < 2; n++) socket.emit('typing', { ticketId })
    await eventually(
      async () => at.meta.whatsapp.typing.length,
      (n) => n >= times,
    )
  }
  await types(1)
  await at.admin('POST', `/messages/${ticketId}`, { body: 'um momento' })
  await eventually(
    async () => at.meta.world.reached(person).length,
    (n) => n === 1,
  )
  await types(2)
  await at.house.settled()
  expect(at.meta.whatsapp.typing).toEqual([last, last])
})

it.each([
  ['whatsapp', 'cloud', '/media'],
  ['page', 'graph', '/message_attachments'],
] as const)('a file of the %s that is given up on its way does not leave when it is there', async (product, provider, upload) => {
  const { person, ticketId } = await someone(product)
  const bodies = () => at.meta.world.reached(person).map(({ body }) => body)
  const arrives = (n: number) =>
    eventually(
      async () => bodies(),
      ({ length }) => length === n,
    )
  const form = new FormData()
  form.set('medias', new File(['%PDF-1.4 nota'], 'nota.pdf', { type: 'application/pdf' }))
  await at.admin('POST', `/messages/${ticketId}`, form)
  await arrives(1)
  const { db, company, ctx: app } = at.house
  const sentOne = db.selectFrom('message').innerJoin('ticket', 'ticket.id', 'message.ticketId').where('ticketId', '=', ticketId)
  const found = await sentOne.select(['media', 'whatsappId', 'contactId']).where('media', 'is not', null).executeTakeFirstOrThrow()
  const to = {
    companyId: company.companies.casa,
    connectionId: found.whatsappId!,
    contactId: found.contactId,
    number: person,
    group: false,
  }
  const content = { kind: 'application' as const, body: 'tarde', media: found.media, vCard: null, quotedExternalId: null }
  at.meta.world.faults.push({ on: upload, method: 'POST', delayMs: 300 })
  const channel = driverOf(provider, app.config)!.createAdapter(app)
  const sent = channel.send({ ...to, ids: [{ kind: 'scoped', id: person }] }, 'tarde', content, AbortSignal.timeout(50))
  await expect(sent).rejects.toThrow('ERR_CHANNEL_AWAY')
  await at.admin('POST', `/messages/${ticketId}`, { body: 'depois' })
  await arrives(2)
  expect(bodies().at(-1)).toBe('depois')
})

it('a split message whose rest did not arrive fails as sent in part', async () => {
  const { name, person, ticketId } = await someone('whatsapp')
  await at.admin('POST', `/messages/${ticketId}`, { body: 'palavra '.repeat(900) })
  const got = async () => at.meta.world.reached(person)
  const [first, second] = await eventually(got, ({ length }) => length === 2)
  const shows = (fits: (message: any) => boolean) => at.shows(name, (all) => fits(all.at(-1)))
  at.meta.whatsapp.mark(first!, 'delivered')
  await shows(({ ack }) => ack === 2)
  at.meta.whatsapp.fails(second!, 131026)
  await shows(({ failed }) => failed === 'ERR_SENT_IN_PART')
  at.meta.whatsapp.mark(first!, 'read')
  await at.meta.hooks.quiet()
  await at.house.settled()
  expect((await at.thread(name)).messages.at(-1)).toMatchObject({ failed: 'ERR_SENT_IN_PART' })
})

it('on WhatsApp a missing webhook means that the message was probably not sent', async () => {
  const { now, check } = await loses('whatsapp', 'all', 'sumiu', false)
  await doubt(now)
  expect(await check()).toBe('silent')
})

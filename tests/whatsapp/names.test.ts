import { afterAll, beforeAll, expect, it } from 'vitest'
import { whatsappChannel } from '#app/whatsapp/channel.ts'
import { lasting } from '#app/whatsapp/memory.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { answersIn, installationAtDouble, linked, threadOf } from '#tests/support/whatsapp/linked.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

/* Names of contacts who send none, and what a process remembers between two sockets. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let phone: Phone
let id: number
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble())
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

let people = 20
const nameless = (name = ''): Contact => double.addContact({ pn: `55119000000${++people}`, name })
/** Somebody saves the contact on the company's phone. */
const save = ({ jid, lidJid }: Contact, fullName: string) =>
  phone.patch({
    type: 'critical_unblock_low',
    index: ['contact', jid],
    syncAction: { contactAction: { fullName, lidJid } },
    apiVersion: 2,
    operation: 0,
  })
/** The contacts whose numbers and ids the client knows. */
const mapped = async () => (await app.db.selectFrom('waKey').select('id').where('type', '=', 'lid-mapping').execute()).map((one) => one.id)
const nameOf = async ({ pn }: Contact) =>
  (await app.db.selectFrom('contact').select('name').where('number', '=', pn).executeTakeFirst())?.name

it('a contact without a name gets the name from the company’s phone', async () => {
  const [bia, ana] = [nameless(), nameless('Ana')]
  await bia.says(phone, 'oi')
  await ana.says(phone, 'oi')
  await soon(() => nameOf(bia)).toBe(bia.pn)
  await soon(() => nameOf(ana)).toBe('Ana')
  await save(ana, 'Ana do 302')
  await save(bia, 'Bia Oficina')
  await soon(() => nameOf(bia)).toBe('Bia Oficina')
  expect(await nameOf(ana)).toBe('Ana')
})

it('a name known before the first message is used, and creates no contact alone', async () => {
  const [caio, duda] = [nameless(), nameless()]
  await save(duda, 'Duda')
  await save(caio, 'Caio Entregas')
  await soon(mapped).toContain(caio.pn)
  await caio.says(phone, 'cheguei')
  await soon(() => nameOf(caio)).toBe('Caio Entregas')
  expect(await nameOf(duda)).toBeUndefined()
})

it('a business has the name that WhatsApp verified', async () => {
  const shop = nameless()
  shop.business = 'Padaria Central Ltda'
  await shop.says(phone, 'seu pedido saiu')
  await soon(() => nameOf(shop)).toBe('Padaria Central Ltda')
})

it('a group message shows its participant’s name, and members are requested once', async () => {
  const [eva, fay, gil] = [nameless('Eva'), nameless(), nameless()]
  await save(fay, 'Fay Portaria')
  await soon(mapped).toContain(fay.pn)
  const group = double.addGroup({ subject: 'Condomínio', phones: [phone], contacts: [eva, fay, gil] })
  await eva.says(phone, 'boa noite', { group })
  await fay.says(phone, 'boa', { group })
  await gil.says(phone, 'quem são?', { group })
  const bodies = ['boa noite', 'boa', 'quem são?']
  const said = async () =>
    (await app.db.selectFrom('message').select(['body', 'senderName']).where('body', 'in', bodies).orderBy('id').execute()).map(
      ({ body, senderName }) => [body, senderName || null],
    )
  await soon(said).toEqual([
    ['boa noite', 'Eva'],
    ['boa', 'Fay Portaria'],
    ['quem são?', null],
  ])
  const asked = () => double.world.asked.filter((one) => one === 'w:g2 get query').length
  const { ticketId } = (await threadOf(app, id)).findLast(({ body }) => body === 'quem são?')!
  await answersIn(app, ticketId, 'um')
  await double.arrived(eva, ({ message }) => message.extendedTextMessage?.text === 'um')
  const first = asked()
  expect(first).toBeLessThanOrEqual(1)
  for (const text of ['dois', 'três']) {
    await answersIn(app, ticketId, text)
    await double.arrived(eva, ({ message }) => message.extendedTextMessage?.text === text)
  }
  expect(asked()).toBe(first)
})

it('a call from before a disconnect is refused afterwards', async () => {
  const hugo = nameless('Hugo')
  const call = hugo.call(phone)
  await soon(async () => (await app.db.selectFrom('message').select('id').where('mediaType', '=', 'call_log').execute()).length).toBe(1)
  double.drop()
  await soon(() => double.companions(phone)[0]!.connection?.active).toBe(true)
  const down: unknown[] = []
  double.world.events.on('call', ({ stanza: { content } }) => {
    for (const one of Array.isArray(content) ? content : []) down.push([one.tag, one.attrs['call-id']])
  })
  const to = { companyId: app.company.companies.casa, connectionId: id, contactId: 0, number: hugo.pn, group: false, ids: [] }
  const rejected = () => whatsappChannel(app.ctx.caches.whatsappSockets).rejectCall!(to, call).then(() => 'done', String)
  await soon(rejected).toBe('done')
  await soon(() => down).toEqual([['reject', call]])
})

it('the memory drops old entries, and the oldest when it is full', () => {
  let now = 0
  const kept = lasting<number>(100, 3, () => now)
  for (const [i, key] of ['a', 'b', 'c', 'd'].entries()) kept.set(key, i)
  expect(['a', 'b', 'd'].map(kept.get)).toEqual([undefined, 1, 3])
  now = 60
  kept.set('b', 7)
  now = 100
  expect(['b', 'c', 'd'].map(kept.get)).toEqual([7, undefined, undefined])
  now = 160
  expect(kept.get('b')).toBeUndefined()
})

it('the address book and the people of the chats are kept for an import, and go with the link (A-IMP-01)', async () => {
  const [hugo, iris] = [nameless(), nameless()]
  await save(hugo, 'Hugo da Agenda')
  phone.history.conversations = [{ id: iris.jid, name: 'Iris', lidJid: iris.lidJid, messages: [] }]
  await phone.greet(double.companions(phone)[0]!) // the connection imports no messages
  const people = async () => {
    const rows = app.db.selectFrom('phoneBook').select(['number', 'name', 'inBook', 'inChats']).where('connectionId', '=', id)
    return rows.where('number', 'in', [hugo.pn, iris.pn]).orderBy('number').execute()
  }
  await soon(people).toEqual([
    { number: hugo.pn, name: 'Hugo da Agenda', inBook: true, inChats: false },
    { number: iris.pn, name: expect.any(String), inBook: false, inChats: true },
  ])
  expect(await app.db.selectFrom('importMessage').selectAll().where('connectionId', '=', id).execute()).toEqual([])
  expect((await app.as('admin')('DELETE', `/whatsappsession/${id}`)).status).toBeLessThan(300)
  await soon(people).toEqual([])
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { whatsappChannel } from '#app/whatsapp/channel.ts'
import { lasting } from '#app/whatsapp/memory.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { answersIn, houseAtDouble, linked, threadOf } from '#tests/support/whatsapp/linked.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

/* What people are called who do not say it themselves, and what a process remembers from one socket to the next. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let phone: Phone
let id: number
beforeAll(async () => {
  ;({ house: app, double } = await houseAtDouble())
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

let people = 20
const nameless = (name = ''): Contact => double.addContact({ pn: `55119000000${++people}`, name })
/** Somebody saves them on the phone of the company. */
const save = ({ jid, lidJid }: Contact, fullName: string) =>
  phone.patch({
    type: 'critical_unblock_low',
    index: ['contact', jid],
    syncAction: { contactAction: { fullName, lidJid } },
    apiVersion: 2,
    operation: 0,
  })
/** Whose numbers the client was told beside their ids, which comes with their names. */
const mapped = async () => (await app.db.selectFrom('waKey').select('id').where('type', '=', 'lid-mapping').execute()).map((one) => one.id)
const nameOf = async ({ pn }: Contact) =>
  (await app.db.selectFrom('contact').select('name').where('number', '=', pn).executeTakeFirst())?.name

it('calls who wrote without a name as the phone of the company does, and nobody otherwise who said one', async () => {
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

it('calls so too who writes for the first time after that was told, and makes no contact of who never does', async () => {
  const [caio, duda] = [nameless(), nameless()]
  await save(duda, 'Duda')
  await save(caio, 'Caio Entregas')
  await soon(mapped).toContain(caio.pn)
  await caio.says(phone, 'cheguei')
  await soon(() => nameOf(caio)).toBe('Caio Entregas')
  expect(await nameOf(duda)).toBeUndefined()
})

it('calls a business by the name that WhatsApp has verified', async () => {
  const shop = nameless()
  shop.business = 'Padaria Central Ltda'
  await shop.says(phone, 'seu pedido saiu')
  await soon(() => nameOf(shop)).toBe('Padaria Central Ltda')
})

it('says by name who wrote in a group, also where they write without one, and asks WhatsApp who is in it once', async () => {
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

it('turns down who began to ring before the line was lost', async () => {
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
  const rejected = () => whatsappChannel(app.db).rejectCall!(to, call).then(() => 'done', String)
  await soon(rejected).toBe('done')
  await soon(() => down).toEqual([['reject', call]])
})

it('forgets what is older than that, and the oldest where there is too much', () => {
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

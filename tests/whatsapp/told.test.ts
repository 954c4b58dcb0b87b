import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { loginMs } from '#app/whatsapp/login-watch.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { answersIn, becomes, codeOf, installationAtDouble, linked, stands, threadOf } from '#tests/support/whatsapp/linked.ts'
import {
  type Contact,
  newId,
  node,
  type Phone,
  type Received,
  type SentStanza,
  seconds,
  tell,
  typesFor,
} from '#tests/support/whatsapp/world.ts'

/* Unusual forms of what WhatsApp sends: people by one address, messages without text, refusals. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let phone: Phone
let ana: Contact
let id: number
/** The offset of the simulated clock. */
let ahead = 0
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble({ clock: openClock(() => ahead) }))
  ana = double.addContact({ pn: '5511900000002', name: 'Ana' })
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

const thread = () => threadOf(app, id)
const hears = (body: string) => soon(async () => (await thread()).at(-1)!.body).toBe(body)
const textOf = (text: string) => double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === text)
const rowOf = async (body: string) => (await thread()).findLast((one) => one.body === body)!

it('an answer by id alone is matched to the number that an agent wrote to', async () => {
  const admin = app.as('admin')
  const bia = double.addContact({ pn: '5511900000044', name: 'Bia' })
  const contactId = (await admin('POST', '/contacts', { name: 'Bia Cliente', number: bia.pn })).body.id
  const ticket = (await admin('POST', '/tickets', { contactId, queueId: app.company.queues.vendas, whatsappId: id })).body
  expect((await admin('POST', `/messages/${ticket.id}`, { body: 'Olá, Bia' })).status).toBe(200)
  const got = await double.arrived(bia)
  expect([got.to, got.message.extendedTextMessage?.text]).toEqual([bia.lidJid, 'Olá, Bia'])
  await bia.says(phone, 'oi, recebi', { alone: true })
  await hears('oi, recebi')
  expect((await thread()).map(({ ticketId }) => ticketId)).toEqual([ticket.id, ticket.id])
  const known = app.db.selectFrom('contactIdentity').select(['kind', 'id']).where('contactId', '=', contactId).orderBy('kind').execute()
  expect(await known).toEqual([
    { kind: 'lid', id: bia.lid },
    { kind: 'phone', id: bia.pn },
  ])
})

it('an id alone is matched to a number that the account knows', async () => {
  const caio = double.addContact({ pn: '5511900000045', name: 'Caio' })
  expect((await app.as('admin')('POST', '/contacts', { name: 'Caio', number: caio.pn })).status).toBe(200)
  await phone.patch({
    type: 'regular_low',
    index: ['pnForLidChat', caio.lidJid],
    syncAction: { pnForLidChatAction: { pnJid: caio.jid } },
    apiVersion: 1,
    operation: 0,
  })
  const lidOf = () => app.db.selectFrom('contactIdentity').select('id').where('kind', '=', 'lid').where('id', '=', caio.lid).execute()
  await soon(lidOf).toHaveLength(1)
})

it('the first message after an ad, sent to the phone only, is shown in its place', async () => {
  await ana.says(phone, 'antes')
  await hears('antes')
  await ana.says(phone, 'vi o anúncio, quanto custa?', { wordless: '' })
  await hears('')
  await ana.says(phone, 'depois')
  await hears('depois')
  const ours = async () => (await thread()).slice(-3).map(({ body, undecryptable }) => [body, undecryptable])
  expect(await ours()).toEqual([
    ['antes', false],
    ['', true],
    ['depois', false],
  ])
  await soon(ours).toEqual([
    ['antes', false],
    ['vi o anúncio, quanto custa?', false],
    ['depois', false],
  ])
})

it('a view-once message is shown as content on the phone', async () => {
  await ana.send(phone, { imageMessage: {} }, { wordless: 'view_once' })
  await ana.says(phone, 'viu a foto?')
  await hears('viu a foto?')
  expect((await thread()).at(-2)).toMatchObject({ body: '', mediaType: 'unsupported', undecryptable: false })
})

it('a refused message shows the reason and is not tried again', async () => {
  const { ticketId } = (await thread()).at(-1)!
  const failedOf = async (body: string) => (await thread()).find((one) => one.body === body)?.failed
  for (const code of ['463', '403', '405', '400']) {
    double.world.failNext = code
    await answersIn(app, ticketId, `não vai ${code}`)
    await soon(() => failedOf(`não vai ${code}`)).toBe(code)
  }
})

it('an uncertain message is sent again under the same id', async () => {
  const { ticketId } = (await thread()).at(-1)!
  Object.assign(double.world, { holdAcks: true })
  ana.marks = []
  const sent = await answersIn(app, ticketId, 'talvez')
  const { id: under } = await textOf('talvez')
  const { companyId } = await app.db.selectFrom('ticket').select('companyId').where('id', '=', ticketId).executeTakeFirstOrThrow()
  await app.ctx.execute(ticketId, { type: 'Doubt', messageId: sent.id, companyId, by: { kind: 'system' } }, 'doubted')
  await app.db.updateTable('outbox').set({ state: 'uncertain' }).where('messageId', '=', sent.id).execute()
  await soon(async () => (await rowOf('talvez')).uncertain).toBe(true) // otherwise it may not be sent again yet
  Object.assign(double.world, { holdAcks: false })
  double.drop()
  await becomes(app, id, 'CONNECTED')
  const tries = app.db.selectFrom('outbox').select('attempts').where('messageId', '=', sent.id)
  expect(await tries.executeTakeFirst()).toEqual({ attempts: 1 }) // it may have arrived, and was not postponed
  const again = await app.as('admin')('POST', `/messages/${sent.id}/again`)
  expect(again.status).toBe(200)
  await soon(async () => (await rowOf('talvez')).ack).toBe(1)
  const rows = (await thread()).filter(({ body }) => body === 'talvez').map(({ id, uncertain }) => [id, uncertain])
  expect(rows).toEqual([
    [sent.id, true],
    [again.body.id, false],
  ])
  ana.mark(phone, await textOf('talvez'), 'read')
  await soon(async () => (await rowOf('talvez')).ack).toBe(3)
  expect(ana.received.filter(({ message }) => message.extendedTextMessage?.text === 'talvez').map(({ id }) => id)).toEqual([under])
  ana.marks = ['delivery']
})

it('a redelivered message is confirmed without asking for it again', async () => {
  const asked: unknown[] = []
  const asks = ({ stanza: { attrs } }: { stanza: { attrs: object } }) => 'type' in attrs && attrs.type === 'retry' && asked.push(attrs)
  double.world.events.on('receipt', asks)
  const [companion] = double.companions(phone)
  const said = await ana.says(phone, 'uma vez')
  const stanza = companion!.pending.get(said)!
  await hears('uma vez')
  await soon(() => companion!.pending.has(said)).toBe(false)
  tell(companion!, stanza)
  await soon(() => companion!.pending.has(said)).toBe(false)
  expect(asked).toEqual([])
  double.world.events.off('receipt', asks)
})

it('a message is sent again to a phone that could not decrypt it, also after disconnects', async () => {
  await ana.says(phone, 'quem é?')
  await hears('quem é?')
  const { ticketId } = await rowOf('quem é?')
  const { world } = double
  const asked = () => [...double.companions(phone)[0]!.pending.values()].filter(({ attrs }) => attrs.type === 'retry').length
  ana.blind = 1
  const types: unknown[] = []
  const comes = ({ stanza }: SentStanza) => types.push(...typesFor(ana, stanza))
  world.events.on('message', comes)
  world.events.once('message', () => {
    world.lose = 1
  })
  await answersIn(app, ticketId, 'de novo')
  await soon(asked).toBe(1)
  for (const more of [1, 0]) {
    await soon(() => world.lose).toBe(0)
    const behind = await ana.says(phone, 'ainda aí?')
    const [companion] = double.companions(phone)
    await soon(() => companion!.pending.has(behind)).toBe(false) // earlier confirmations are done
    world.lose = more
    double.drop()
  }
  await soon(async () => (await rowOf('de novo')).ack).toBe(2)
  await textOf('de novo')
  await soon(asked).toBe(0)
  expect(types).toEqual(['msg', 'pkmsg']) // with the keys of the request
  world.events.off('message', comes)
})

it('edits, removals, reactions and read receipts reach the phone', async () => {
  let read = ''
  double.world.events.on('receipt', ({ stanza }) => {
    if (stanza.attrs.type === 'read') read += JSON.stringify(stanza)
  })
  const said = await ana.says(phone, 'leia isto')
  await hears('leia isto')
  const { ticketId, id: asked } = await rowOf('leia isto')
  const admin = app.as('admin')
  expect((await admin('POST', `/tickets/${ticketId}/seen`, { messageId: asked })).status).toBe(200)
  await soon(() => read).toContain(said)
  const sent = await answersIn(app, ticketId, 'com erro')
  const { id: under } = await textOf('com erro')
  await admin('POST', `/messages/edit/${sent.id}`, { body: 'sem erro' })
  const done =
    (type: number) =>
    ({ message: { protocolMessage: one } }: Received) =>
      one?.key?.id === under && one.type === type
  const { message } = await double.arrived(ana, done(14))
  expect(message.protocolMessage!.editedMessage?.extendedTextMessage?.text).toBe('sem erro')
  await admin('DELETE', `/messages/${sent.id}`)
  await double.arrived(ana, done(0))
  await admin('POST', `/messages/${asked}/reactions`, { type: '👏' })
  const reaction = await double.arrived(ana, ({ message: { reactionMessage: one } }) => one?.text === '👏')
  expect(reaction.message.reactionMessage!.key).toMatchObject({ id: said, fromMe: false })
})

it('a call is refused on the phone, and a status of others is confirmed', async () => {
  await app.set('acceptCallWhatsapp', 'disabled')
  const down: string[] = []
  double.world.events.on('call', ({ stanza: { content } }) => {
    for (const one of Array.isArray(content) ? content : []) down.push(`${one.tag} ${one.attrs['call-id']}`)
  })
  const call = ana.call(phone)
  await soon(() => down).toEqual([`reject ${call}`])
  const [companion] = double.companions(phone)
  tell(companion!, node('status', { id: newId(), from: ana.lidJid, t: seconds() }))
  await soon(() => [...companion!.pending.values()].filter(({ tag }) => tag === 'status')).toEqual([])
  await app.set('acceptCallWhatsapp', 'enabled')
})

it('every contact of a card is shown, and external messages to an id are recorded', async () => {
  const vCards = ['Carlos', 'Duda'].map((name, i) => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL:+55 11 9000${i}\nEND:VCARD`)
  const contacts = vCards.map((vcard) => ({ displayName: '', vcard }))
  await ana.send(phone, { contactsArrayMessage: { displayName: 'dois', contacts } })
  await soon(async () => (await thread()).at(-1)!.mediaType).toBe('contactMessage')
  const { id: messageId, contactId } = (await thread()).at(-1)!
  expect((await app.as('admin')('POST', '/message/forward', { messageId, contactId })).status).toBe(200)
  const { message } = await double.arrived(ana, ({ message }) => message.contactsArrayMessage)
  expect(message.contactsArrayMessage).toMatchObject({
    displayName: 'Carlos, Duda',
    contacts: [{ displayName: 'Carlos' }, { displayName: 'Duda' }],
  })
  await phone.says(ana, { conversation: 'do celular' }, ana.lidJid)
  await hears('do celular')
  expect(await rowOf('do celular')).toMatchObject({ fromMe: true, contactId })
})

it('a message of an earlier ticket can be quoted', async () => {
  const asked = await ana.says(phone, 'e o prazo?')
  await hears('e o prazo?')
  const earlier = await rowOf('e o prazo?')
  expect((await app.as('admin')('PUT', `/tickets/${earlier.ticketId}`, { status: 'closed' })).status).toBe(200)
  await ana.says(phone, 'olá de novo')
  await hears('olá de novo')
  const { ticketId } = (await thread()).at(-1)!
  expect(ticketId).not.toBe(earlier.ticketId)
  await answersIn(app, ticketId, 'dois dias', { quotedMsg: { id: earlier.id } })
  const { message } = await textOf('dois dias')
  expect(message.extendedTextMessage!.contextInfo).toMatchObject({ stanzaId: asked, quotedMessage: { conversation: 'e o prazo?' } })
  await soon(async () => (await rowOf('dois dias')).ack).toBe(2)
})

it('mentions in a group show names or numbers, never ids', async () => {
  const rui = double.addContact({ pn: '5511900000077', name: 'Rui' })
  const group = double.addGroup({ subject: 'Obra', phones: [phone], contacts: [ana, rui] })
  await rui.says(phone, 'já volto', { group })
  await hears('já volto')
  const text = `@${ana.lid}, @${rui.lid} e @900 vêm?`
  await ana.send(phone, { extendedTextMessage: { text, contextInfo: { mentionedJid: [ana.lidJid, rui.lidJid, '900@lid'] } } }, { group })
  await hears(`@Ana, @${rui.pn} e @••• vêm?`)
})

it('a phone can be linked to one connection of a company', async () => {
  const admin = app.as('admin')
  const second = (await admin('POST', '/whatsapp', { name: 'Segunda', channel: 'whatsapp' })).body.id
  await phone.scan(await codeOf(app, second))
  await becomes(app, second, 'DISCONNECTED')
  expect((await admin('GET', `/whatsapp/${second}`)).body).toMatchObject({ reason: 'TAKEN', number: null })
  expect([double.companions(phone).length, (await stands(app, id)).status]).toEqual([1, 'CONNECTED'])
  expect((await admin('POST', `/whatsappsession/${second}`)).body.status).toBe('qrcode') // there is no session to continue
  expect((await admin('DELETE', `/whatsapp/${second}`)).status).toBe(204)
})

it('a login without an answer is retried, at once on request (A-CONN-05)', async () => {
  const at = () => [...double.world.connections]
  const waits = async () => {
    double.world.silent = true
    const [before] = at()
    double.drop()
    await soon(() => at().length === 1 && at()[0] !== before && at()[0]!.clientKey !== null).toBe(true)
    double.world.silent = false
    expect((await stands(app, id)).status).toBe('OPENING')
    return at()[0]!
  }
  const asked = await waits()
  expect((await app.as('admin')('POST', '/whatsapp-restart')).body.restarted).toBeGreaterThan(0)
  await soon(() => at().includes(asked)).toBe(false)
  await becomes(app, id, 'CONNECTED')
  const left = await waits()
  ahead = loginMs + 1000
  left.send(node('ib', { from: 's.whatsapp.net' }, [node('anything', {})]))
  await soon(() => at().includes(left)).toBe(false)
  await becomes(app, id, 'CONNECTED')
})

it('a round video is shown as a video', async () => {
  const film = Buffer.concat([Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'), Buffer.alloc(100)])
  await ana.sendFile(phone, 'ptv', film, { mimetype: 'video/mp4', seconds: 3 })
  const media = { mime: 'video/mp4', size: film.length, seconds: 3 }
  await soon(async () => (await thread()).at(-1)).toMatchObject({ mediaType: 'video', media })
})

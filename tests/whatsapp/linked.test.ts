import { createHash, randomBytes } from 'node:crypto'
import { downloadMediaMessage } from '@whiskeysockets/baileys'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { whatsappChannel } from '#app/whatsapp/channel.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { answersIn, becomes, codeOf, installationAtDouble, linked, stands, threadOf } from '#tests/support/whatsapp/linked.ts'
import { type Contact, type Phone, typesFor } from '#tests/support/whatsapp/world.ts'

/** A busy machine takes its time. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let phone: Phone
let ana: Contact
let id: number
const printed: string[] = []
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble({ log: (line) => printed.push(line) }))
  ana = double.addContact({ pn: '5511900000002', name: 'Ana' })
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

const thread = (connection = id) => threadOf(app, connection)
const answers = async (body: string, more: object = {}) => answersIn(app, (await thread()).at(-1)!.ticketId, body, more)

it('a connection is linked by a code and shows its number', async () =>
  expect(await stands(app, id)).toEqual({ status: 'CONNECTED', qrcode: '', number: phone.pn }))

it('the account’s keys are encrypted in tables and never logged', async () => {
  const rows = await app.db.selectFrom('waKey').select(['type', 'data']).where('connectionId', '=', id).execute()
  expect(rows.length).toBeGreaterThan(800)
  const account = await app.db.selectFrom('waAccount').selectAll().executeTakeFirstOrThrow()
  for (const { data } of [...rows, { data: account.creds! }]) expect(data.toString('latin1')).not.toMatch(/private|Buffer|"type"/)
  expect(printed.join('\n')).not.toMatch(/privKey|noiseKey|signedIdentityKey|advSecret/)
})

it('messages are carried both ways, with receipts', async () => {
  await ana.says(phone, 'bom dia')
  await soon(async () => (await thread()).map(({ body }) => body)).toEqual(['bom dia'])
  const under = new Promise((told) => double.world.events.once('message', ({ stanza }) => told(typesFor(ana, stanza))))
  await answers('bom dia, Ana')
  expect(await under).toEqual(['msg']) // in the session that she began, and none beside it
  const got = await double.arrived(ana)
  expect([got.message.extendedTextMessage?.text, got.to]).toEqual(['bom dia, Ana', ana.lidJid])
  await soon(async () => (await thread()).at(-1)!.ack).toBe(2)
  ana.mark(phone, got, 'read')
  await soon(async () => (await thread()).at(-1)!.ack).toBe(3)
  expect(await app.db.selectFrom('contact').select(['name', 'number']).where('name', '=', 'Ana').execute()).toEqual([
    { name: 'Ana', number: ana.pn },
  ])
})

it('typing is shown both ways to the users concerned, and is not stored', async () => {
  const states: { to: string; state: string }[] = []
  const presences: (string | undefined)[] = []
  double.world.events.on('chatstate', ({ to, state }) => states.push({ to, state }))
  double.world.events.on('presence', ({ stanza }) => presences.push(stanza.attrs.type))
  const { ticketId } = (await thread()).at(-1)!
  const facts = () => app.db.selectFrom('inboundEvent').select('id').execute()
  const [admin, carla] = await Promise.all([app.socket('admin'), app.socket('carla')]) // who does not see this queue
  admin.emit('joinChatBox', { ticketId })
  carla.emit('joinTickets', { status: 'open' })
  await Promise.all([admin.fence(), carla.fence()])
  const before = (await facts()).length

  ana.type(phone)
  const { typing } = await admin.heard(({ channel, action }) => channel.endsWith('-typing') && action === 'create')
  expect(typing).toEqual({
    id: ticketId,
    companyId: expect.any(Number),
    status: 'open',
    isGroup: false,
    queueId: expect.any(Number),
    userId: expect.any(Number),
  })
  await carla.fence()
  expect(carla.of('typing')).toEqual([])

  for (const odd of [null, {}, { ticketId: 'x' }, { ticketId: -1 }]) admin.emit('typing', odd)
  carla.emit('typing', { ticketId })
  await Promise.all([admin.fence(), carla.fence()])
  expect([states, (await facts()).length]).toEqual([[], before])
  admin.emit('typing', { ticketId })
  await soon(() => states).toEqual([{ to: ana.lidJid, state: 'composing' }])
  expect(presences).toEqual(['available', 'subscribe'])
  for (const line of [admin, carla]) line.close()
})

it('reactions, edits and removals are carried both ways', async () => {
  const said = await ana.says(phone, 'me enganei')
  await soon(async () => (await thread()).at(-1)!.body).toBe('me enganei')
  await ana.edit(phone, said, 'agora certo')
  await soon(async () => (await thread()).at(-1)!.body).toBe('agora certo')
  const sent = await answers('posso ajudar?')
  const got = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === 'posso ajudar?')
  await ana.react(phone, { id: got.id, fromMe: false, remoteJid: phone.jid }, '👍')
  const message = () => app.db.selectFrom('message').selectAll().where('id', '=', sent.id).executeTakeFirstOrThrow()
  await soon(async () => JSON.stringify((await message()).reactions)).toContain('👍')
  await ana.revoke(phone, said)
  await soon(async () => (await thread()).at(-2)).toMatchObject({ deletedBy: 'contact' })
})

it('a failed change of a message is retried', async () => {
  const { id: message } = (await thread()).at(-1)!
  double.world.failNext = '500'
  expect((await app.as('admin')('POST', `/messages/${message}/reactions`, { type: '🎉' })).status).toBe(200)
  await double.arrived(ana, ({ message }) => message.reactionMessage?.text === '🎉')
})

it('locations are carried both ways, with name and forwarded mark (A-MSG-08)', async () => {
  const place = { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Praça', contextInfo: { isForwarded: true, forwardingScore: 1 } }
  await ana.send(phone, { locationMessage: place })
  await soon(async () => (await thread()).at(-1)!.body).toBe('| https://www.google.com/maps?q=-23.5,-46.6 | Praça')
  const { id: messageId, ticketId } = (await thread()).at(-1)!
  const { contactId } = await app.db.selectFrom('ticket').select('contactId').where('id', '=', ticketId).executeTakeFirstOrThrow()
  expect((await app.as('admin')('POST', '/message/forward', { messageId, contactId })).status).toBe(200)
  expect((await double.arrived(ana, ({ message }) => message.locationMessage)).message.locationMessage).toMatchObject(place)
  expect((await thread()).filter(({ isForwarded }) => isForwarded)).toHaveLength(2)
})

it('a quote of the customer’s message is sent as WhatsApp shows it', async () => {
  const asked = await ana.says(phone, 'quanto custa?')
  await soon(async () => (await thread()).at(-1)!.body).toBe('quanto custa?')
  await answers('dez reais', { quotedMsg: { id: (await thread()).at(-1)!.id } })
  const { message } = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === 'dez reais')
  expect(message.extendedTextMessage!.contextInfo).toMatchObject({ stanzaId: asked, quotedMessage: { conversation: 'quanto custa?' } })
})

it('files are carried both ways, in order', async () => {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  await ana.sendFile(phone, 'image', picture, { mimetype: 'image/png', caption: 'olha' })
  await ana.says(phone, 'viu?')
  await soon(async () => (await thread()).slice(-2).map(({ body }) => body)).toEqual(['olha', 'viu?'])
  const { media, ticketId } = (await thread()).at(-2)!
  const key = createHash('sha256').update(picture).digest('hex')
  expect(media).toMatchObject({ mime: 'image/png', size: picture.length, width: 40, height: 30, key })
  const form = new FormData()
  form.append('body', 'a nota')
  form.append('medias', new Blob(['%PDF-1.4 nota'], { type: 'application/pdf' }), 'nota.pdf')
  expect((await app.as('admin')('POST', `/messages/${ticketId}`, form)).status).toBe(200)
  const { message } = await double.arrived(ana, ({ message }) => message.documentMessage)
  expect(message.documentMessage).toMatchObject({ fileName: 'nota.pdf', mimetype: 'application/pdf', caption: 'a nota' })
  expect((await downloadMediaMessage({ key: {}, message }, 'buffer', { host: double.world.mediaHost })).toString()).toBe('%PDF-1.4 nota')
})

it('a send aborted during its upload sends nothing', async () => {
  const there = Promise.withResolvers<void>()
  double.world.holdFiles = there.promise
  const { media } = (await thread()).findLast((one) => one.media)!
  const over = new AbortController()
  const to = { companyId: app.company.companies.casa, connectionId: id, contactId: 0, number: ana.pn, group: false }
  const content = { kind: 'image' as const, body: 'tarde demais', media, vCard: null, quotedExternalId: null }
  const before = double.world.media.size
  const at = { ...to, ids: [{ kind: 'lid' as const, id: ana.lid }] }
  const send = (signal: AbortSignal) => whatsappChannel(app.ctx.caches.whatsappSockets).send(at, 'TARDE', content, signal)
  const sent = send(over.signal)
  await soon(() => double.world.media.size).toBeGreaterThan(before)
  over.abort()
  await expect(sent).rejects.toThrow('ERR_CHANNEL_AWAY')
  await answers('depois')
  await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === 'depois')
  expect(ana.received.map(({ id }) => id)).not.toContain('TARDE')
  const again = send(AbortSignal.timeout(10_000))
  there.resolve()
  double.world.holdFiles = null
  await again
  await double.arrived(ana, ({ message }) => message.imageMessage?.caption === 'tarde demais')
  expect(double.world.media.size).toBe(before + 1) // what was on its way was waited for, and no second one brought
})

it('a message is processed at once without a file that is corrupt or cannot be decrypted', async () => {
  const other = Buffer.alloc(32, 1)
  for (const [caption, wrong] of [
    ['trocada', { fileSha256: other }],
    ['de outra chave', { mediaKey: other }],
    ['sem chave', { mediaKey: null }],
  ] as const) {
    await ana.sendFile(phone, 'image', Buffer.from('not that'), { mimetype: 'image/png', caption, ...wrong })
    await soon(async () => (await thread()).at(-1)).toMatchObject({ body: caption, media: null })
  }
})

it('external messages, calls and undecryptable messages are shown', async () => {
  await phone.says(ana, { conversation: 'escrito no celular' })
  await soon(async () => (await thread()).at(-1)).toMatchObject({ body: 'escrito no celular', fromMe: true })
  ana.call(phone)
  await soon(async () => (await thread()).at(-1)!.mediaType).toBe('call_log')
  await ana.says(phone, 'quebrada uma vez', { corrupt: true })
  await soon(async () => (await thread()).at(-1)!.body).toBe('quebrada uma vez')
})

it('the choice in a poll is shown, and a changed choice too', async () => {
  const secret = randomBytes(32)
  const options = ['Entrega', 'Retirada'].map((optionName) => ({ optionName }))
  const poll = await phone.says(ana, {
    pollCreationMessageV3: { name: 'Como prefere?', options },
    messageContextInfo: { messageSecret: secret },
  })
  await soon(async () => (await thread()).at(-1)!.body).toBe('Como prefere?\n• Entrega\n• Retirada')
  const asked = (await thread()).at(-1)!
  await ana.vote(phone, { id: poll, secret, by: phone.lidJid }, ['Retirada'])
  await soon(async () => (await thread()).at(-1)).toMatchObject({ body: '☑ Retirada', fromMe: false, quotedId: asked.id })
  await ana.vote(phone, { id: poll, secret, by: phone.jid }, [])
  await soon(async () => (await thread()).at(-1)).toMatchObject({ body: '☐', quotedId: asked.id })
})

it('a group has its name, and each message its participant', async () => {
  const group = double.addGroup({ subject: 'Condomínio', phones: [phone], contacts: [ana] })
  await ana.says(phone, 'boa noite a todos', { group })
  await soon(async () => (await thread()).at(-1)!.body).toBe('boa noite a todos')
  const found = () => app.db.selectFrom('contact').select(['number', 'name']).where('isGroup', '=', true).executeTakeFirstOrThrow()
  expect(`${(await found()).number}@g.us`).toBe(group.jid)
  await answers('boa noite')
  expect((await double.arrived(ana, ({ group: at }) => at === group.jid)).message.extendedTextMessage?.text).toBe('boa noite')

  double.rename(group, ana, 'Condomínio Azul')
  await soon(async () => (await found()).name).toBe('Condomínio Azul')
})

/** Why it was away, each time; null: somebody here began it anew. */
const gaps = async () =>
  (await app.db.selectFrom('connectionGap').select('reason').where('connectionId', '=', id).orderBy('id').execute()).map(
    ({ reason }) => reason,
  )
it('messages sent during a disconnect arrive in order', async () => {
  double.drop()
  for (const text of ['um', 'dois', 'três']) await ana.says(phone, text)
  await becomes(app, id, 'CONNECTED')
  await soon(async () => (await thread()).slice(-3).map(({ body }) => body)).toEqual(['um', 'dois', 'três'])
  await soon(() => double.companions(phone)[0]!.pending.size).toBe(0)
  expect((await gaps()).at(-1)).toBe('AWAY')
})

it('a connection can be restarted and is soon back (A-CONN-05)', async () => {
  const [before] = double.world.connections
  expect((await app.as('admin')('POST', '/whatsapp-restart')).body.restarted).toBeGreaterThan(0)
  await soon(() => double.world.connections.has(before!)).toBe(false)
  await becomes(app, id, 'CONNECTED')
  expect((await gaps()).at(-1)).toBeNull()
})

it('a contact without an address is refused, and no address is invented', async () => {
  const caio = double.addContact({ pn: '5511900000004', name: 'Caio' })
  await caio.says(phone, 'sou eu')
  await soon(async () => (await thread()).at(-1)!.body).toBe('sou eu')
  const { id: contactId } = await app.db.selectFrom('contact').select('id').where('number', '=', caio.pn).executeTakeFirstOrThrow()
  await app.db.deleteFrom('contactIdentity').where('contactId', '=', contactId).execute()
  const [line] = double.world.connections
  const sent = await answers('quem?')
  const message = () => app.db.selectFrom('message').selectAll().where('id', '=', sent.id).executeTakeFirstOrThrow()
  await soon(async () => JSON.stringify(await message())).toContain('ERR_WAPP_INVALID_CONTACT')
  expect(double.world.connections.has(line!)).toBe(true)
})

const keysOf = async () => (await app.db.selectFrom('waKey').select('id').where('connectionId', '=', id).limit(1).execute()).length
const creds = () => app.db.selectFrom('waAccount').select('creds').where('connectionId', '=', id).executeTakeFirstOrThrow()

it('a device removed on the phone is reported, and its keys are deleted', async () => {
  phone.unlink(double.companions(phone)[0]!)
  await becomes(app, id, 'DISCONNECTED')
  expect(await keysOf()).toBe(0)
  expect(await creds()).toEqual({ creds: null })
})

it('a connection can be linked again, and ending it removes the device from the phone', async () => {
  expect((await app.as('admin')('PUT', `/whatsappsession/${id}`)).body).toMatchObject({ status: 'qrcode' })
  await phone.scan(await codeOf(app, id))
  await becomes(app, id, 'CONNECTED')
  await ana.says(phone, 'de novo')
  await soon(async () => (await thread()).at(-1)!.body).toBe('de novo')
  expect((await app.as('admin')('DELETE', `/whatsappsession/${id}`)).status).toBe(204)
  await soon(() => double.companions(phone)).toEqual([])
  await soon(keysOf).toBe(0)
  expect((await stands(app, id)).status).toBe('DISCONNECTED')
  expect(double.world.unhandled).toEqual([])
})

it('a ticket is not answered from another number, and the new link is recorded', async () => {
  const { ticketId } = (await thread()).at(-1)!
  await answers('pelo número de antes')
  const other = double.addPhone({ pn: '5511900000009', name: 'Outro' })
  expect((await app.as('admin')('PUT', `/whatsappsession/${id}`)).body).toMatchObject({ status: 'qrcode' })
  await other.scan(await codeOf(app, id))
  await becomes(app, id, 'CONNECTED')
  expect((await stands(app, id)).number).toBe(other.pn)
  await soon(async () => (await thread()).at(-1)!.failed).toBe('ERR_NUMBER_CHANGED')
  await answersIn(app, ticketId, 'pelo de agora')
  const got = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text?.startsWith('pelo'))
  expect(got.message.extendedTextMessage?.text).toBe('pelo de agora')
  const gap = app.db.selectFrom('connectionGap').select('anew').where('connectionId', '=', id).orderBy('id', 'desc').limit(1)
  expect(await gap.executeTakeFirst()).toEqual({ anew: true })
})

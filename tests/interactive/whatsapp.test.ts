import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { whatsappChannel } from '#app/whatsapp/channel.ts'
import type { TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { installationAtDouble, linked } from '#tests/support/whatsapp/linked.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

/* On a number linked by QR code, with text as fallback where WhatsApp refuses. */
let double: Double
let app: TestApp
let phone: Phone
let ana: Contact
let ticketId = 0
let connectionId = 0
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble())
  ana = double.addContact({ pn: '5511900000002', name: 'Ana' })
  double.world.media.set(
    '/v/ana.png',
    await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  ana.pictureUrl = `https://${double.world.mediaHost}/v/ana.png`
  ;({ phone, id: connectionId } = await linked(app, double))
  await ana.says(phone, 'oi')
  const first = () => app.db.selectFrom('ticket').select('id').executeTakeFirst()
  ticketId = (await eventually(first, (ticket) => ticket !== undefined))!.id
  await app.as('admin')('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: app.company.queues.vendas })
})
afterAll(async () => {
  const unmarked = () =>
    app.db.selectFrom('message').select('id').where('fromMe', '=', true).where('failed', 'is', null).where('ack', '<', 2)
  await eventually(
    () => unmarked().execute(),
    ({ length }) => length === 0, // later receipts would change what is recounted at the end
  )
  await app?.stop()
  await double?.stop()
})

const send = async (path: string, body: object) => {
  const answer = await app.as('admin')('POST', `/messages/${path}/${ticketId}`, body)
  expect(answer.status).toBe(200)
  return answer.body.messages[0]
}
const button = { title: 'Oferta', buttonText: 'Ver' }
const list = { ...button, sections: [{ rows: [{ title: 'Manhã' }, { title: 'Tarde' }] }] }
/** The node beside a message that makes phones show it. */
const beside = (stanza: any): string => JSON.stringify(stanza.content.find(({ tag }: { tag: string }) => tag === 'biz') ?? null)

it('a contact has the picture from the phone', async () => {
  const contact = async () => (await app.as('admin')('GET', '/contacts?searchParam=Ana')).body.contacts[0]
  const { urlPicture } = await eventually(contact, (one) => one?.urlPicture)
  expect((await sharp(await (await fetch(app.url + urlPicture)).arrayBuffer()).metadata()).width).toBe(4)
})

it('a list arrives as a list, and a choice quotes it', async () => {
  const left = new Promise<string>((resolve) => double.world.events.once('message', ({ stanza }) => resolve(beside(stanza))))
  const sent = await send('lista', list)
  const arrived = await double.arrived(ana, ({ message }) => message.interactiveMessage)
  const { body, nativeFlowMessage } = arrived.message.interactiveMessage!
  expect(body!.text).toBe('Oferta\n\n1. Manhã\n2. Tarde')
  expect(nativeFlowMessage!.buttons).toMatchObject([{ name: 'single_select' }])
  expect(JSON.parse(nativeFlowMessage!.buttons![0]!.buttonParamsJson!)).toEqual({
    title: 'Ver',
    sections: [
      {
        title: '',
        rows: [
          { id: '1', title: 'Manhã', description: '' },
          { id: '2', title: 'Tarde', description: '' },
        ],
      },
    ],
  })
  expect(await left).toContain('"name":"mixed"')
  await ana.send(phone, {
    interactiveResponseMessage: {
      body: { text: 'Tarde' },
      nativeFlowResponseMessage: { name: 'menu_options', paramsJson: '{"id":"2"}', version: 3 },
      contextInfo: { stanzaId: arrived.id, participant: phone.jid },
    },
  })
  const last = async () => (await app.as('admin')('GET', `/messages/${ticketId}`)).body.messages.at(-1)
  await expect.poll(async () => (await last()).body).toBe('Tarde')
  expect(await last()).toMatchObject({ fromMe: false, quotedMsg: { id: sent.id } })
})

it('links, copied texts, calls and Pix payments arrive as such', async () => {
  await send('URL', { ...button, copyText: 'https://loja.test/x' })
  await send('copy', { ...button, copyText: 'DEZ' })
  await send('call', { ...button, copyText: '+5511940041234' })
  const left = new Promise<string>((resolve) =>
    double.world.events.on('message', ({ stanza }) => beside(stanza).includes('payment_info') && resolve(beside(stanza))),
  )
  await send('PIX', { title: 'Pedido 7', sendkey_type: 'CPF', sendKey: '52998224725', sendmerchant_name: 'Loja', sendvalue: 12.5 })
  await double.arrived(ana, ({ message }) => message.interactiveMessage?.nativeFlowMessage?.buttons?.[0]?.name === 'payment_info')
  const buttons = ana.received.flatMap(({ message }) => message.interactiveMessage?.nativeFlowMessage?.buttons ?? [])
  expect(buttons.slice(1).map(({ name, buttonParamsJson }) => [name, JSON.parse(buttonParamsJson!)])).toMatchObject([
    ['cta_url', { display_text: 'Ver', url: 'https://loja.test/x' }],
    ['cta_copy', { copy_code: 'DEZ' }],
    ['cta_call', { phone_number: '+5511940041234' }],
    [
      'payment_info',
      {
        total_amount: { value: 1250, offset: 100 },
        payment_settings: [{ type: 'pix_static_code', pix_static_code: { merchant_name: 'Loja', key: '52998224725', key_type: 'CPF' } }],
      },
    ],
  ])
  expect(await left).toContain('payment_info')
})

it('the text beside a recording is sent after it, once, and both are removed together', async () => {
  const form = new FormData()
  form.append('medias', new Blob(['ID3 a sound'], { type: 'audio/mpeg' }), 'recado.mp3')
  expect((await app.as('admin')('POST', `/messages/${ticketId}`, form)).status).toBe(200)
  await double.arrived(ana, ({ message }) => message.audioMessage)
  const { companyId, media } = await app.db.selectFrom('message').selectAll().where('mediaType', '=', 'audio').executeTakeFirstOrThrow()
  const to = { companyId, connectionId, contactId: 0, number: ana.pn, group: false, ids: [{ kind: 'lid' as const, id: ana.lid }] }
  const content = { kind: 'audio' as const, body: 'ouça até o fim', media, vCard: null, quotedExternalId: null }
  const channel = whatsappChannel(app.ctx.caches.whatsappSockets)
  for (let i = 0; i < 2; i++) await channel.send(to, 'RECADO', content, new AbortController().signal)
  const words = () => ana.received.filter(({ message }) => message.extendedTextMessage?.text === content.body)
  await expect.poll(() => words().length).toBe(1)
  expect(ana.received.filter(({ message }) => message.audioMessage)).toHaveLength(2)
  await channel.remove(to, 'RECADO')
  const gone = () => ana.received.flatMap(({ message }) => message.protocolMessage?.key?.id ?? [])
  await expect.poll(gone).toEqual(expect.arrayContaining(['RECADO', words()[0]!.id]))
})

it('a refused interactive message is sent once as text, under the same id', async () => {
  double.world.failNext = '479'
  const { id } = await send('lista', { ...list, title: 'Em palavras' })
  const arrived = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text?.startsWith('Em palavras'))
  expect(arrived.message.extendedTextMessage!.text).toBe('Em palavras\n\n1. Manhã\n2. Tarde')
  const row = () => app.db.selectFrom('message').select(['failed', 'ack']).where('id', '=', id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await row()).ack).toBeGreaterThan(0)
  expect((await row()).failed).toBeNull()
  const said = ana.received.filter(({ message }) => JSON.stringify(message).includes('Em palavras'))
  expect(said).toHaveLength(1)
  const body = { body: 'escolha acima', quotedMsg: { id } }
  expect((await app.as('admin')('POST', `/messages/${ticketId}`, body)).status).toBe(200)
  const quoting = await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === body.body)
  const quoted = quoting.message.extendedTextMessage!.contextInfo!.quotedMessage! // as it would be sent again to a phone that could not decrypt it
  expect([quoted.interactiveMessage ?? null, quoted.extendedTextMessage?.text]).toEqual([null, 'Em palavras\n\n1. Manhã\n2. Tarde'])
})

it('a refused file is marked as failed and delays nothing', async () => {
  double.world.refuseFiles = 415
  const form = new FormData()
  form.append('medias', new Blob(['%PDF-1.4 nota'], { type: 'application/pdf' }), 'nota.pdf')
  expect((await app.as('admin')('POST', `/messages/${ticketId}`, form)).status).toBe(200)
  expect((await app.as('admin')('POST', `/messages/${ticketId}`, { body: 'depois do arquivo' })).status).toBe(200)
  await double.arrived(ana, ({ message }) => message.extendedTextMessage?.text === 'depois do arquivo')
  double.world.refuseFiles = null
  const { messages } = await eventually(
    async () => (await app.as('admin')('GET', `/messages/${ticketId}`)).body,
    (thread) => thread.messages.at(-2).failed !== null,
  )
  expect(messages.at(-2)).toMatchObject({ mediaType: 'application', failed: 'ERR_UNSUPPORTED_MEDIA' })
})

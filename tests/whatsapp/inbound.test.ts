import { proto } from '@whiskeysockets/baileys'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { answersIn, installationAtDouble, linked, threadOf } from '#tests/support/whatsapp/linked.ts'
import { sealedFor } from '#tests/support/whatsapp/seal.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

/* Customer messages in forms other than plain ones (A-INBOUND-01). */
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

/** The conversation as an agent reads it. */
async function shown() {
  const { ticketId } = (await threadOf(app, id)).at(-1)!
  return (await app.as('admin')('GET', `/messages/${ticketId}`)).body.messages
}
const last = async () => (await shown()).at(-1)
const says = async (text: string) => {
  const said = await ana.says(phone, text)
  await soon(async () => (await threadOf(app, id)).at(-1)?.body).toBe(text)
  return said
}
const encoded = (message: proto.IMessage) => proto.Message.encode(message).finish()

it('an encrypted edit changes its message, by either address of its sender', async () => {
  const said = await says('O valor e 100')
  await ana.edit(phone, said, 'O valor e 1000')
  await soon(last).toMatchObject({ body: 'O valor e 1000', isEdited: true })
  ana.addressing = 'pn'
  await ana.edit(phone, said, 'O valor e 2000')
  await soon(last).toMatchObject({ body: 'O valor e 2000', isEdited: true })
  ana.addressing = 'lid'
  await ana.edit(phone, said, 'O valor e 3000', { plain: true })
  await soon(last).toMatchObject({ body: 'O valor e 3000' })
  const targetMessageKey = { id: said, fromMe: true, remoteJid: phone.lidJid }
  for (const [use, inner] of [
    ['Message Edit', { conversation: 'direto' }],
    [
      'Message Edit',
      { editedMessage: { message: { protocolMessage: { type: 14, editedMessage: { extendedTextMessage: { text: 'embrulhado' } } } } } },
    ],
    ['Event Edit', { eventMessage: { name: 'Evento mudou' } }],
  ] as const) {
    const box = sealedFor(ana.secretOf(said), use, ana.lidJid, encoded(inner as proto.IMessage))
    await ana.send(phone, { secretEncryptedMessage: { targetMessageKey, ...box } })
  }
  await soon(last).toMatchObject({ body: 'Evento mudou', isEdited: true })
})

it('an encrypted message that cannot be decrypted shows its kind, and is logged and counted', async () => {
  await says('outra')
  const box = { encPayload: Buffer.alloc(40, 1), encIv: Buffer.alloc(12, 1) }
  await ana.send(phone, { secretEncryptedMessage: { targetMessageKey: { id: '3A00' }, secretEncType: 2, ...box } })
  await soon(last).toMatchObject({ mediaType: 'unsupported', about: { of: 'kind', title: 'secretEncryptedMessage' } })
  await ana.send(phone, { secretEncryptedMessage: { targetMessageKey: { id: '3A00' }, secretEncType: 2, ...box } })
  const counted = async () => String((await app.stranger('GET', '/metrics')).body)
  await soon(counted).toMatch(/guiche_unknown_message_kinds_total\{provider="beta",kind="secretEncryptedMessage"\} 2/)
  expect(printed.filter((line) => line.includes('Message kind not understood') && line.includes('secretEncryptedMessage'))).toHaveLength(1)
})

it('reactions and votes that cannot be decrypted are logged and counted, not shown', async () => {
  await says('sem nada')
  const box = { encPayload: Buffer.alloc(40, 1), encIv: Buffer.alloc(12, 1) }
  const counted = async (kind: string) => {
    const metrics = String((await app.stranger('GET', '/metrics')).body)
    return Number(new RegExp(`guiche_unknown_message_kinds_total\\{provider="beta",kind="${kind}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
  }
  for (const [kind, message] of [
    ['encReactionMessage', { encReactionMessage: { targetMessageKey: { id: '3A00' }, ...box } }],
    ['pollUpdateMessage', { pollUpdateMessage: { pollCreationMessageKey: { id: '3A00' }, vote: box } }],
  ] as const) {
    await ana.send(phone, message)
    await ana.send(phone, message)
    await soon(() => counted(kind)).toBe(2)
    expect(printed.filter((line) => line.includes('Message kind not understood') && line.includes(kind))).toHaveLength(1)
  }
  expect(await last()).toMatchObject({ body: 'sem nada', reactions: [] })
})

it('encrypted reactions, comments and event answers are accepted', async () => {
  const said = await says('Festa no sábado')
  const [{ id: messageId }] = (await shown()).slice(-1)
  const target = ana.secretOf(said)
  const targetMessageKey = { id: said, fromMe: true, remoteJid: phone.lidJid }
  const reaction = proto.Message.ReactionMessage.encode({ text: '👍🏽' }).finish()
  await ana.send(phone, { encReactionMessage: { targetMessageKey, ...sealedFor(target, 'Enc Reaction', ana.lidJid, reaction) } })
  await soon(last).toMatchObject({ reactions: [{ emoji: '👍🏽', from: 'contact' }] })
  const comment = encoded({ extendedTextMessage: { text: 'eu vou' } })
  await ana.send(phone, { encCommentMessage: { targetMessageKey, ...sealedFor(target, 'Enc Comment', ana.lidJid, comment) } })
  await soon(last).toMatchObject({ body: 'eu vou', quotedMsg: { id: messageId } })
  const answer = proto.Message.EventResponseMessage.encode({ response: 1, extraGuestCount: 2 }).finish()
  const box = sealedFor(target, 'Event Response', ana.lidJid, answer)
  await ana.send(phone, { encEventResponseMessage: { eventCreationMessageKey: targetMessageKey, ...box } })
  await soon(last).toMatchObject({ body: '✅ +2', quotedMsg: { id: messageId } })
})

const text = (words: string) => ({ extendedTextMessage: { text: words } })
it.each<[string, proto.IMessage, string]>([
  [
    'a poll',
    { pollCreationMessageV4: { message: { pollCreationMessage: { name: 'Qual?', options: [{ optionName: 'A' }] } } } },
    'Qual?\n• A',
  ],
  ['a mention of the group', { groupMentionedMessage: { message: text('todos') } }, 'todos'],
  ['a question to a bot', { botInvokeMessage: { message: text('resuma') } }, 'resuma'],
  ['a forwarded bot message', { botForwardedMessage: { message: text('resumo') } }, 'resumo'],
  ['a comment', { commentMessage: { message: text('comentário'), targetMessageKey: { id: '3A00' } } }, 'comentário'],
  ['a question', { questionMessage: { message: text('pergunta?') } }, 'pergunta?'],
  [
    'several wrappers',
    { ephemeralMessage: { message: { questionReplyMessage: { message: { groupStatusMessage: { message: text('fundo') } } } } } },
    'fundo',
  ],
])('the text of %s is read from its wrapper', async (_, message, words) => {
  await ana.send(phone, message)
  await soon(last).toMatchObject({ body: words, mediaType: 'chat' })
})

it('the file of a wrapped message is downloaded', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  await ana.sendFile(phone, 'image', png, { mimetype: 'image/png', caption: 'a capa' }, 'eventCoverImage')
  await soon(last).toMatchObject({ body: 'a capa', mediaType: 'image', media: { mime: 'image/png' } })
  await ana.sendFile(phone, 'document', Buffer.from('OFXHEADER:100'), { fileName: 'extrato.ofx' }, 'documentWithCaptionMessage')
  await soon(last).toMatchObject({ mediaType: 'application', media: { name: 'extrato.ofx', size: 13 } })
})

it('a message of an unknown kind shows its text and its kind', async () => {
  await ana.send(phone, { requestPhoneNumberMessage: {} })
  await soon(last).toMatchObject({ mediaType: 'unsupported', body: '', about: { of: 'kind', title: 'requestPhoneNumberMessage' } })
  await ana.send(phone, { paymentInviteMessage: { serviceType: 1 } })
  await soon(last).toMatchObject({ mediaType: 'unsupported', about: { title: 'paymentInviteMessage' } })
  await answersIn(app, (await last()).ticketId, 'ok')
})

it('an unknown quoted message is shown from the message itself, and a status is marked', async () => {
  const quoting = (quotedMessage: proto.IMessage, more: object = {}) => ({
    contextInfo: { stanzaId: '3A0FFF', participant: phone.lidJid, quotedMessage, ...more },
  })
  await ana.send(phone, { extendedTextMessage: { text: 'ainda vale?', ...quoting({ conversation: 'O preço é 100' }) } })
  await soon(last).toMatchObject({ body: 'ainda vale?', about: { of: 'ourQuote', text: 'O preço é 100' }, quotedMsg: null })
  await ana.send(phone, { extendedTextMessage: { text: 'eu disse', ...quoting({ conversation: 'Quero' }, { participant: ana.lidJid }) } })
  await soon(last).toMatchObject({ body: 'eu disse', about: { of: 'contactQuote', text: 'Quero' } })
  await ana.send(phone, { extendedTextMessage: { text: 'de alguém', ...quoting({ conversation: 'Sim' }, { participant: null }) } })
  await soon(last).toMatchObject({ body: 'de alguém', about: { of: 'quote', text: 'Sim' } })
  await ana.send(phone, {
    extendedTextMessage: { text: 'quero', ...quoting({ imageMessage: { caption: 'Promoção' } }, { remoteJid: 'status@broadcast' }) },
  })
  await soon(last).toMatchObject({ body: 'quero', about: { of: 'status', text: '📷 Promoção' } })
  const known = await says('conhecida')
  await ana.send(phone, { extendedTextMessage: { text: 'esta', ...quoting({ conversation: 'conhecida' }, { stanzaId: known }) } })
  await soon(last).toMatchObject({ body: 'esta', about: null, quotedMsg: { body: 'conhecida' } })
})

it('an order shows items, prices and note, or only the total without its items', async () => {
  const products = [
    { name: 'Pizza', quantity: 2, price: 59_900 },
    { name: 'Guaraná', quantity: 1, price: 14_000 },
  ]
  double.world.orders.set('77', { token: 'c2VjcmV0', currency: 'BRL', products })
  const order = {
    orderTitle: 'Pizzaria',
    itemCount: 3,
    totalAmount1000: 133_800,
    totalCurrencyCode: 'BRL',
    message: 'Sem cebola, por favor.',
  }
  await ana.send(phone, { orderMessage: { ...order, orderId: '77', token: 'c2VjcmV0' } })
  await soon(last).toMatchObject({
    body: 'Pizzaria\n2 × Pizza · R$ 59,90\n1 × Guaraná · R$ 14,00\nTotal: R$ 133,80\nSem cebola, por favor.',
    mediaType: 'chat',
  })
  await ana.send(phone, { orderMessage: { ...order, orderId: '78', token: 'c2VjcmV0' } })
  await soon(last).toMatchObject({ body: 'Pizzaria (3)\nTotal: R$ 133,80\nSem cebola, por favor.' })
})

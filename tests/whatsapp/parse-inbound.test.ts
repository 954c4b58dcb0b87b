import { proto } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { aboutOf, idsOf, parseMessage } from '#app/whatsapp/parse-inbound.ts'
import { messageFrom } from '#app/whatsapp/wrappers.ts'

/* What WhatsApp sends, and the inbound event it becomes. */
const key = { id: '3A01', remoteJid: '123@lid', remoteJidAlt: '5511900000002@s.whatsapp.net', fromMe: false }
const about = (of: object = {}) =>
  aboutOf({ key: { ...key, ...of }, pushName: 'Ana', messageTimestamp: 1_700_000_000 }, { subjectOf: () => '', now: Date.now })!
const says = (content: proto.IMessage) => {
  const heard = parseMessage(proto.Message.decode(proto.Message.encode(content).finish()), about())
  return heard?.type === 'message' ? [heard.kind, heard.body] : heard
}

it('a message of an unsupported kind shows its text, or that there is one', () => {
  const rows = [{ rowId: '1', title: 'Preto' }]
  expect(says({ listMessage: { title: 'Cores', description: 'Escolha', sections: [{ rows }] } })).toEqual([
    'chat',
    'Cores\nEscolha\n• Preto',
  ])
  const buttons = [{ buttonId: '1', buttonText: { displayText: 'Sim' } }]
  expect(says({ buttonsMessage: { contentText: 'Confirma?', buttons } })).toEqual(['chat', 'Confirma?\n• Sim'])
  const hydratedTemplate = { hydratedContentText: 'Seu pedido saiu', hydratedFooterText: 'Loja' }
  expect(says({ templateMessage: { hydratedTemplate } })).toEqual(['chat', 'Seu pedido saiu\nLoja'])
  expect(says({ interactiveMessage: { body: { text: 'Veja' } } })).toEqual(['chat', 'Veja'])
  expect(says({ requestPaymentMessage: { noteMessage: { extendedTextMessage: { text: 'o almoço' } } } })).toEqual(['chat', 'o almoço'])
  for (const one of [{ paymentInviteMessage: {} }, { templateMessage: {} }, { lottieStickerMessage: {} }, { messageContextInfo: {} }])
    expect(says(one)).toEqual(['unsupported', ''])
})

it('any message can be marked as forwarded (A-MSG-08)', () => {
  const heard = (content: proto.IMessage) => parseMessage(content, about())
  const contextInfo = { isForwarded: true, forwardingScore: 2 }
  expect(heard({ extendedTextMessage: { text: 'promoção', contextInfo } })).toMatchObject({ body: 'promoção', forwarded: true })
  expect(heard({ imageMessage: { contextInfo: { ...contextInfo, stanzaId: '3A00' } } })).toMatchObject({
    ...{ quotedExternalId: '3A00', forwarded: true },
  })
  expect(heard({ extendedTextMessage: { text: 'minha', contextInfo: {} } })).not.toHaveProperty('forwarded')
})

it('messages between devices are ignored', () => {
  for (const one of [{ pinInChatMessage: {} }, { senderKeyDistributionMessage: { groupId: '1' } }, { protocolMessage: { type: 3 } }])
    expect(says(one)).toBeNull()
})

it('a location becomes text with its name and address', () => {
  const at = { degreesLatitude: -23.5, degreesLongitude: -46.625 }
  expect(says({ locationMessage: { ...at, name: 'Praça da Sé', address: 'Centro' } })).toEqual([
    'locationMessage',
    '| https://www.google.com/maps?q=-23.5,-46.625 | Praça da Sé, Centro',
  ])
  expect(says({ liveLocationMessage: { ...at, caption: 'a caminho' } })).toEqual([
    'locationMessage',
    '| https://www.google.com/maps?q=-23.5,-46.625 | a caminho',
  ])
})

it('a person is known by every kind of address, and unknown kinds are ignored', () => {
  expect(idsOf(['123:99@hosted.lid', '5511900000002:99@hosted'])).toEqual([
    { kind: 'phone', id: '5511900000002' },
    { kind: 'lid', id: '123' },
  ])
  expect(idsOf(['1203630@g.us'])).toEqual([{ kind: 'group', id: '1203630' }])
  expect(idsOf(['867051314767696@bot'])).toEqual([])
  expect(about({ remoteJid: '867051314767696@bot', remoteJidAlt: undefined })).toMatchObject({ from: [], group: null })
})

it('a message inside unknown wrappers is found at any depth', () => {
  const field = (number: number, bytes: Uint8Array) => Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
  const varint = (value: number): Buffer =>
    value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value % 128) | 128), varint(Math.floor(value / 128))])
  const inner = proto.Message.encode({ extendedTextMessage: { text: 'de dentro', contextInfo: { stanzaId: '3A00' } } }).finish()
  const wrapped = (bytes: Uint8Array, number: number) => field(number, field(1, bytes))
  const secret = proto.Message.encode({ messageContextInfo: { messageSecret: Buffer.alloc(32, 1) } }).finish()
  for (const bytes of [
    wrapped(inner, 250),
    Buffer.concat([secret, wrapped(wrapped(inner, 251), 250)]),
    field(40, field(1, wrapped(inner, 250))),
    field(31, field(2, wrapped(inner, 250))),
  ]) {
    const message = messageFrom(bytes)
    expect(parseMessage(message.deviceSentMessage?.message ?? message, about())).toMatchObject({
      kind: 'chat',
      body: 'de dentro',
      quotedExternalId: '3A00',
    })
  }
  for (const bytes of [field(250, Buffer.from('no message')), field(250, Buffer.alloc(40, 0xff)), Buffer.alloc(0)])
    expect(parseMessage(messageFrom(bytes), about())).toMatchObject({ kind: 'unsupported', body: '' })
})

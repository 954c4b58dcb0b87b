import { proto } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { aboutOf, heardIn } from '#app/whatsapp/heard.ts'

/* What WhatsApp says → what is heard of it. */
const key = { id: '3A01', remoteJid: '123@lid', remoteJidAlt: '5511900000002@s.whatsapp.net', fromMe: false }
const about = (of: object = {}) => aboutOf({ key: { ...key, ...of }, pushName: 'Ana', messageTimestamp: 1_700_000_000 }, () => '')!
const says = (content: proto.IMessage) => {
  const heard = heardIn(proto.Message.decode(proto.Message.encode(content).finish()), about())
  return heard?.type === 'message' ? [heard.kind, heard.body] : heard
}

it('writes a place as the house does, with its name and its address', () => {
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

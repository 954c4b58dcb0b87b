/** What real phones send besides plain text, for the phones of `npm run demo:whatsapp`. */
import type { proto } from '@whiskeysockets/baileys'
import type { Contact, Phone } from './world.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC',
  'base64',
)
const vcards = [
  'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Silva\\, Advogados\\; Cia\r\nTEL;VALUE=uri:tel:+55-11-98765-4321\r\nEND:VCARD',
  'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;ENCODING=QUOTED-PRINTABLE:Jos=C3=A9\r\nEMAIL:jose@exemplo.com\r\nEND:VCARD',
]
const poll: proto.Message.IPollCreationMessage = {
  name: 'Qual horário?',
  options: [{ optionName: '9h' }, { optionName: '14h' }],
  selectableOptionsCount: 1,
}

type Sending = (customer: Contact, shop: Phone) => Promise<string>
const plain =
  (message: proto.IMessage): Sending =>
  (customer, shop) =>
    customer.send(shop, message)
const file =
  (fileName: string, mimetype: string, text: string): Sending =>
  (customer, shop) =>
    customer.sendFile(shop, 'document', Buffer.from(text), { fileName, mimetype })
/** Sends "O valor e 100" and then what is done to it. */
const after =
  (act: (customer: Contact, shop: Phone, id: string) => Promise<string>): Sending =>
  async (customer, shop) => {
    const id = await customer.says(shop, 'O valor e 100')
    await act(customer, shop, id)
    return id
  }

/** By the name that the phones show. Each sends exactly one bubble and returns its id. */
export const oddMessages: Record<string, Sending> = {
  Local: plain({ locationMessage: { degreesLatitude: -23.55, degreesLongitude: -46.63, name: 'Praça da Sé', address: 'São Paulo' } }),
  'Local em tempo real': plain({ liveLocationMessage: { degreesLatitude: -23.55, degreesLongitude: -46.63, caption: 'Estou indo' } }),
  'Dois contatos': plain({ contactsArrayMessage: { displayName: '2 contatos', contacts: vcards.map((vcard) => ({ vcard })) } }),
  Enquete: plain({ pollCreationMessageV3: poll }),
  'Enquete em invólucro': plain({ pollCreationMessageV4: { message: { pollCreationMessageV3: poll } } }),
  Evento: plain({ eventMessage: { name: 'Visita técnica', description: 'Levar a nota', startTime: 1_790_000_000 } }),
  Pedido: plain({
    orderMessage: {
      orderId: '1',
      token: 'x',
      itemCount: 2,
      message: 'Sem cebola, por favor.',
      totalAmount1000: 59_800,
      totalCurrencyCode: 'BRL',
    },
  }),
  'Convite de grupo': plain({ groupInviteMessage: { groupJid: '120363000000000001@g.us', inviteCode: 'abc', groupName: 'Vizinhos' } }),
  Encaminhada: plain({ extendedTextMessage: { text: 'Corrente', contextInfo: { isForwarded: true, forwardingScore: 5 } } }),
  'Resposta a um status': plain({
    extendedTextMessage: {
      text: 'Quero um desses',
      contextInfo: {
        stanzaId: 'STATUS1',
        participant: '5511900000001@s.whatsapp.net',
        remoteJid: 'status@broadcast',
        quotedMessage: { conversation: 'Bolo de hoje' },
      },
    },
  }),
  'Texto de 52.000 letras': plain({ conversation: 'palavra '.repeat(6_500) }),
  'Invólucro desconhecido': plain({ groupMentionedMessage: { message: { conversation: 'Dentro de um invólucro' } } }),
  'Tipo desconhecido': plain({ requestPhoneNumberMessage: {} }),
  'Foto de visualização única': (customer, shop) =>
    customer.sendFile(shop, 'image', picture, { mimetype: 'image/png' }, 'viewOnceMessageV2'),
  Figurinha: (customer, shop) => customer.sendFile(shop, 'sticker', picture, { mimetype: 'image/png' }),
  'Extrato .ofx': file('extrato.ofx', 'application/x-ofx', 'OFXHEADER:100'),
  'Programa .exe': file('app.exe', 'application/x-msdownload', 'MZ'),
  'Nome de arquivo com aspas': file('a"b\'c;d.pdf', 'application/pdf', '%PDF-1.4'),
  'Texto editado': after((customer, shop, id) => customer.edit(shop, id, 'O valor e 1000')),
  'Texto apagado': after((customer, shop, id) => customer.revoke(shop, id)),
  'Texto com reação': after((customer, shop, id) => customer.react(shop, { id, fromMe: true, remoteJid: shop.jid }, '❤')),
}

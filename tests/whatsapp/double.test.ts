import { once } from 'node:events'
import makeWASocket, {
  type AuthenticationState,
  type BaileysEventMap,
  Curve,
  type GroupMetadata,
  initAuthCreds,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  WA_CERT_DETAILS,
  type WASocket,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Double, whatsappDouble } from '#tests/support/whatsapp/double.ts'
import { certified, isSigned } from '#tests/support/whatsapp/noise.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

/* The wire double against the unchanged npm client, without our code between them. */
/** A busy machine takes longer. */
const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let phone: Phone
let ana: Contact
let sock: WASocket
const auth = inMemory()
beforeAll(async () => {
  double = await whatsappDouble()
  phone = double.addPhone({ pn: '5511900000001', name: 'Balcão' })
  ana = double.addContact({ pn: '5511900000002', name: 'Ana' })
})
afterAll(async () => {
  await sock?.end(undefined)
  await double?.stop()
})

function inMemory(): AuthenticationState {
  const kept = new Map<string, unknown>()
  return {
    creds: initAuthCreds(),
    keys: {
      get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found = ids.filter((id) => kept.get(`${type}/${id}`)).map((id) => [id, kept.get(`${type}/${id}`)])
        return Object.fromEntries(found) as { [id: string]: SignalDataTypeMap[T] }
      },
      set(data: SignalDataSet) {
        for (const [type, values] of Object.entries(data))
          for (const [id, value] of Object.entries(values ?? {})) kept.set(`${type}/${id}`, value)
      },
    },
  }
}
const client = (of: AuthenticationState) => makeWASocket({ waWebSocketUrl: double.url, auth: of, logger: pino({ level: 'silent' }) })
function received<K extends keyof BaileysEventMap>(of: WASocket, event: K, is: (data: BaileysEventMap[K]) => unknown = () => true) {
  const { promise, resolve } = Promise.withResolvers<BaileysEventMap[K]>()
  of.ev.on(event, (data) => is(data) && resolve(data))
  return promise
}
const ended = async (of: WASocket) => {
  const { lastDisconnect } = await received(of, 'connection.update', ({ connection }) => connection === 'close')
  return (lastDisconnect?.error as { output?: { statusCode: number } } | undefined)?.output?.statusCode
}

it('the double links a device by QR code, restarts it and sends the history', async () => {
  sock = client(auth)
  const { qr } = await received(sock, 'connection.update', ({ qr }) => qr)
  const over = ended(sock)
  await phone.scan(qr!)
  expect(await over).toBe(515)
  sock = client(auth)
  await received(sock, 'messaging-history.set')
  expect(auth.creds.me?.id).toBe('5511900000001:1@s.whatsapp.net')
})

it('the double carries encrypted texts both ways, with receipts', async () => {
  const heard = received(sock, 'messages.upsert', ({ messages }) => messages.some(({ message }) => message?.conversation === 'olá'))
  await ana.says(phone, 'olá')
  expect((await heard).messages[0]!.key).toMatchObject({ remoteJid: ana.lidJid, remoteJidAlt: ana.jid })
  const delivered = received(sock, 'messages.update', (list) => list.some(({ update }) => update.status === 3))
  const acked = once(sock.ws as never, 'CB:ack,class:message')
  await sock.sendMessage(ana.jid, { text: 'oi Ana' })
  expect((await double.arrived(ana)).message.extendedTextMessage?.text).toBe('oi Ana')
  await Promise.all([delivered, acked])
  expect(phone.mirrored.at(-1)?.deviceSentMessage?.message?.extendedTextMessage?.text).toBe('oi Ana')
})

it('the double supports groups with sender keys', async () => {
  const bia = double.addContact({ pn: '5511900000003', name: 'Bia' })
  const group = double.addGroup({ subject: 'Turma', phones: [phone], contacts: [ana, bia] })
  const { subject, participants }: GroupMetadata = await sock.groupMetadata(group.jid)
  expect([subject, participants.length]).toEqual(['Turma', 3])
  const heard = received(sock, 'messages.upsert', ({ messages }) => messages.some(({ message }) => message?.conversation === 'oi turma'))
  await ana.says(phone, 'oi turma', { group })
  expect((await heard).messages[0]!.key.participantAlt).toBe(ana.jid)
  await sock.sendMessage(group.jid, { text: 'oi a todas' })
  for (const one of [ana, bia]) await double.arrived(one, ({ message }) => message.extendedTextMessage?.text === 'oi a todas')
})

it('the double redelivers missed messages and can remove a device', async () => {
  const over = ended(sock)
  double.drop()
  expect(await over).toBe(428)
  await ana.says(phone, 'onde vocês estão?')
  sock = client(auth)
  const { type } = await received(sock, 'messages.upsert', ({ messages }) =>
    messages.some(({ message }) => message?.conversation?.startsWith('onde')),
  )
  expect(type).toBe('append')
  await soon(() => [...double.companions(phone)[0]!.pending.keys()]).toEqual([])
  const gone = ended(sock)
  phone.unlink(double.companions(phone)[0]!)
  expect(await gone).toBe(401)
})

it('the double links a device by pairing code', async () => {
  const other = double.addPhone({ pn: '5511900000009', name: 'Outro balcão' })
  const own = inMemory()
  sock = client(own)
  await received(sock, 'connection.update', ({ qr }) => qr)
  const code = await sock.requestPairingCode(other.pn)
  await soon(() => [...double.world.connections].some(({ linkCode }) => linkCode)).toBe(true)
  const over = ended(sock)
  await other.enterCode(code)
  expect(await over).toBe(515)
  sock = client(own)
  await received(sock, 'connection.update', ({ connection }) => connection === 'open')
  expect(own.creds.registered).toBe(true)
  expect(double.world.unhandled).toEqual([])
})

it('the double has certificates under its own root', () => {
  const server = Curve.generateKeyPair()
  const { root, chain } = certified(server.public)
  const { intermediate, leaf } = proto.CertChain.decode(chain)
  const { key } = proto.CertChain.NoiseCertificate.Details.decode(intermediate!.details!)
  expect(isSigned(root, intermediate!.details!, intermediate!.signature!)).toBe(true)
  expect(isSigned(key!, leaf!.details!, leaf!.signature!)).toBe(true)
  expect(isSigned(WA_CERT_DETAILS.PUBLIC_KEY, intermediate!.details!, intermediate!.signature!)).toBe(false)
})

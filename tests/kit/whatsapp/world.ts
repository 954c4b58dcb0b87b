import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { type BinaryNode, jidDecode, type proto } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import type { Connection } from './connection.ts'
import type { Contact } from './contact.ts'
import { type Device, device, type KeyBundle } from './device.ts'
import type { Phone } from './phone.ts'

/** Somebody with WhatsApp on a phone, whose keys the double holds. */
export type Person = {
  pn: string
  lid: string
  jid: string
  lidJid: string
  name: string
  device: Device
  pictureUrl: string | null
  onWhatsApp: boolean
}
export type Named = { pn: string; name: string; lid?: string }
export const person = ({ pn, name, lid = `9${[...pn].reverse().join('')}` }: Named, log: Logger): Person => ({
  ...{ pn, lid, jid: `${pn}@s.whatsapp.net`, lidJid: `${lid}@lid`, name, device: device(log), pictureUrl: null, onWhatsApp: true },
})

export type Group = { jid: string; subject: string; phones: Phone[]; contacts: Contact[] }

/** A linked device of an account, which is the client, as the server knows it; it outlives its connections. */
export type Companion = {
  phone: Phone
  deviceId: number
  jid: string
  lidJid: string
  noiseKey: Buffer
  identity: Uint8Array
  registrationId: number
  signedPreKey: KeyBundle['signedPreKey']
  preKeys: NonNullable<KeyBundle['preKey']>[]
  connection: Connection | null
  /** What the client has not confirmed yet: told again when it is back. */
  pending: Map<string, BinaryNode>
  greeted: boolean
}

export type Told = { from: Companion; stanza: BinaryNode }
export type Events = {
  message: [Told]
  receipt: [Told]
  chatstate: [{ from: Companion; to: string; state: string }]
  presence: [Told]
  call: [Told]
  online: [Companion]
  /** A phone has what the client sent. */
  arrived: [Contact]
}

/** The server and everybody on it. */
export type World = {
  log: Logger
  events: EventEmitter<Events>
  /** What the client asked and nobody here can answer. */
  unhandled: BinaryNode[]
  phones: Phone[]
  contacts: Contact[]
  groups: Group[]
  companions: Companion[]
  connections: Set<Connection>
  /** Encrypted files by their paths. */
  media: Map<string, Buffer>
  mediaHost: string
  /** The error that the next message of the client is answered with. */
  failNext: string | null
  /** Whether messages of the client are left without an answer. */
  holdAcks: boolean
}

export const seconds = (): string => String(Math.floor(Date.now() / 1000))
export const newId = (prefix = ''): string => prefix + randomBytes(9).toString('hex').toUpperCase()
export const node = (tag: string, attrs: BinaryNode['attrs'] = {}, content?: BinaryNode['content']): BinaryNode => ({
  tag,
  attrs,
  ...(content !== undefined && { content }),
})
export const children = (of?: BinaryNode): BinaryNode[] => (Array.isArray(of?.content) ? of.content : [])

/** Whose a jid is, in whichever of the two address spaces. */
export function personAt(world: World, jid: string): Phone | Contact | undefined {
  const at = jidDecode(jid)
  return at && [...world.phones, ...world.contacts].find(({ lid, pn }) => (at.server === 'lid' ? lid : pn) === at.user)
}
export function companionAt(world: World, jid: string): Companion | undefined {
  const owner = personAt(world, jid)
  return world.companions.find(({ phone, deviceId }) => phone === owner && deviceId === (jidDecode(jid)?.device ?? 0))
}
export const companionsOf = (world: World, phone: Phone): Companion[] => world.companions.filter((one) => one.phone === phone)

/** Sent now where the client is there; kept until it has confirmed it. */
export function tell(to: Companion, stanza: BinaryNode, key = stanza.attrs.id!): void {
  to.pending.set(key, stanza)
  if (to.connection?.active) to.connection.send(stanza)
}

/** A session with a linked device, from the keys that it handed in; begun once. */
export async function ensureSession({ device }: Person, to: Companion, anew = false): Promise<void> {
  if (anew || !(await device.hasSession(to.jid))) await device.startSession(to.jid, { ...to, preKey: to.preKeys.shift() })
}

const mediaKinds = ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage', 'stickerMessage'] as const
export function typeOf(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessage || message.pollUpdateMessage) return 'poll'
  return mediaKinds.some((kind) => message[kind]) ? 'media' : 'text'
}

import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { type BinaryNode, getBinaryNodeChild, jidDecode, type proto, type WAPatchCreate } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { type Device, device, type KeyBundle } from './device.ts'
import type { Sealing } from './seal.ts'

/** A person with WhatsApp on a phone, whose keys the double holds. */
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

export type FileKind = 'image' | 'video' | 'ptv' | 'audio' | 'document' | 'sticker'

export type Received = { id: string; from: string; to: string; message: proto.IMessage; group: string | null }
export type Mark = 'delivery' | 'read' | 'played'
export type Sent = { message: proto.IMessage; group: Group | null; at: Date; how: How }
/**
 * `alone`: addressed by one address only. `wordless`: only the phone gets the text; a linked device gets the
 * reason.
 */
export type How = { id?: string; group?: Group; corrupt?: boolean; at?: Date; alone?: true; wordless?: '' | 'view_once' }

export type Contact = Person & {
  /**
   * `lid`: messages come from the lid with the number beside it, as WhatsApp does today; `pn`: the older way
   * round.
   */
  addressing: 'pn' | 'lid'
  /** The receipts that the phone sends when a message arrives, and the delay of each. */
  marks: Mark[]
  markMs: number
  /** The number of messages that it cannot read until they are sent again. */
  blind: number
  /** The name that WhatsApp has verified. */
  business: string | null
  received: Received[]
  /** Sends to every linked device of an account, or to a group. Returns the message's id. */
  send: (to: Phone, message: proto.IMessage, how?: How) => Promise<string>
  says: (to: Phone, text: string, how?: How) => Promise<string>
  sendFile: (to: Phone, kind: FileKind, data: Buffer, fields?: object, wrapper?: keyof proto.IMessage) => Promise<string>
  react: (to: Phone, key: proto.IMessageKey, emoji: string) => Promise<string>
  /** `by`: the address of the poll's author. */
  vote: (to: Phone, poll: Sealing, options: string[]) => Promise<string>
  /**
   * Sends an edit encrypted with the secret of the message, as phones do since May 2026; `plain`: as they did
   * before.
   */
  edit: (to: Phone, id: string, text: string, how?: { plain: true }) => Promise<string>
  /** The keys for reactions, votes and edits of a message. */
  secretOf: (id: string) => Sealing
  revoke: (to: Phone, id: string) => Promise<string>
  /** `others`: further message ids of the receipt. */
  mark: (to: Phone, received: Pick<Received, 'id' | 'to' | 'group'>, type: Mark, others?: string[]) => void
  type: (to: Phone, state?: 'composing' | 'paused') => void
  /** Calls, and returns the call's id. */
  call: (to: Phone) => string
  /** The client could not read a message and asks for it again with new keys. */
  resend: (to: Companion, receipt: BinaryNode) => Promise<void>
  receive: (from: Companion, stanza: BinaryNode, encs: BinaryNode[], group: Group | null) => Promise<void>
}

/** The phone of the account that the client is linked to. */
export type Phone = Person & {
  /** The copies that the client sent of its messages to others. */
  mirrored: proto.Message[]
  /** Messages that only the phone can read, by id. A device that asks gets them. */
  alone: Map<string, proto.IWebMessageInfo>
  blocked: Set<string>
  /** The error code that its devices get when they log in. */
  refused: string | null
  /** The history that it sends to a new device. */
  history: proto.IHistorySync
  /** Older history, which only a desktop device gets. */
  longAgo: proto.IHistorySync
  scan: (qr: string) => Promise<Companion>
  enterCode: (code: string) => Promise<Companion>
  /** Removes the linked device on the phone. */
  unlink: (companion: Companion) => void
  greet: (companion: Companion) => Promise<void>
  /** Sends a message from the phone itself; its linked devices get a copy. */
  says: (to: Contact, message: proto.IMessage, recipient?: string) => Promise<string>
  /** Uploads a file again that its host has lost, unless the phone is off or has lost it too. */
  bringsAgain: (to: Companion, asked: BinaryNode) => Promise<void>
  receive: (from: Companion, encs: BinaryNode[]) => Promise<void>
  /** Changes shared data of its devices, such as a contact's name, and notifies them. */
  patch: (patch: WAPatchCreate) => Promise<void>
  /** The answer to a device that asks for changes of a collection, or sends some. */
  collection: (asked: BinaryNode) => BinaryNode
}

/** `since`: when the group got its name, in seconds. */
export type Group = { jid: string; subject: string; since: string; phones: Phone[]; contacts: Contact[] }

/** One socket of the client. */
export type Connection = {
  /** The query of its address, which tells processes apart. */
  via: string
  /** The version of WhatsApp Web that it reports. */
  version: string
  refs: string[]
  registration: proto.ClientPayload.IDevicePairingRegistrationData | null
  clientKey: Buffer | null
  companion: Companion | null
  /** A client that is being linked by a code, and the handler of its last step. */
  linkCode: { jid: string; wrapped: Uint8Array } | null
  onLinkCode: ((finish: BinaryNode) => void) | null
  /** Set once the client is no longer passive; waiting stanzas are sent then. */
  active: boolean
  send: (stanza: BinaryNode) => void
  query: (stanza: BinaryNode) => Promise<BinaryNode>
  /** Ends the stream with an error. */
  fail: (attrs: BinaryNode['attrs'], content?: BinaryNode[]) => void
  /** Cuts the socket without a close. */
  drop: () => void
}

/** A linked device of an account, which is the client, as the server knows it. It outlives its connections. */
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
  /** Stanzas that the client has not confirmed, sent again when it returns. */
  pending: Map<string, BinaryNode>
  greeted: boolean
  /** The device properties that it sent when it was linked. */
  props: proto.IDeviceProps
  /** Whether it logged in as a desktop application, not as a page in a browser. */
  application: boolean
}

/** Prices in thousandths. */
export type Ordered = { token: string; currency: string; products: { name: string; quantity: number; price: number }[] }

export type SentStanza = { from: Companion; stanza: BinaryNode }
export type Events = {
  message: [SentStanza]
  receipt: [SentStanza]
  chatstate: [{ from: Companion; to: string; state: string }]
  presence: [SentStanza]
  call: [SentStanza]
  online: [Companion]
  /** A phone has received a message of the client. */
  arrived: [Contact]
}

/** The server and everyone on it. */
export type World = {
  log: Logger
  events: EventEmitter<Events>
  /** Queries of the client that the double cannot answer. */
  unhandled: BinaryNode[]
  /** All queries of the client by namespace, type and tag. */
  asked: string[]
  phones: Phone[]
  contacts: Contact[]
  groups: Group[]
  companions: Companion[]
  connections: Set<Connection>
  /** The ordered products by order id. */
  orders: Map<string, Ordered>
  /** Encrypted files by their paths. */
  media: Map<string, Buffer>
  mediaHost: string
  /** The error that the client's next message gets. */
  failNext: string | null
  /** Whether the client's messages stay unanswered. */
  holdAcks: boolean
  /** The number of the client's messages that get lost, although all else arrives. */
  lose: number
  /** Until this resolves, no upload is confirmed. */
  holdFiles: Promise<void> | null
  /** How often the file host answers that it is unavailable. */
  filesAway: number
  /** The status that refuses each upload. */
  refuseFiles: number | null
  /** Files that their host has lost. */
  goneFiles: Set<string>
  /** How often a device logged in that was already connected. */
  replaced: number
  /** The current revision of WhatsApp Web. A client with an older one is refused. */
  revision: number
  /** Whether nothing is answered, although the sockets stay open. */
  silent: boolean
}

export const seconds = (at = Date.now()): string => String(Math.floor(at / 1000))
export const newId = (prefix = ''): string => prefix + randomBytes(9).toString('hex').toUpperCase()
export const node = (tag: string, attrs: BinaryNode['attrs'] = {}, content?: BinaryNode['content']): BinaryNode => ({
  tag,
  attrs,
  ...(content !== undefined && { content }),
})
export const children = (of?: BinaryNode): BinaryNode[] => (Array.isArray(of?.content) ? of.content : [])

/** The encryption types of the parts for a person. A `pkmsg` begins a session. */
export const typesFor = ({ lid }: Person, stanza: BinaryNode): (string | undefined)[] =>
  children(getBinaryNodeChild(stanza, 'participants'))
    .filter(({ attrs }) => jidDecode(attrs.jid)?.user === lid)
    .flatMap((to) => children(to).map(({ attrs }) => attrs.type))

/** The person of a jid in either of the two address spaces. */
export function personAt(world: World, jid: string): Phone | Contact | undefined {
  const at = jidDecode(jid)
  return at && [...world.phones, ...world.contacts].find(({ lid, pn }) => (at.server === 'lid' ? lid : pn) === at.user)
}
export function companionAt(world: World, jid: string): Companion | undefined {
  const owner = personAt(world, jid)
  return world.companions.find(({ phone, deviceId }) => phone === owner && deviceId === (jidDecode(jid)?.device ?? 0))
}
export const companionsOf = (world: World, phone: Phone): Companion[] => world.companions.filter((one) => one.phone === phone)

/** Sends now if the client is connected, and keeps the stanza until the client confirms it. */
export function tell(to: Companion, stanza: BinaryNode, key = stanza.attrs.id!): void {
  to.pending.set(key, stanza)
  if (to.connection?.active) to.connection.send(stanza)
}

/** A session with a linked device from its uploaded keys, begun once. */
export async function ensureSession({ device }: Person, to: Companion, anew = false): Promise<void> {
  if (anew || !(await device.hasSession(to.jid))) await device.startSession(to.jid, { ...to, preKey: to.preKeys.shift() })
}

const mediaKinds = ['imageMessage', 'videoMessage', 'ptvMessage', 'audioMessage', 'documentMessage', 'stickerMessage'] as const
export function typeOf(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessage || message.pollUpdateMessage) return 'poll'
  return mediaKinds.some((kind) => message[kind]) ? 'media' : 'text'
}

import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { type BinaryNode, getBinaryNodeChild, jidDecode, type proto, type WAPatchCreate } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { type Device, device, type KeyBundle } from './device.ts'
import type { Sealing } from './seal.ts'

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

export type FileKind = 'image' | 'video' | 'ptv' | 'audio' | 'document' | 'sticker'

export type Received = { id: string; from: string; to: string; message: proto.IMessage; group: string | null }
export type Mark = 'delivery' | 'read' | 'played'
export type Sent = { message: proto.IMessage; group: Group | null; at: Date; how: How }
/** `alone`: named by one address, without the other. `wordless`: only the phone gets its words, a linked device why it does not. */
export type How = { id?: string; group?: Group; corrupt?: boolean; at?: Date; alone?: true; wordless?: '' | 'view_once' }

export type Contact = Person & {
  /** `lid`: what it says comes from its lid, with its number beside it, as WhatsApp does today; `pn`: the older way round. */
  addressing: 'pn' | 'lid'
  /** The marks that it sends by itself when a message arrives, and after how long each. */
  marks: Mark[]
  markMs: number
  /** So many messages it cannot read, until they come again. */
  blind: number
  /** The name that WhatsApp has verified. */
  business: string | null
  received: Received[]
  /** To every linked device of an account, or to a group; answers the message's id. */
  send: (to: Phone, message: proto.IMessage, how?: How) => Promise<string>
  says: (to: Phone, text: string, how?: How) => Promise<string>
  sendFile: (to: Phone, kind: FileKind, data: Buffer, fields?: object, wrapper?: keyof proto.IMessage) => Promise<string>
  react: (to: Phone, key: proto.IMessageKey, emoji: string) => Promise<string>
  /** `by`: the address of whoever asked. */
  vote: (to: Phone, poll: Sealing, options: string[]) => Promise<string>
  /** Sealed with the secret of the message, as phones do since May 2026; `plain`: as they did before. */
  edit: (to: Phone, id: string, text: string, how?: { plain: true }) => Promise<string>
  /** What parts of a chat are sealed with that are about a message of theirs. */
  secretOf: (id: string) => Sealing
  revoke: (to: Phone, id: string) => Promise<string>
  /** `others`: what else it is of. */
  mark: (to: Phone, received: Pick<Received, 'id' | 'to' | 'group'>, type: Mark, others?: string[]) => void
  type: (to: Phone, state?: 'composing' | 'paused') => void
  /** Rings; answers the call's id. */
  call: (to: Phone) => string
  /** The client could not read a message, and asks for it again with keys that are fresh. */
  resend: (to: Companion, receipt: BinaryNode) => Promise<void>
  receive: (from: Companion, stanza: BinaryNode, encs: BinaryNode[], group: Group | null) => Promise<void>
}

/** The phone of the account that the client is linked to. */
export type Phone = Person & {
  /** What the client sent to it: copies of what it sent to others. */
  mirrored: proto.Message[]
  /** What it alone has the words of, by its id: told to a device that asks. */
  alone: Map<string, proto.IWebMessageInfo>
  blocked: Set<string>
  /** The code that its devices are refused with when they log in. */
  refused: string | null
  /** What it pushes to a device that is new. */
  history: proto.IHistorySync
  /** What is older than a browser is told, and a desktop is. */
  longAgo: proto.IHistorySync
  scan: (qr: string) => Promise<Companion>
  enterCode: (code: string) => Promise<Companion>
  /** Somebody takes the linked device away. */
  unlink: (companion: Companion) => void
  greet: (companion: Companion) => Promise<void>
  /** Typed on the phone itself: its linked devices get a copy. */
  says: (to: Contact, message: proto.IMessage, recipient?: string) => Promise<string>
  /** A file that is gone from its host is asked for; it brings it again, unless it is off or has it no longer. */
  bringsAgain: (to: Companion, asked: BinaryNode) => Promise<void>
  receive: (from: Companion, encs: BinaryNode[]) => Promise<void>
  /** Changes what its devices share, such as the name of a contact, and tells them. */
  patch: (patch: WAPatchCreate) => Promise<void>
  /** The answer to a device that asks what is new in a collection, or brings something. */
  collection: (asked: BinaryNode) => BinaryNode
}

/** `since`: when its people called it so, in seconds. */
export type Group = { jid: string; subject: string; since: string; phones: Phone[]; contacts: Contact[] }

/** One socket of the client. */
export type Connection = {
  /** The query of the address that it came by, which tells one process from another. */
  via: string
  /** The version of WhatsApp Web that it says it is. */
  version: string
  refs: string[]
  registration: proto.ClientPayload.IDevicePairingRegistrationData | null
  clientKey: Buffer | null
  companion: Companion | null
  /** A client that wants to be linked by a code, and who waits for its last word. */
  linkCode: { jid: string; wrapped: Uint8Array } | null
  onLinkCode: ((finish: BinaryNode) => void) | null
  /** Once the client is no longer passive, what waits for it flows. */
  active: boolean
  send: (stanza: BinaryNode) => void
  query: (stanza: BinaryNode) => Promise<BinaryNode>
  /** Ends the stream with an error. */
  fail: (attrs: BinaryNode['attrs'], content?: BinaryNode[]) => void
  /** The line is gone, and nobody said goodbye. */
  drop: () => void
}

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
  /** What it said it is when it was linked. */
  props: proto.IDeviceProps
  /** It logged in as an application, not as a page in a browser. */
  application: boolean
}

/** Prices in thousandths. */
export type Ordered = { token: string; currency: string; products: { name: string; quantity: number; price: number }[] }

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
  /** What the client asked, by namespace, type and tag. */
  asked: string[]
  phones: Phone[]
  contacts: Contact[]
  groups: Group[]
  companions: Companion[]
  connections: Set<Connection>
  /** What was ordered, by the id of the order. */
  orders: Map<string, Ordered>
  /** Encrypted files by their paths. */
  media: Map<string, Buffer>
  mediaHost: string
  /** The error that the next message of the client is answered with. */
  failNext: string | null
  /** Whether messages of the client are left without an answer. */
  holdAcks: boolean
  /** So many messages of the client are lost on their way, though all else arrives. */
  lose: number
  /** Until then no file that is brought is said to be there. */
  holdFiles: Promise<void> | null
  /** So often the host of files answers that it is away. */
  filesAway: number
  /** The status that each file that is brought is refused with. */
  refuseFiles: number | null
  /** Files that their host has no longer. */
  goneFiles: Set<string>
  /** How often somebody logged in whose device was there already. */
  replaced: number
  /** The revision of WhatsApp Web: what says that it is an older one is refused. */
  revision: number
  /** Whether nothing comes back, whatever is asked, though the lines stand. */
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

/** As what it comes to somebody: a `pkmsg` begins a session. */
export const typesFor = ({ lid }: Person, stanza: BinaryNode): (string | undefined)[] =>
  children(getBinaryNodeChild(stanza, 'participants'))
    .filter(({ attrs }) => jidDecode(attrs.jid)?.user === lid)
    .flatMap((to) => children(to).map(({ attrs }) => attrs.type))

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

const mediaKinds = ['imageMessage', 'videoMessage', 'ptvMessage', 'audioMessage', 'documentMessage', 'stickerMessage'] as const
export function typeOf(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessage || message.pollUpdateMessage) return 'poll'
  return mediaKinds.some((kind) => message[kind]) ? 'media' : 'text'
}

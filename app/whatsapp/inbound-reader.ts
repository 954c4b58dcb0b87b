import {
  type BinaryNode,
  decodeMessageNode,
  jidDecode,
  jidNormalizedUser,
  proto,
  unpadRandomMax16,
  type WAMessage,
  type WAMessageKey,
} from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import type { Connection, Identity, InboundEvent } from '#app/channels/channel.ts'
import { countUnknownKind, ofKind } from '#app/inbound/unknown-kinds.ts'
import type { Account } from './account.ts'
import type { InboundBatch } from './account-journal.ts'
import { mentionedIn } from './bodies.ts'
import { idsWithNumber, type Numbers, withNumber } from './numbers.ts'
import {
  type About,
  aboutOf,
  addressOf,
  conversationOf,
  type ParsingContext,
  parseMessage,
  resentIn,
  unsupportedMessage,
  withBusiness,
} from './parse-inbound.ts'
import { oursOf, unsealedIn } from './sealed.ts'
import { messageFrom } from './wrappers.ts'

/** Shown for a person without a name or number, because WhatsApp's own id is not a number. */
const unknownPerson = '•••'
const { HistorySyncType } = proto.HistorySync
/** Parts of a history that contain messages. */
const typesWithMessages = new Set<number>([HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.FULL])

/** Returns the name of a person in a chat. */
type NameLookup = (ids: Identity[], chat: string) => Promise<string | null>
export type InboundSources = ParsingContext & { logger: Logger; calledOf: NameLookup; nameOf: NameLookup }
export type InboundDeps = {
  account: Account
  connection: Pick<Connection, 'id' | 'companyId' | 'provider'>
  sources: InboundSources
  numbers: Numbers
  /** Rethrows a transient error, and reports a permanent one. */
  reportPermanent: (error: unknown) => void
}
export type InboundReader = ReturnType<typeof createInboundReader>

/** Turns the messages of an account into the rows of a batch. */
export function createInboundReader({ account, connection, sources, numbers, reportPermanent }: InboundDeps) {
  const { id: connectionId, companyId, provider } = connection
  const me = () => account.creds().me!
  const messageIn = (stanza: BinaryNode): WAMessage => withBusiness(decodeMessageNode(stanza, me().id, me().lid ?? '').fullMessage, stanza)
  const addressesOf = async (jid: string) => [jid, ...(await idsWithNumber([jid], numbers)).map(addressOf)]
  const entryOf = (about: About, payload: InboundEvent) => ({
    companyId,
    connectionId,
    externalId: about.id,
    conversation: conversationOf(about),
    payload,
  })

  /** Adds a name from another source if the sender publishes none. */
  async function withCallerName(message: WAMessage): Promise<About | null> {
    const about = aboutOf(message, sources)
    if (!about || about.fromMe || about.name !== '') return about
    return { ...about, name: (await sources.calledOf(about.from, message.key.remoteJid!)) ?? '' }
  }
  /** Null: a message of our own phone to its devices, or of a chat without service. */
  const aboutIn = async (stanza: BinaryNode): Promise<About | null> =>
    stanza.attrs.category === 'peer' ? null : withCallerName(await withNumber(messageIn(stanza), numbers))

  async function eventOf(content: proto.IMessage, about: About, chat: string): Promise<InboundEvent | null> {
    const countUnopened = (kind: string) => countUnknownKind(provider, ofKind(kind), sources.logger)
    const ours = oursOf(me())
    const unsealed = await unsealedIn(content, about, { ours, kept: account.kept, addressesOf, countUnopened })
    if (unsealed === null || (unsealed && 'type' in unsealed)) return unsealed
    const inbound = parseMessage(unsealed ?? content, about, ours)
    const nameOf = async (jid: string) => sources.nameOf(await idsWithNumber([jid], numbers), chat)
    if (inbound && 'body' in inbound && inbound.body.includes('@'))
      inbound.body = await replaceMentions(inbound.body, unsealed ?? content, nameOf)
    return inbound
  }

  async function addEvent(content: proto.IMessage, about: About, key: WAMessageKey, batch: InboundBatch): Promise<void> {
    const inbound = await eventOf(content, about, key.remoteJid!).catch((error: unknown) => {
      reportPermanent(error)
      return unsupportedMessage(about)
    })
    if (!inbound) return
    batch.entries.push(entryOf(about, inbound))
    if (inbound.type !== 'message') return
    const participant = key.participant ? jidNormalizedUser(key.participant) : null
    const message = proto.Message.encode(content).finish()
    batch.kept.push({ id: about.id, fromMe: about.fromMe, chat: key.remoteJid!, participant, message })
  }

  /** Adds what our own phone shares with its devices: its history, and messages that we requested again. */
  async function addPeerData(content: proto.IMessage, batch: InboundBatch): Promise<void> {
    addHistory(content, batch)
    for (const one of resentIn(content)) {
      const about = one.message && (await withCallerName(await withNumber(one, numbers)))
      if (about) await addEvent(one.message!, about, one.key, batch)
    }
  }

  return {
    entryOf,
    aboutIn,
    /** Adds the rows of a decrypted message to the batch. */
    async read(stanza: BinaryNode, plain: Uint8Array, batch: InboundBatch): Promise<void> {
      const decoded = messageFrom(unpadRandomMax16(plain))
      const { key } = messageIn(stanza)
      if (stanza.attrs.category === 'peer' && key.fromMe) await addPeerData(decoded, batch)
      const about = await aboutIn(stanza)
      if (about) await addEvent(unwrapOwn(decoded), about, key, batch)
    },
  }
}

/** Returns the content of a message that our own phone sent to another device of the account. */
function unwrapOwn(decoded: proto.IMessage): proto.IMessage {
  const { deviceSentMessage: ours, messageContextInfo } = decoded
  if (!ours?.message) return decoded
  return { ...ours.message, messageContextInfo: { ...messageContextInfo, ...ours.message.messageContextInfo } }
}

async function replaceMentions(body: string, content: proto.IMessage, nameOf: (jid: string) => Promise<string | null>): Promise<string> {
  let words = body
  for (const jid of mentionedIn(content).filter((one) => jidDecode(one))) {
    const mention = `@${(await nameOf(jid)) ?? unknownPerson}`
    words = words.replaceAll(`@${jidDecode(jid)!.user}`, () => mention)
  }
  return words
}

function addHistory({ protocolMessage }: proto.IMessage, batch: InboundBatch): void {
  const part = protocolMessage?.historySyncNotification
  if (part && typesWithMessages.has(part.syncType!)) batch.history.push(proto.Message.HistorySyncNotification.encode(part).finish())
}

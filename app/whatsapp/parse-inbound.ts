import { createHash } from 'node:crypto'
import {
  type BinaryNode,
  getBinaryNodeChild,
  isHostedLidUser,
  isHostedPnUser,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isLidUser,
  isPnUser,
  jidDecode,
  jidEncode,
  jidNormalizedUser,
  proto,
  type WAMessage,
} from '@whiskeysockets/baileys'
import { place } from '#domain/message/rules.ts'
import type { About as TicketAbout } from '#domain/ticket/events.ts'
import { preview } from '#domain/ticket/rules.ts'
import { cards } from '#domain/vcard/rules.ts'
import type { Identity, InboundEvent } from '../channels/channel.ts'
import { bodyIn, contextIn, unknownBody } from './bodies.ts'
import { contentIn, openedIn } from './wrappers.ts'

/** The data of a message that is readable before decryption. */
export type About = {
  id: string
  from: Identity[]
  name: string
  group: { id: string; name: string } | null
  fromMe: boolean
  at: string
}

const { Type } = proto.Message.ProtocolMessage

function kindAt(jid: string): Identity['kind'] | null {
  if (isLidUser(jid) || isHostedLidUser(jid)) return 'lid'
  if (isPnUser(jid) || isHostedPnUser(jid)) return 'phone'
  return isJidGroup(jid) ? 'group' : null
}
/** Returns all known identifiers of one person, the phone number first, because people know each other by it. */
export function idsOf(jids: (string | null | undefined)[]): Identity[] {
  const ids = jids.flatMap((jid): Identity[] => {
    const user = jid && jidDecode(jid)?.user
    const kind = user && kindAt(jid)
    return kind ? [{ kind, id: user }] : []
  })
  return ids.toSorted((a, b) => Number(a.kind === 'lid') - Number(b.kind === 'lid'))
}

export const addressOf = ({ kind, id }: Identity): string =>
  jidEncode(id, kind === 'lid' ? 'lid' : kind === 'group' ? 'g.us' : 's.whatsapp.net')

/** Looks up the subject of a group and the time. */
export type ParsingContext = { subjectOf: (group: string) => string; now: () => number }
/** Converts WhatsApp's time in seconds. Without a valid time, the time of receipt counts. */
export function momentOf(seconds: unknown, { now }: Pick<ParsingContext, 'now'>): string {
  const ms = Number(seconds) * 1000
  return new Date(ms >= 0 && ms < 1e14 ? ms : now()).toISOString()
}

/** Returns the messages that the phone sends again on our request. */
export const resentIn = ({ protocolMessage }: proto.IMessage): WAMessage[] =>
  (protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? []).flatMap(
    ({ placeholderMessageResendResponse }) => {
      const bytes = placeholderMessageResendResponse?.webMessageInfoBytes
      return bytes ? [proto.WebMessageInfo.decode(bytes) as WAMessage] : []
    },
  )

/** Adds the name of a business, which is in a certificate beside the message. */
export function withBusiness(message: WAMessage, stanza: BinaryNode): WAMessage {
  const { content } = getBinaryNodeChild(stanza, 'verified_name') ?? {}
  if (!(content instanceof Uint8Array) || message.pushName) return message
  const { details } = proto.VerifiedNameCertificate.decode(content)
  const { verifiedName } = details ? proto.VerifiedNameCertificate.Details.decode(details) : {}
  return verifiedName ? { ...message, pushName: verifiedName } : message
}

/** Null: a broadcast or a channel, where no customers are served. */
export function aboutOf({ key, pushName, messageTimestamp }: WAMessage, known: ParsingContext): About | null {
  const chat = key.remoteJid!
  if (isJidBroadcast(chat) || isJidNewsletter(chat)) return null
  return {
    id: key.id!,
    from: idsOf(isJidGroup(chat) ? [key.participant, key.participantAlt] : [chat, key.remoteJidAlt]),
    name: key.fromMe ? '' : (pushName ?? ''),
    group: isJidGroup(chat) ? { id: idsOf([chat])[0]!.id, name: known.subjectOf(chat) } : null,
    fromMe: key.fromMe === true,
    at: momentOf(messageTimestamp, known),
  }
}

/** A message that only the phone can show. */
export const unsupportedMessage = ({ id, from, name, group, fromMe, at }: About): Extract<InboundEvent, { type: 'message' }> => ({
  ...{ type: 'message', externalId: id, from, ...(fromMe && { fromMe: true as const }), name, group, at },
  ...{ kind: 'unsupported', body: '', media: null, vCard: null, quotedExternalId: null },
})
/** The placeholder for a message that cannot be decrypted. Its content may arrive later. */
export const unread = (about: About): InboundEvent => ({ ...unsupportedMessage(about), kind: 'chat', undecryptable: true })

/** The key of the conversation, whose events are processed in order. */
export const conversationOf = ({ group, from, id }: Pick<About, 'group' | 'from' | 'id'>): string => group?.id ?? from[0]?.id ?? id

/** Translates a decrypted message into an inbound event. Null: the message has no content to process. `ours`: the account's addresses. */
export function parseMessage(
  message: proto.IMessage,
  { id, from, name, group, fromMe, at }: About,
  ours: string[] = [],
): InboundEvent | null {
  const { content, wrappers, targetId } = openedIn(message)
  const origin = { from, ...(fromMe && { fromMe: true as const }), at }
  const where = { ...origin, group: group?.id ?? null }
  const { reactionMessage: reaction, protocolMessage: protocol } = content
  if (reaction) return { type: 'reaction', ...where, name, externalId: reaction.key?.id ?? '', emoji: reaction.text ?? '' }
  if (protocol?.type === Type.REVOKE) return { type: 'removal', ...where, externalId: protocol.key?.id ?? '' }
  if (protocol?.type === Type.MESSAGE_EDIT) {
    const edited = contentIn(protocol.editedMessage)
    const body = bodyIn(edited)?.body ?? ''
    return body.trim() === '' ? null : { type: 'edit', ...where, externalId: protocol.key?.id ?? '', body }
  }
  const messageBody = bodyIn(content) ?? unknownBody(content, wrappers)
  if (!messageBody) return null
  const event = { type: 'message' as const, externalId: id, ...origin, name, group, vCard: null, ...messageBody, media: null }
  return { ...event, ...contextOf(content, targetId, { ours, inGroup: group !== null }) }
}

type Sides = { ours: string[]; inGroup: boolean }
type Context = { quotedExternalId: string | null; forwarded?: true; quoted?: TicketAbout }
/** Returns the message that is quoted or commented on, and whether the message was forwarded. */
function contextOf(content: proto.IMessage, targetId: string | null, sides: Sides): Context {
  const context = contextIn(content)
  const quoted = context?.stanzaId && quotedIn(context, sides)
  return {
    ...{ quotedExternalId: context?.stanzaId ?? targetId, ...(context?.isForwarded && { forwarded: true }) },
    ...(quoted && { quoted }),
  }
}
/** Returns the quoted text from the message that quotes it. Messages from before the link, and statuses, are not stored here. */
function quotedIn({ quotedMessage, remoteJid, participant }: proto.IContextInfo, sides: Sides): TicketAbout | null {
  const ofStatus = remoteJid === 'status@broadcast'
  const event = quotedMessage ? bodyIn(contentIn(quotedMessage)) : null
  if (!event && !ofStatus) return null
  const [card] = event?.vCard ? cards(event.vCard) : []
  const text = event ? preview(event.kind, event.body) : ''
  const words = event?.kind === 'locationMessage' ? `${text} ${place(event.body).text}` : [text, card?.name].filter(Boolean).join(' ')
  return { of: ofStatus ? 'status' : quoteOf(participant, sides), title: '', text: words.trim(), url: null }
}
/** The author of a quote, if known. In a group, the other participants are not distinguished. */
function quoteOf(author: string | null | undefined, { ours, inGroup }: Sides): TicketAbout['of'] {
  if (!author || ours.length === 0) return 'quote'
  if (ours.includes(jidNormalizedUser(author))) return 'ourQuote'
  return inGroup ? 'quote' : 'contactQuote'
}

/** The answer to a poll or an event, as a message that quotes it. */
export const answerTo = (
  pollId: string,
  chosen: string[],
  { id, from, name, group, fromMe, at }: About,
  body = chosen.length === 0 ? '☐' : chosen.map((option) => `☑ ${option}`).join('\n'),
): InboundEvent => ({
  ...{
    type: 'message',
    externalId: id,
    from,
    ...(fromMe && { fromMe: true as const }),
    at,
    name,
    group,
    vCard: null,
    kind: 'chat',
    media: null,
  },
  ...{ body, quotedExternalId: pollId },
})

const marks = new Map<string, 'delivered' | 'read' | 'played'>([
  ['', 'delivered'],
  ['inactive', 'delivered'],
  ['read', 'read'],
  ['played', 'played'],
])
/** Parses a receipt. Null: it comes from another device of ours, or sets no mark. `externalId`: the id of the receipt in the journal. */
export function markIn({ attrs, content }: BinaryNode) {
  const mark = marks.get(attrs.type ?? '')
  if (!mark || attrs.recipient) return null
  const items = Array.isArray(content) ? content.flatMap((list) => (Array.isArray(list.content) ? list.content : [])) : []
  const externalIds = [attrs.id!, ...items.flatMap(({ attrs: { id } }) => id ?? [])]
  return { mark, externalIds, externalId: `${allOf(externalIds)}:${mark}` }
}
/** A digest of all message ids, because two receipts can start with the same message and differ in the others. */
const allOf = (ids: string[]): string => (ids.length === 1 ? ids[0]! : createHash('sha256').update(ids.join()).digest('base64url'))

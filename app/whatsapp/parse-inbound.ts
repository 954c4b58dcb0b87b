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

/** What a stanza says of a message before it is opened. */
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
/** One person, by all addresses that are told; the number first where it is known, for people call each other by it. None: of no kind that we know. */
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

/** What groups are called, and the time. */
export type Known = { subjectOf: (group: string) => string; now: () => number }
/** As WhatsApp tells it, in seconds; what is told without one happened when it was heard. */
export function momentOf(seconds: unknown, { now }: Pick<Known, 'now'>): string {
  const ms = Number(seconds) * 1000
  return new Date(ms >= 0 && ms < 1e14 ? ms : now()).toISOString()
}

/** What the phone was asked for and tells again, whole. */
export const resentIn = ({ protocolMessage }: proto.IMessage): WAMessage[] =>
  (protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? []).flatMap(
    ({ placeholderMessageResendResponse }) => {
      const bytes = placeholderMessageResendResponse?.webMessageInfoBytes
      return bytes ? [proto.WebMessageInfo.decode(bytes) as WAMessage] : []
    },
  )

/** A business says its name in a certificate beside its words. */
export function withBusiness(message: WAMessage, stanza: BinaryNode): WAMessage {
  const { content } = getBinaryNodeChild(stanza, 'verified_name') ?? {}
  if (!(content instanceof Uint8Array) || message.pushName) return message
  const { details } = proto.VerifiedNameCertificate.decode(content)
  const { verifiedName } = details ? proto.VerifiedNameCertificate.Details.decode(details) : {}
  return verifiedName ? { ...message, pushName: verifiedName } : message
}

/** Null: of a place where nobody is served. */
export function aboutOf({ key, pushName, messageTimestamp }: WAMessage, known: Known): About | null {
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

/** What only the phone shows. */
export const unsupportedMessage = ({ id, from, name, group, fromMe, at }: About): Extract<InboundEvent, { type: 'message' }> => ({
  ...{ type: 'message', externalId: id, from, ...(fromMe && { fromMe: true as const }), name, group, at },
  ...{ kind: 'unsupported', body: '', media: null, vCard: null, quotedExternalId: null },
})
/** What came and could not be opened; what it says may come yet. */
export const unread = (about: About): InboundEvent => ({ ...unsupportedMessage(about), kind: 'chat', undecryptable: true })

/** What is said in one conversation is heard in its order. */
export const conversationOf = ({ group, from, id }: Pick<About, 'group' | 'from' | 'id'>): string => group?.id ?? from[0]?.id ?? id

/** What was opened → what was said or done; null: nothing that concerns anybody. `ours`: the addresses of the account. */
export function heardIn(message: proto.IMessage, { id, from, name, group, fromMe, at }: About, ours: string[] = []): InboundEvent | null {
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
  const said = { type: 'message' as const, externalId: id, ...origin, name, group, vCard: null, ...messageBody, media: null }
  return { ...said, ...contextOf(content, targetId, { ours, inGroup: group !== null }) }
}

type Sides = { ours: string[]; inGroup: boolean }
type Context = { quotedExternalId: string | null; forwarded?: true; quoted?: TicketAbout }
/** What it quotes, or is a comment on, and whether it was said to somebody else before. */
function contextOf(content: proto.IMessage, targetId: string | null, sides: Sides): Context {
  const context = contextIn(content)
  const quoted = context?.stanzaId && quotedIn(context, sides)
  return {
    ...{ quotedExternalId: context?.stanzaId ?? targetId, ...(context?.isForwarded && { forwarded: true }) },
    ...(quoted && { quoted }),
  }
}
/** The words of what is quoted travel with what quotes it: of before the number was linked, and of a status, they stand nowhere else. */
function quotedIn({ quotedMessage, remoteJid, participant }: proto.IContextInfo, sides: Sides): TicketAbout | null {
  const ofStatus = remoteJid === 'status@broadcast'
  const said = quotedMessage ? bodyIn(contentIn(quotedMessage)) : null
  if (!said && !ofStatus) return null
  const [card] = said?.vCard ? cards(said.vCard) : []
  const text = said ? preview(said.kind, said.body) : ''
  const words = said?.kind === 'locationMessage' ? `${text} ${place(said.body).text}` : [text, card?.name].filter(Boolean).join(' ')
  return { of: ofStatus ? 'status' : quoteOf(participant, sides), title: '', text: words.trim(), url: null }
}
/** Whose words are quoted, where that is known: in a group, the other participants are not told apart. */
function quoteOf(author: string | null | undefined, { ours, inGroup }: Sides): TicketAbout['of'] {
  if (!author || ours.length === 0) return 'quote'
  if (ours.includes(jidNormalizedUser(author))) return 'ourQuote'
  return inGroup ? 'quote' : 'contactQuote'
}

/** Who chose what, in the place where it was asked. */
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
/** Which mark a receipt sets, to which messages; null: it comes from another device of ours, or sets none. `externalId`: what it is known by. */
export function markIn({ attrs, content }: BinaryNode) {
  const mark = marks.get(attrs.type ?? '')
  if (!mark || attrs.recipient) return null
  const items = Array.isArray(content) ? content.flatMap((list) => (Array.isArray(list.content) ? list.content : [])) : []
  const externalIds = [attrs.id!, ...items.flatMap(({ attrs: { id } }) => id ?? [])]
  return { mark, externalIds, externalId: `${allOf(externalIds)}:${mark}` }
}
/** By all that a mark is of: two people of a group, or one twice, begin with the same message and go on otherwise. */
const allOf = (ids: string[]): string => (ids.length === 1 ? ids[0]! : createHash('sha256').update(ids.join()).digest('base64url'))

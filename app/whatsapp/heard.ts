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
  normalizeMessageContent,
  proto,
  type WAMessage,
} from '@whiskeysockets/baileys'
import { placeOf } from '#domain/message/rules.ts'
import type { Kind } from '#domain/ticket/events.ts'
import { cards, writeCard } from '#domain/vcard/rules.ts'
import type { Heard, Identity } from '../channels/channel.ts'

/** What a stanza says of a message before it is opened. */
export type About = {
  id: string
  from: Identity[]
  name: string
  group: { id: string; name: string } | null
  fromMe: boolean
  at: string
}
type MessageBody = { kind: Kind; body: string; vCard?: string | null; apart?: true; fileName?: string }

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
export const unsupportedMessage = ({ id, from, name, group, fromMe, at }: About): Extract<Heard, { type: 'message' }> => ({
  ...{ type: 'message', externalId: id, from, ...(fromMe && { fromMe: true as const }), name, group, at },
  ...{ kind: 'unsupported', body: '', media: null, vCard: null, quotedExternalId: null },
})
/** What came and could not be opened; what it says may come yet. */
export const unread = (about: About): Heard => ({ ...unsupportedMessage(about), kind: 'chat', undecryptable: true })

/** What is said in one conversation is heard in its order. */
export const conversationOf = ({ group, from, id }: Pick<About, 'group' | 'from' | 'id'>): string => group?.id ?? from[0]?.id ?? id

/** What was opened → what was said or done; null: nothing that concerns anybody. */
export function heardIn(sealed: proto.IMessage, { id, from, name, group, fromMe, at }: About): Heard | null {
  const content = normalizeMessageContent(sealed) ?? {}
  const origin = { from, ...(fromMe && { fromMe: true as const }), at }
  const where = { ...origin, group: group?.id ?? null }
  const { reactionMessage: reaction, protocolMessage: protocol } = content
  if (reaction) return { type: 'reaction', ...where, name, externalId: reaction.key?.id ?? '', emoji: reaction.text ?? '' }
  if (protocol?.type === Type.REVOKE) return { type: 'removal', ...where, externalId: protocol.key?.id ?? '' }
  if (protocol?.type === Type.MESSAGE_EDIT) {
    const edited = normalizeMessageContent(protocol.editedMessage) ?? {}
    return { type: 'edit', ...where, externalId: protocol.key?.id ?? '', body: bodyIn(edited)?.body ?? '' }
  }
  const messageBody = bodyIn(content) ?? (silent.some((kind) => content[kind]) ? null : unsupported)
  if (!messageBody) return null
  return { type: 'message', externalId: id, ...origin, name, group, vCard: null, ...messageBody, media: null, ...contextOf(content) }
}

/** Who chose what, in the place where it was asked. */
export const answerTo = (pollId: string, chosen: string[], { id, from, name, group, fromMe, at }: About): Heard => ({
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
  ...{ body: chosen.length === 0 ? '☐' : chosen.map((option) => `☑ ${option}`).join('\n'), quotedExternalId: pollId },
})

const caption =
  (kind: Kind) =>
  (of: { caption?: string | null }): MessageBody => ({ kind, body: of.caption ?? '', apart: true })
const named = (of: { name?: string | null; options?: { optionName?: string | null }[] | null }): MessageBody => ({
  kind: 'chat',
  body: [of.name ?? '', ...points((of.options ?? []).map(({ optionName }) => optionName))].join('\n'),
})
type Words = string | null | undefined
const chosen = (body: Words): MessageBody => ({ kind: 'chat', body: body ?? '' })
const points = (of: Words[]) => of.flatMap((one) => (one ? [`• ${one}`] : []))
const unsupported: MessageBody = { kind: 'unsupported', body: '' }
/** The words of what we do not show. */
const carried = (...words: Words[]): MessageBody => {
  const body = words.filter(Boolean).join('\n')
  return body === '' ? unsupported : chosen(body)
}
const template = (of: proto.Message.ITemplateMessage | null | undefined): MessageBody => {
  const { hydratedTitleText, hydratedContentText, hydratedFooterText } = of?.hydratedTemplate ?? of?.hydratedFourRowTemplate ?? {}
  if (of?.interactiveMessageTemplate) return interactive(of.interactiveMessageTemplate)
  return carried(hydratedTitleText, hydratedContentText, hydratedFooterText)
}
const interactive = ({ header, body, footer }: proto.Message.IInteractiveMessage): MessageBody =>
  carried(header?.title, body?.text, footer?.text)
const place = (of: proto.Message.ILocationMessage & proto.Message.ILiveLocationMessage): MessageBody => ({
  kind: 'locationMessage',
  body: placeOf({
    ...{ latitude: of.degreesLatitude ?? 0, longitude: of.degreesLongitude ?? 0 },
    ...{ name: of.name ?? of.caption ?? '', address: of.address ?? '' },
  }),
})

/** A card without a name is called as its sender's phone called it. */
function cardOf({ vcard, displayName }: proto.Message.IContactMessage): string {
  const [card] = cards(vcard ?? '')
  return card && card.name === '' && displayName ? writeCard({ ...card, name: displayName }) : (vcard ?? '')
}

/** What each kind of content says. */
const readers: { [K in keyof proto.IMessage]?: (of: NonNullable<proto.IMessage[K]>) => MessageBody } = {
  conversation: chosen,
  extendedTextMessage: ({ text }) => chosen(text),
  imageMessage: caption('image'),
  videoMessage: caption('video'),
  ptvMessage: caption('video'),
  audioMessage: () => ({ kind: 'audio', body: '', apart: true }),
  documentMessage: (of) => ({ ...caption('application')(of), fileName: of.fileName ?? '' }),
  stickerMessage: () => ({ kind: 'image', body: '', apart: true }),
  locationMessage: place,
  liveLocationMessage: place,
  contactMessage: (of) => ({ kind: 'contactMessage', body: '', vCard: cardOf(of) }),
  contactsArrayMessage: ({ contacts }) => ({ kind: 'contactMessage', body: '', vCard: (contacts ?? []).map(cardOf).join('\n') }),
  buttonsResponseMessage: ({ selectedDisplayText, selectedButtonId }) => chosen(selectedDisplayText ?? selectedButtonId),
  templateButtonReplyMessage: ({ selectedDisplayText, selectedId }) => chosen(selectedDisplayText ?? selectedId),
  listResponseMessage: ({ title, singleSelectReply }) => chosen(title ?? singleSelectReply?.selectedRowId),
  interactiveResponseMessage: ({ body, nativeFlowResponseMessage }) => chosen(body?.text ?? nativeFlowResponseMessage?.name),
  pollCreationMessage: named,
  pollCreationMessageV2: named,
  pollCreationMessageV3: named,
  pollCreationMessageV5: named,
  groupInviteMessage: ({ groupName, caption }) => carried(groupName, caption),
  productMessage: ({ product, body }) => carried(product?.title, body),
  orderMessage: ({ orderTitle, message }) => carried(orderTitle, message),
  eventMessage: ({ name, description }) => carried(name, description),
  listMessage: ({ title, description, sections, footerText }) => {
    const rows = (sections ?? []).flatMap((one) => one.rows ?? [])
    return carried(title, description, ...points(rows.map((row) => row.title)), footerText)
  },
  buttonsMessage: ({ text, contentText, buttons, footerText }) =>
    carried(text, contentText, ...points((buttons ?? []).map(({ buttonText }) => buttonText?.displayText)), footerText),
  templateMessage: template,
  highlyStructuredMessage: ({ hydratedHsm }) => template(hydratedHsm),
  interactiveMessage: interactive,
  invoiceMessage: ({ note }) => carried(note),
  sendPaymentMessage: ({ noteMessage }) => carried(noteMessage && bodyIn(noteMessage)?.body),
  requestPaymentMessage: ({ noteMessage }) => carried(noteMessage && bodyIn(noteMessage)?.body),
  scheduledCallCreationMessage: ({ title }) => carried(title),
  stickerPackMessage: ({ name, caption }) => carried(name, caption),
  newsletterAdminInviteMessage: ({ newsletterName, caption }) => carried(newsletterName, caption),
  newsletterFollowerInviteMessageV2: ({ newsletterName, caption }) => carried(newsletterName, caption),
}
/** What devices and phones tell each other, which nobody is shown; whatever is neither here nor above is of a kind that we do not know. */
const silent = [
  ...(['protocolMessage', 'deviceSentMessage', 'senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage'] as const),
  ...([
    'call',
    'chat',
    'callLogMesssage',
    'bcallMessage',
    'scheduledCallEditMessage',
    'stickerSyncRmrMessage',
    'placeholderMessage',
  ] as const),
  ...(['pollUpdateMessage', 'pollResultSnapshotMessage', 'encReactionMessage', 'encCommentMessage', 'encEventResponseMessage'] as const),
  ...(['keepInChatMessage', 'pinInChatMessage', 'albumMessage', 'messageHistoryBundle', 'messageHistoryNotice'] as const),
  ...(['statusNotificationMessage', 'secretEncryptedMessage', 'limitSharingMessage', 'botTaskMessage'] as const),
] satisfies (keyof proto.IMessage)[]
const kinds = Object.keys(readers) as (keyof typeof readers)[]
const kindIn = (content: proto.IMessage) => kinds.find((kind) => content[kind] !== null && content[kind] !== undefined)

function bodyIn(content: proto.IMessage): MessageBody | null {
  const kind = kindIn(content)
  return kind ? (readers[kind] as (of: unknown) => MessageBody)(content[kind]) : null
}

function contextIn(content: proto.IMessage): proto.IContextInfo | null {
  const kind = kindIn(content)
  const of = kind && content[kind]
  return typeof of === 'object' && of !== null && 'contextInfo' in of ? (of.contextInfo ?? null) : null
}
/** What it quotes, and whether it was said to somebody else before. */
function contextOf(content: proto.IMessage): { quotedExternalId: string | null; forwarded?: true } {
  const context = contextIn(content)
  return { quotedExternalId: context?.stanzaId ?? null, ...(context?.isForwarded && { forwarded: true }) }
}
/** Whom it calls by name; its words hold the digits of their addresses. */
export function mentionedIn(sealed: proto.IMessage): string[] {
  const content = normalizeMessageContent(sealed) ?? {}
  return contextIn(normalizeMessageContent(content.protocolMessage?.editedMessage) ?? content)?.mentionedJid ?? []
}

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

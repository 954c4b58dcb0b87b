import type { proto } from '@whiskeysockets/baileys'
import { placeOf } from '#domain/message/rules.ts'
import { orderText } from '#domain/order/rules.ts'
import type { About, Kind } from '#domain/ticket/events.ts'
import { cards, writeCard } from '#domain/vcard/rules.ts'
import { ofKind, textsIn } from '../inbound/unknown-kinds.ts'
import { hasItems, orderIn } from './orders.ts'
import { contentIn, kindsIn, type MessageKind } from './wrappers.ts'

/**
 * `apart`: the message has a file. `isPartial`: the provider returns the whole text on request. `about`: what the message refers to, or its
 * kind, if that is not visible otherwise.
 */
export type MessageBody = {
  kind: Kind
  body: string
  vCard?: string | null
  apart?: true
  isPartial?: true
  fileName?: string
  about?: About
}

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
/** The text of a message whose kind is not displayed. */
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

/** A contact card without a name gets the name that the sender's phone displayed. */
function cardOf({ vcard, displayName }: proto.Message.IContactMessage): string {
  const [card] = cards(vcard ?? '')
  return card && card.name === '' && displayName ? writeCard({ ...card, name: displayName }) : (vcard ?? '')
}

/** Reads the body of each kind of content. */
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
  buttonsResponseMessage: ({ selectedDisplayText, selectedButtonId }) => chosen(selectedDisplayText || selectedButtonId),
  templateButtonReplyMessage: ({ selectedDisplayText, selectedId }) => chosen(selectedDisplayText || selectedId),
  listResponseMessage: ({ title, singleSelectReply }) => chosen(title || singleSelectReply?.selectedRowId),
  interactiveResponseMessage: ({ body, nativeFlowResponseMessage }) =>
    chosen(body?.text || nativeFlowResponseMessage?.paramsJson || nativeFlowResponseMessage?.name),
  pollCreationMessage: named,
  pollCreationMessageV2: named,
  pollCreationMessageV3: named,
  pollCreationMessageV5: named,
  questionResponseMessage: ({ text }) => carried(text),
  statusQuestionAnswerMessage: ({ text }) => carried(text),
  statusQuotedMessage: ({ text }) => carried(text),
  groupInviteMessage: ({ groupName, caption }) => carried(groupName, caption),
  productMessage: ({ product, body }) => carried(product?.title, body),
  orderMessage: (of) => ({ ...carried(orderText(orderIn(of))), ...(hasItems(of) && { isPartial: true }) }),
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
  sendPaymentMessage: ({ noteMessage }) => carried(noteMessage && bodyIn(contentIn(noteMessage))?.body),
  requestPaymentMessage: ({ noteMessage }) => carried(noteMessage && bodyIn(contentIn(noteMessage))?.body),
  scheduledCallCreationMessage: ({ title }) => carried(title),
  stickerPackMessage: ({ name, caption }) => carried(name, caption),
  newsletterAdminInviteMessage: ({ newsletterName, caption }) => carried(newsletterName, caption),
  newsletterFollowerInviteMessageV2: ({ newsletterName, caption }) => carried(newsletterName, caption),
}
/** Kinds that devices exchange among themselves and that are not displayed. */
const silent = new Set<MessageKind>([
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
  ...(['pollUpdateMessage', 'pollResultSnapshotMessage', 'pollResultSnapshotMessageV3'] as const),
  ...(['keepInChatMessage', 'pinInChatMessage', 'albumMessage', 'messageHistoryBundle', 'messageHistoryNotice'] as const),
  ...(['statusNotificationMessage', 'limitSharingMessage', 'botTaskMessage'] as const),
])
const readerOf = (content: proto.IMessage) => kindsIn(content).find((kind) => kind in readers) as keyof typeof readers | undefined

/** Returns the body of a message, or null if its kind is not displayed or unknown. */
export function bodyIn(content: proto.IMessage): MessageBody | null {
  const kind = readerOf(content)
  return kind ? (readers[kind] as (of: unknown) => MessageBody)(content[kind]) : null
}
/** Returns the text and the kind of a message of an unknown kind, or null if the kind is not displayed. */
export function unknownBody(content: proto.IMessage, wrappers: MessageKind[]): MessageBody | null {
  const kinds = kindsIn(content)
  const { senderKeyDistributionMessage: key, fastRatchetKeySenderKeyDistributionMessage: otherKey } = content
  if (kinds.some((kind) => silent.has(kind)) || (kinds.length === 0 && (key || otherKey))) return null
  return { kind: 'unsupported', body: textsIn(content).join('\n'), about: ofKind(kinds[0] ?? wrappers.at(-1) ?? '') }
}

export function contextIn(content: proto.IMessage): proto.IContextInfo | null {
  const kind = readerOf(content)
  const of = kind && content[kind]
  return typeof of === 'object' && of !== null && 'contextInfo' in of ? (of.contextInfo ?? null) : null
}
/** Returns the people that a message mentions. Its text contains the digits of their addresses. */
export function mentionedIn(message: proto.IMessage): string[] {
  const content = contentIn(message)
  const edited = content.protocolMessage?.editedMessage
  return contextIn(edited ? contentIn(edited) : content)?.mentionedJid ?? []
}

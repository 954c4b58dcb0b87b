import { bareNumber } from '#domain/contact/rules.ts'
import { placeOf } from '#domain/message/rules.ts'
import { orderText } from '#domain/order/rules.ts'
import type { About } from '#domain/ticket/events.ts'
import type { Identity, InboundEvent } from '../channels/channel.ts'
import { ofKind, textsIn } from '../inbound/unknown-kinds.ts'
import { faultOf } from './faults.ts'
import { type Json, list, object, orNull, text } from './json.ts'
import { vCardOf } from './vcard.ts'

/** An inbound event without its connection, as it goes to the inbound journal. */
export type InboundEntry = { externalId: string; conversation: string; payload: InboundEvent }
type Message = Extract<InboundEvent, { type: 'message' }>
type MessageBody = Pick<Message, 'kind' | 'body' | 'vCard'> & { file?: CloudFile; about?: About }
/** A file stored at Meta. */
export type CloudFile = { id: string; sha256: string; mime: string; name: string }

/** Parses one change of a WhatsApp Business account. */
export function parseCloudChange(value: Json, now: string): InboundEntry[] {
  const names = new Map(
    list(value.contacts).flatMap((one) => {
      const name = text(object(one.profile).name)
      return [text(one.wa_id), text(one.user_id)].filter((id) => id !== '').map((id) => [id, name] as const)
    }),
  )
  return [
    ...list(value.messages).flatMap((one) => parseMessage(one, names, now, false)),
    ...list(value.message_echoes).flatMap((one) => parseMessage(one, names, now, true)),
    ...list(value.statuses).flatMap(parseStatus),
  ]
}

/** A person known only by a user name has no phone number here. */
const identities = (phone: string, user: string): Identity[] => [
  ...(phone === '' ? [] : [{ kind: 'phone' as const, id: bareNumber(phone) }]),
  ...(user === '' ? [] : [{ kind: 'scoped' as const, id: user }]),
]
const momentOf = (seconds: unknown): string | undefined => {
  const at = Number(text(seconds))
  return at > 0 && at < 1e11 ? new Date(at * 1000).toISOString() : undefined
}

/**
 * Parses a message of a customer, or of the business from its own phone app (`fromMe`), where the recipient
 * identifies the conversation.
 */
function parseMessage(one: Json, names: Map<string, string>, now: string, fromMe: boolean): InboundEntry[] {
  const from = fromMe ? identities(text(one.to), text(one.to_user_id)) : identities(text(one.from), text(one.from_user_id))
  const externalId = text(one.id)
  if (from.length === 0 || externalId === '') return []
  const at = momentOf(one.timestamp) ?? now
  const conversation = from[0]!.id
  const origin = { from, group: null, at, ...(fromMe && { fromMe: true as const }) }
  const type = text(one.type)
  if (type === 'reaction') {
    const { message_id, emoji } = object(one.reaction)
    return [{ externalId, conversation, payload: { type: 'reaction', externalId: text(message_id), emoji: text(emoji), ...origin } }]
  }
  if (type === 'revoke')
    return [{ externalId, conversation, payload: { type: 'removal', externalId: text(object(one.revoke).original_message_id), ...origin } }]
  if (type === 'edit') {
    const { original_message_id, message: changed } = object(one.edit)
    const { body } = bodiesIn(object(changed))[0] ?? { body: '' }
    if (body.trim() === '') return []
    return [{ externalId, conversation, payload: { type: 'edit', externalId: text(original_message_id), body, ...origin } }]
  }
  if (type === 'system') {
    const { wa_id, new_wa_id, user_id } = object(one.system)
    const to = identities(text(wa_id) || text(new_wa_id), text(user_id))
    return to.length === 0 ? [] : [{ externalId, conversation, payload: { type: 'numberChanged', from, to, at } }]
  }
  const name = fromMe ? '' : (from.map(({ id }) => names.get(id) ?? '').find((known) => known !== '') ?? '')
  const quotedExternalId = orNull(text(object(one.context).id))
  const about = parseReferral(object(one.referral))
  return bodiesIn(one).map((messageBody, i) => ({
    externalId: i === 0 ? externalId : `${externalId}:${i}`,
    conversation,
    payload: {
      type: 'message',
      externalId: i === 0 ? externalId : `${externalId}:${i}`,
      ...{ ...origin, name, media: null, ...messageBody, ...separator(messageBody), quotedExternalId },
      ...(i === 0 && about && { about }),
    },
  }))
}

export const webUrl = (value: unknown): string | null => {
  const url = text(value)
  return url.length <= 2000 && /^https:\/\//.test(url) && URL.canParse(url) ? url : null
}
/** An advertisement or post that led the customer here. */
function parseReferral({ source_type, source_id, source_url, headline, body }: Json): About | undefined {
  if (text(source_id) === '' && text(source_url) === '') return undefined
  const of = text(source_type) === 'ad' ? 'ad' : 'link'
  return { of, title: text(headline).slice(0, 300), text: text(body).slice(0, 1000), url: webUrl(source_url) }
}

const separator = ({ file }: MessageBody) => (file ? { apart: true as const, fileName: file.name } : {})
const plain = (body: string): MessageBody[] => (body.trim() === '' ? [] : [{ kind: 'chat', body, vCard: null }])
const files = ['image', 'video', 'audio', 'document', 'sticker']

/**
 * Parses a message by its type. One message may contain several contact cards. An unknown type is named, with
 * any text that it contains.
 */
function bodiesIn(one: Json): MessageBody[] {
  const known = knownBodies(one)
  if (known.length > 0 || text(one.type) === 'system') return known
  const { type: inner } = object(one[text(one.type)])
  const named = [unknownKind(one), text(inner)].filter((name) => name !== '').join(' ')
  return [{ kind: 'unsupported', body: textsIn(object(one[text(one.type)])).join('\n'), vCard: null, about: ofKind(named) }]
}
function knownBodies(one: Json): MessageBody[] {
  const type = text(one.type)
  const content = object(one[type])
  if (files.includes(type)) {
    const { id, sha256, mime_type: mime, filename, caption } = content
    const file = { id: text(id), sha256: text(sha256), mime: text(mime), name: text(filename) }
    return [{ kind: kindOf(type), body: text(caption), vCard: null, file }]
  }
  if (type === 'text') return plain(text(content.body))
  if (type === 'button') return plain(text(content.text) || text(content.payload))
  if (type === 'location') return [{ kind: 'locationMessage', body: place(content), vCard: null }]
  if (type === 'contacts') return list(one.contacts).map((card) => ({ kind: 'contactMessage', body: '', vCard: vCardOf(card) }))
  if (type === 'interactive') return plain(answerText(content))
  if (type === 'order') return plain(orderIn(content))
  return []
}
/** For a message that Meta does not show, another field has its type. */
const unknownKind = (one: Json): string => text(object(one.unsupported).type) || text(one.type)
function orderIn({ text: note, product_items: items }: Json): string {
  const ordered = list(items).map(({ product_retailer_id, quantity, item_price, currency }) => ({
    ...{ name: text(product_retailer_id), quantity: Number(text(quantity)) || 0, currency: text(currency) },
    price: text(item_price) === '' || Number.isNaN(Number(text(item_price))) ? null : Number(text(item_price)),
  }))
  return orderText({ title: '', items: ordered, total: null, currency: '', note: text(note) })
}
const kindOf = (type: string) =>
  type === 'document' ? 'application' : type === 'sticker' ? 'image' : (type as 'image' | 'video' | 'audio')

/** The text of the pressed option; for a form, its fields. */
function answerText(content: Json): string {
  const { title, id } = object(content[text(content.type)])
  if (text(title) !== '') return text(title)
  const form = object(content.nfm_reply)
  return text(form.response_json) || text(form.body) || text(id)
}

function place({ latitude, longitude, name, address, url }: Json): string {
  const at = { latitude: Number(text(latitude)) || 0, longitude: Number(text(longitude)) || 0 }
  return placeOf({ ...at, name: text(name), address: text(address), ...(/^https:\/\//.test(text(url)) && { url: text(url) }) })
}

const marks = { delivered: 'delivered', read: 'read', played: 'played' } as const
/**
 * Parses a status. It uses our own id where the status returns it, so that a message whose answer was lost is
 * recognised. For a message sent in parts, the first part stands for all; of the other parts only a failure
 * counts.
 */
function parseStatus(one: Json): InboundEntry[] {
  const provider = text(one.id)
  const mark = text(one.status)
  const conversation = text(one.recipient_id) || text(one.recipient_user_id)
  if (provider === '' || conversation === '') return []
  const [own = '', part] = text(one.biz_opaque_callback_data).split(/:(?=\d+$)/)
  if (part !== undefined && mark !== 'failed') return []
  const externalIds = part !== undefined ? [own] : own === '' ? [provider] : [own, provider]
  const at = momentOf(one.timestamp)
  const to = identities(text(one.recipient_id), text(one.recipient_user_id))
  const about = { externalId: `${provider}:${mark}`, conversation }
  if (mark === 'failed') {
    const [error] = list(one.errors)
    const why =
      part === undefined ? { code: faultOf(Number(text(error?.code)) || 0).code } : { code: 'ERR_SENT_IN_PART', partly: true as const }
    return [{ ...about, payload: { type: 'failed', externalIds, ...why, ...(at && { at }) } }]
  }
  if (mark === 'sent' && own !== '')
    return [{ ...about, payload: { type: 'accepted', externalIds: [own], providerId: provider, ...(at && { at }) } }]
  if (!Object.hasOwn(marks, mark)) return []
  return [{ ...about, payload: { type: 'receipt', externalIds, mark: marks[mark as keyof typeof marks], to, ...(at && { at }) } }]
}

import { createHash } from 'node:crypto'
import { placeOf } from '#domain/message/rules.ts'
import type { About } from '#domain/ticket/events.ts'
import type { Identity, InboundEvent } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { ofKind, textsIn } from '../inbound/unknown-kinds.ts'
import type { Account } from './accounts.ts'
import { findEchoedSend, isPartEcho } from './echoes.ts'
import { answeredBy } from './interactive.ts'
import { type Json, list, object, orNull, text } from './json.ts'
import { type InboundEntry, webUrl } from './parse-cloud-change.ts'
import { products } from './products.ts'

type Message = Extract<InboundEvent, { type: 'message' }>
/** A file at a URL from the webhook. */
export type MessengerFile = { url: string; kind: string }
type Deps = Pick<AppContext, 'db' | 'caches' | 'clock' | 'waitForProjection' | 'readHeadPosition'>
type Origin = { from: Identity[]; group: null; at: string }

/** Parses one event of a page or Instagram account. */
export async function parseMessengerEvent(event: Json, account: Account, deps: Deps): Promise<InboundEntry[]> {
  const message = object(event.message)
  const echo = message.is_echo === true
  const person = text(object(echo ? event.recipient : event.sender).id)
  if (person === '' || person === account.accountId) return []
  const timestamp = Number(text(event.timestamp))
  const at = new Date(timestamp > 0 && timestamp < 1e14 ? timestamp : deps.clock.now()).toISOString()
  const origin: Origin = { from: [{ kind: 'scoped', id: person }], group: null, at }
  const as = (externalId: string, payload: InboundEvent): InboundEntry[] =>
    externalId === '' ? [] : [{ externalId, conversation: person, payload }]

  if (event.message) {
    const mid = text(message.mid)
    if (message.is_deleted === true) return as(`${mid}:removed`, { type: 'removal', externalId: mid, ...origin })
    const own = echo ? await findEchoedSend(deps, account, origin, message) : null
    const unnamed = echo && own === null && !products[account.product].echoesOurId
    if (unnamed && (await isPartEcho(deps, account, origin.from, mid, text(message.text)))) return []
    if (own !== null) return as(`${mid}:accepted`, { type: 'accepted', externalIds: [own], providerId: mid, at })
    return parseMessages({ ...message, referral: message.referral ?? event.referral }, origin, echo).flatMap((payload) =>
      as(payload.externalId, payload),
    )
  }
  if (event.message_edit) {
    const { mid, text: body, num_edit } = object(event.message_edit)
    if (text(body).trim() === '') return []
    return as(`${text(mid)}:edit:${text(num_edit)}`, { type: 'edit', externalId: text(mid), body: text(body), ...origin })
  }
  if (event.reaction) {
    const { mid, action, emoji } = object(event.reaction)
    const put = action === 'unreact' ? '' : text(emoji)
    return as(`${text(mid)}:reaction:${text(event.timestamp)}:${digest(put)}`, {
      type: 'reaction',
      externalId: text(mid),
      emoji: put,
      ...origin,
    })
  }
  const moment = `${person}:${text(event.timestamp)}`
  const asMessage = (externalId: string, words: string, about?: About) =>
    words.trim() === ''
      ? []
      : as(externalId, { ...blank(externalId), body: words, ...(about && { about }), ...origin, quotedExternalId: null })
  if (event.postback) {
    const { mid, title, payload, referral } = object(event.postback)
    return asMessage(text(mid) || `postback:${moment}`, text(title) || text(payload), parseMessengerReferral(referral))
  }
  if (event.referral) {
    const about = parseMessengerReferral(event.referral) // from a known customer; their next message does not repeat it
    return asMessage(`referral:${moment}`, about?.title || about?.text || '', about)
  }
  if (event.optin) {
    const { title, payload, ref } = object(event.optin)
    const about: About = { of: 'optin', title: short(title), text: '', url: null }
    return asMessage(`optin:${moment}`, text(title) || text(payload) || text(ref), about)
  }
  if (event.delivery) {
    const mids = (Array.isArray(object(event.delivery).mids) ? (object(event.delivery).mids as unknown[]) : []).map(text)
    return mids.flatMap((mid) => as(`${mid}:delivered`, { type: 'receipt', externalIds: [mid], mark: 'delivered', to: origin.from, at }))
  }
  if (event.read) {
    const { mid, watermark } = object(event.read)
    const until = Number(text(watermark))
    const mark = { type: 'receipt' as const, mark: 'read' as const, to: origin.from, at }
    // Instagram names the message, too
    if (text(mid) !== '') return as(`read:${person}:${text(mid)}`, { ...mark, externalIds: [text(mid)], andBefore: true })
    if (!(until > 0 && until < 1e14)) return [] // Messenger names a time instead of messages
    const upTo = { from: origin.from, at: new Date(until + 1000).toISOString() }
    return as(`read:${person}:${until}`, { ...mark, externalIds: [], upTo })
  }
  return []
}

const digest = (words: string) => createHash('sha256').update(words).digest('base64url').slice(0, 8)
const blank = (externalId: string) =>
  ({ type: 'message', externalId, name: '', group: null, kind: 'chat', body: '', media: null, vCard: null }) as const

/** One message, and another for each further file. */
function parseMessages(message: Json, origin: Origin, echo: boolean): Message[] {
  const mid = text(message.mid)
  const body = text(message.text)
  const quotedExternalId = orNull(text(object(message.reply_to).mid) || answeredBy(text(object(message.quick_reply).payload)))
  const common = { ...origin, quotedExternalId, ...(echo && { fromMe: true as const }) }
  const story = echo ? {} : object(object(message.reply_to).story)
  const parts = [...storyFile(story), ...list(message.attachments).flatMap((one) => attached(one))]
  const mentioned = list(message.attachments).some(({ type }) => type === 'story_mention')
  const by = mentioned ? aStory('mention') : text(story.id) || text(story.url) ? aStory('story') : parseMessengerReferral(message.referral)
  const about = by && !echo ? { about: by } : {}
  if (parts.length === 0 && body.trim() === '') {
    if (message.is_unsupported !== true && !Array.isArray(message.attachments)) return []
    return [{ ...blank(mid), kind: 'unsupported', about: ofKind('unsupported'), ...common }]
  }
  const texts = parts.length === 0 || (body !== '' && parts[0]!.body !== '') ? [{ kind: 'chat' as const, body }] : []
  const [first, ...rest]: Part[] = [...texts, ...parts]
  const all = texts.length === 0 ? [{ ...first!, body: body || first!.body }, ...rest] : [first!, ...rest]
  return all.map((part, i) => {
    const externalId = i === 0 ? mid : `${mid}:${i}`
    return {
      ...blank(externalId),
      ...part,
      ...(part.file && { apart: true as const }),
      externalId,
      ...common,
      ...(i === 0 ? about : { quotedExternalId: null }),
    }
  })
}

const aStory = (of: 'story' | 'mention'): About => ({ of, title: '', text: '', url: null })
/**
 * The story that was answered is shown with the answer. Its URL is valid for a day; without it only the
 * answer is shown.
 */
const storyFile = ({ url }: Json): Part[] => (text(url) === '' ? [] : [{ kind: 'chat', body: '', file: { url: text(url), kind: 'image' } }])

const short = (value: unknown): string => text(value).trim().slice(0, 300)
/** An advertisement, product or link that led the customer here. */
export function parseMessengerReferral(referral: unknown): About | undefined {
  const { ref, source, ad_id, ads_context_data, product, referer_uri } = object(referral)
  const { ad_title, photo_url, video_url } = object(ads_context_data)
  const of = text(ad_id) !== '' || text(source) === 'ADS' ? 'ad' : 'link'
  const title = short(ad_title) || short(object(product).id)
  const about: About = { of, title, text: short(ref), url: webUrl(referer_uri) ?? webUrl(video_url) ?? webUrl(photo_url) }
  return title !== '' || about.text !== '' || about.url !== null || text(ad_id) !== '' ? about : undefined
}

type Part = Pick<Message, 'kind' | 'body' | 'about'> & { file?: MessengerFile }
const kinds: Record<string, Message['kind']> = {
  ...{ image: 'image', sticker: 'image', video: 'video', audio: 'audio', file: 'application' },
  ...{ ig_reel: 'video', reel: 'video', story_mention: 'image', ephemeral: 'image' },
}
function attached(one: Json): Part[] {
  const { type, payload } = one
  const { url, title, coordinates } = object(payload)
  const name = text(type)
  if (name === 'location') {
    const { lat, long } = object(coordinates)
    const at = { latitude: Number(text(lat)) || 0, longitude: Number(text(long)) || 0 }
    return [{ kind: 'locationMessage', body: placeOf({ ...at, name: text(title) }) }]
  }
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind && text(url) !== '') return [{ kind, body: '', file: { url: text(url), kind } }]
  const words = textsIn(one).map(text).join('\n') // a story, post or template: its text and links
  return words === '' ? [{ kind: 'unsupported', body: '', about: ofKind(name) }] : [{ kind: 'chat', body: words }]
}

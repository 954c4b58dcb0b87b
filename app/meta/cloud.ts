import { placeIn } from '#domain/message/rules.ts'
import type { Media } from '#domain/ticket/events.ts'
import { type Card, cards } from '#domain/vcard/rules.ts'
import { type Channel, type Outgoing, PermanentChannelError, type Recipient } from '../channels/channel.ts'
import type { Account } from './accounts.ts'
import { asAccount, type Deps, graphIdOf, retryUnknownOutcome } from './calling.ts'
import { cloudFile, fileOf } from './files.ts'
import type { Until } from './graph.ts'
import { cloudInteractive } from './interactive.ts'
import { providerIdOf } from './message-ids.ts'
import { sendInParts, splitText } from './message-parts.ts'

/** File types that WhatsApp shows inline; any other file is sent as a document. */
const mediaTypes = [
  ['image', /^image\/(jpeg|png)$/],
  ['video', /^video\/(mp4|3gpp)$/],
  ['audio', /^audio\/(aac|mp4|mpeg|amr|ogg)$/],
] as const

const typeOf = ({ mime }: Media) => mediaTypes.find(([, one]) => one.test(mime))?.[0] ?? 'document'

/** Maximum characters of a caption; a longer text follows as its own message. */
const mostCaption = 1024

/** Addresses by phone number if known, otherwise by the business-scoped user id. */
function recipient({ ids, number }: Recipient): object {
  const phone = ids.find(({ kind, id }) => kind === 'phone' && /^\d+$/.test(id))
  return phone ? { to: phone.id } : { recipient: ids.find(({ kind }) => kind === 'scoped')?.id ?? number }
}

/** The key by which message ids of this person are erased. */
const personOf = ({ ids, number }: Recipient) => ids.find(({ kind }) => kind === 'phone')?.id ?? ids[0]?.id ?? number

/** WhatsApp shows the typing indicator slightly longer than this. It is renewed before. */
const typingMs = 20_000
const mostTyping = 10_000
/** The WhatsApp Cloud API: a business number without a phone, paid per message. */
export function cloudChannel(deps: Deps): Channel {
  const post = ({ accountId, token, appSecret }: Account, json: object, until: Until = {}) =>
    deps.graph.call('POST', `${accountId}/messages`, { token, appSecret }, { json: { messaging_product: 'whatsapp', ...json }, ...until })
  /** When each contact's typing indicator ends. A message ends it earlier. */
  const typing = new Map<number, number>()
  const has = (to: Recipient) => ({ recipient_type: 'individual', ...recipient(to) })

  async function upload(account: Account, companyId: number, file: Media, signal: AbortSignal): Promise<string> {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', file.mime)
    form.set('file', await fileOf(deps, companyId, file))
    const { accountId, token, appSecret } = account
    return String((await retryUnknownOutcome(deps.graph.call('POST', `${accountId}/media`, { token, appSecret }, { form, signal }))).id)
  }

  /** Uploads a file and returns it as its WhatsApp message type. */
  async function fileIn(account: Account, companyId: number, media: Media, signal: AbortSignal, caption = ''): Promise<object> {
    const type = typeOf(media)
    const id = await upload(account, companyId, media, signal)
    return { type, [type]: { id, ...(caption !== '' && { caption }), ...(type === 'document' && { filename: media.name }) } }
  }

  async function partsOf(account: Account, companyId: number, content: Outgoing, signal: AbortSignal): Promise<object[]> {
    const { body, media, vCard, kind, template, interactive } = content
    const textParts = (words: string): object[] =>
      splitText(words, account.product).map((text) => ({ type: 'text', text: { body: text, preview_url: /https?:\/\//.test(text) } }))
    if (template) {
      const { name, language: code } = template
      const file = media && (await fileIn(account, companyId, media, signal))
      const components = [...(file ? [{ type: 'header', parameters: [file] }] : []), ...template.components]
      return [{ type: 'template', template: { name, language: { code }, ...(components.length > 0 && { components }) } }]
    }
    const image = interactive?.kind === 'url' && media ? await upload(account, companyId, media, signal) : null
    const touched = interactive ? cloudInteractive(interactive, image) : null
    if (touched) return [{ type: 'interactive', interactive: touched }]
    if (media) {
      const words = body === media.name ? '' : body
      const fits = typeOf(media) !== 'audio' && words.length <= mostCaption // an audio message shows no caption
      return [await fileIn(account, companyId, media, signal, fits ? words : ''), ...(fits ? [] : textParts(words))]
    }
    if (vCard) return [{ type: 'contacts', contacts: cards(vCard).map(contactOf) }]
    const place = kind === 'locationMessage' ? placeIn(body) : null
    return place ? [{ type: 'location', location: place }] : textParts(body)
  }

  return {
    supportsIdempotentSend: false,
    webhooks: true,
    fetch: cloudFile(deps),

    send: (to, externalId, content, signal) =>
      asAccount(deps, to.connectionId, async (account) => {
        const { quotedExternalId } = content
        const quoted = quotedExternalId === null ? '' : await graphIdOf(deps, to.connectionId, quotedExternalId)
        typing.delete(to.contactId)
        const parts = await partsOf(account, to.companyId, content, signal)
        return sendInParts(parts, { db: deps.db, connectionId: to.connectionId, externalId }, signal, async (part, i) => {
          const json = {
            ...has(to),
            ...part,
            ...(i === 0 && quoted !== '' && { context: { message_id: quoted } }),
            // receipts return this id, even if the answer of this call is lost
            biz_opaque_callback_data: i === 0 ? externalId : `${externalId}:${i}`,
          }
          const answer = await post(account, json, { signal, goesOn: i > 0 })
          const id = answer.messages?.[0]?.id
          return id ? deps.messageIds.hide(deps.db, account, id, personOf(to)) : null
        })
      }),

    react: (to, externalId, emoji) =>
      asAccount(deps, to.connectionId, async (account) => {
        const message_id = await graphIdOf(deps, to.connectionId, externalId)
        if (message_id !== '') await post(account, { ...has(to), type: 'reaction', reaction: { message_id, emoji } })
      }),
    /** The Cloud API can neither delete nor edit a message. */
    remove: async () => {
      throw new PermanentChannelError('ERR_DELETE_WAPP_MSG')
    },
    edit: async () => {
      throw new PermanentChannelError('ERR_SENDING_WAPP_MSG')
    },
    async typing(to, lastInbound) {
      const now = performance.now()
      if ((typing.get(to.contactId) ?? 0) > now) return
      if (typing.size > mostTyping) typing.clear()
      typing.set(to.contactId, now + typingMs)
      const last = await lastInbound() // the indicator is attached to the last message and marks it as read
      if (last === null) return
      const message_id = await providerIdOf(deps.db, to.connectionId, last)
      if (message_id === '') return
      const json = { status: 'read', message_id, typing_indicator: { type: 'text' } }
      await asAccount(deps, to.connectionId, (account) => post(account, json))
    },
    read: (to, externalIds) =>
      asAccount(deps, to.connectionId, async (account) => {
        const last = externalIds.at(-1) // marks all earlier messages as read too
        const message_id = last ? await providerIdOf(deps.db, to.connectionId, last) : ''
        if (message_id !== '') await post(account, { status: 'read', message_id })
      }),
  }
}

const contactOf = ({ name, phones, emails, organization, urls }: Card): object => ({
  name: { formatted_name: name, first_name: name },
  phones: phones.map(({ number, whatsAppId }) => ({ phone: number, type: 'CELL', ...(whatsAppId && { wa_id: whatsAppId }) })),
  ...(emails.length > 0 && { emails: emails.map((email) => ({ email, type: 'WORK' })) }),
  ...(urls.length > 0 && { urls: urls.map((url) => ({ url, type: 'WORK' })) }),
  ...(organization && { org: { company: organization } }),
})

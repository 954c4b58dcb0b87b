import type { Outgoing } from '#app/channels/channel.ts'
import { placeIn } from '#domain/message/rules.ts'
import type { Media } from '#domain/ticket/events.ts'
import { type Card, cards } from '#domain/vcard/rules.ts'
import type { Account } from './accounts.ts'
import { type Deps, retryUnknownOutcome } from './calling.ts'
import { fileOf } from './files.ts'
import { cloudInteractive } from './interactive.ts'
import { splitText } from './message-parts.ts'

/** File types that WhatsApp shows inline; any other file is sent as a document. */
const mediaTypes = [
  ['image', /^image\/(jpeg|png)$/],
  ['video', /^video\/(mp4|3gpp)$/],
  ['audio', /^audio\/(aac|mp4|mpeg|amr|ogg)$/],
] as const

const typeOf = ({ mime }: Media) => mediaTypes.find(([, one]) => one.test(mime))?.[0] ?? 'document'

/** Maximum characters of a caption; a longer text follows as its own message. */
const mostCaption = 1024

async function upload(deps: Deps, account: Account, companyId: number, file: Media, signal: AbortSignal): Promise<string> {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', file.mime)
  form.set('file', await fileOf(deps, companyId, file))
  const { accountId, token, appSecret } = account
  return String((await retryUnknownOutcome(deps.graph.call('POST', `${accountId}/media`, { token, appSecret }, { form, signal }))).id)
}

/** Uploads a file and returns it as its WhatsApp message type. */
async function fileIn(deps: Deps, account: Account, companyId: number, media: Media, signal: AbortSignal, caption = ''): Promise<object> {
  const type = typeOf(media)
  const id = await upload(deps, account, companyId, media, signal)
  return { type, [type]: { id, ...(caption !== '' && { caption }), ...(type === 'document' && { filename: media.name }) } }
}

/** The parts of a message in the order in which they are sent. Files are uploaded first. */
export async function partsOf(deps: Deps, account: Account, companyId: number, content: Outgoing, signal: AbortSignal): Promise<object[]> {
  const { body, media, vCard, kind, template, interactive } = content
  const textParts = (words: string): object[] =>
    splitText(words, account.product).map((text) => ({ type: 'text', text: { body: text, preview_url: /https?:\/\//.test(text) } }))
  if (template) {
    const { name, language: code } = template
    const file = media && (await fileIn(deps, account, companyId, media, signal))
    const components = [...(file ? [{ type: 'header', parameters: [file] }] : []), ...template.components]
    return [{ type: 'template', template: { name, language: { code }, ...(components.length > 0 && { components }) } }]
  }
  const image = interactive?.kind === 'url' && media ? await upload(deps, account, companyId, media, signal) : null
  const touched = interactive ? cloudInteractive(interactive, image) : null
  if (touched) return [{ type: 'interactive', interactive: touched }]
  if (media) {
    const words = body === media.name ? '' : body
    const fits = typeOf(media) !== 'audio' && words.length <= mostCaption // an audio message shows no caption
    return [await fileIn(deps, account, companyId, media, signal, fits ? words : ''), ...(fits ? [] : textParts(words))]
  }
  if (vCard) return [{ type: 'contacts', contacts: cards(vCard).map(contactOf) }]
  const place = kind === 'locationMessage' ? placeIn(body) : null
  return place ? [{ type: 'location', location: place }] : textParts(body)
}

const contactOf = ({ name, phones, emails, organization, urls }: Card): object => ({
  name: { formatted_name: name, first_name: name },
  phones: phones.map(({ number, whatsAppId }) => ({ phone: number, type: 'CELL', ...(whatsAppId && { wa_id: whatsAppId }) })),
  ...(emails.length > 0 && { emails: emails.map((email) => ({ email, type: 'WORK' })) }),
  ...(urls.length > 0 && { urls: urls.map((url) => ({ url, type: 'WORK' })) }),
  ...(organization && { org: { company: organization } }),
})

import { channelOfProduct, channels } from '#domain/channel/channels.ts'
import { aboutIt, asButtons, asChoices, fitsTemplate, type Interactive, most } from '#domain/interactive/rules.ts'
import type { Account } from './accounts.ts'

/**
 * Builds a Cloud API interactive message; null: unsupported, so it is sent as text. Buttons that copy a code
 * or dial a number exist only in templates: a free message can only call the business inside WhatsApp.
 * `image`: the media id of the header.
 */
export function cloudInteractive(of: Interactive, image: string | null): object | null {
  const { title, description } = of
  const about = image
    ? { header: { type: 'image', image: { id: image } }, body: { text: aboutIt(of) } }
    : description === ''
      ? { body: { text: title } }
      : { header: { type: 'text', text: title }, body: { text: description } }
  if (of.kind === 'url')
    return { type: 'cta_url', ...about, action: { name: 'cta_url', parameters: { display_text: of.buttonText, url: of.url } } }
  if (of.kind !== 'list') return null
  const few = asButtons(of)
  if (few)
    return {
      ...{ type: 'button', ...about },
      action: { buttons: few.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
    }
  const sections = of.sections.map(({ title, rows }) => ({
    ...(title !== '' && { title }),
    rows: rows.map(({ id, title, description }) => ({ id, title, ...(description !== '' && { description }) })),
  }))
  return { type: 'list', ...about, action: { button: of.buttonText.slice(0, most.buttonText), sections } }
}

/** Quick replies of a page's message. Their payload names the message that they answer. */
export function quickReplies(of: Interactive, externalId: string): object {
  const all = asChoices(of)
  if (!all) return {}
  return { quick_replies: all.map(({ id, title }) => ({ content_type: 'text', title, payload: `${quickAnswer}${externalId}:${id}` })) }
}
const quickAnswer = 'option:'
/** Returns the external id of the message that a quick reply answers; empty: none. */
export const answeredBy = (payload: string): string =>
  payload.startsWith(quickAnswer) ? payload.slice(quickAnswer.length, payload.lastIndexOf(':')) : ''

/** Builds a button template, if the product supports this kind; null: it is sent as text. */
export function buttonTemplate(of: Interactive, product: Account['product']): object | null {
  if (!fitsTemplate(of) || !('buttonText' in of)) return null
  const text = aboutIt(of)
  const title = of.buttonText.slice(0, most.buttonText)
  const button =
    of.kind === 'url'
      ? { type: 'web_url', url: of.url, title }
      : of.kind === 'call' && channels[channelOfProduct(product)].interactive.kinds.includes('call')
        ? { type: 'phone_number', payload: of.phone, title }
        : null
  return button && { attachment: { type: 'template', payload: { template_type: 'button', text, buttons: [button] } } }
}

import { aboutIt, asButtons, asChoices, fitsTemplate, type Interactive, most } from '#domain/interactive/rules.ts'
import type { Account } from './accounts.ts'

/**
 * As WhatsApp's Cloud API shows it; null: it has none of this kind, and takes it in words. Buttons that copy a code or dial any number stand
 * in templates alone: the only call button of a free message calls the business itself, inside WhatsApp. `image`: the id of what stands
 * above it.
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

/** What a page's message has beside its words: options to touch, whose answer says which message it is to. */
export function quickReplies(of: Interactive, externalId: string): object {
  const all = asChoices(of)
  if (!all) return {}
  return { quick_replies: all.map(({ id, title }) => ({ content_type: 'text', title, payload: `${quickAnswer}${externalId}:${id}` })) }
}
const quickAnswer = 'option:'
/** Which message of ours was answered by a touch; empty: none. */
export const answeredBy = (payload: string): string =>
  payload.startsWith(quickAnswer) ? payload.slice(quickAnswer.length, payload.lastIndexOf(':')) : ''

/** A button under the words, where the product has one of this kind; null: it takes them alone. */
export function buttonTemplate(of: Interactive, product: Account['product']): object | null {
  if (!fitsTemplate(of) || !('buttonText' in of)) return null
  const text = aboutIt(of)
  const title = of.buttonText.slice(0, most.buttonText)
  const button =
    of.kind === 'url'
      ? { type: 'web_url', url: of.url, title }
      : of.kind === 'call' && product === 'page'
        ? { type: 'phone_number', payload: of.phone, title }
        : null
  return button && { attachment: { type: 'template', payload: { template_type: 'button', text, buttons: [button] } } }
}

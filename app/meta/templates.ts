import type { Template } from '#domain/template/contract.ts'
import { holesIn } from '#domain/template/rules.ts'
import type { TemplateSent } from '#domain/ticket/events.ts'
import { asAccount, type Deps } from './calling.ts'
import { type Json, list, object, text } from './json.ts'

const statuses: Record<string, Template['status']> = {
  ...{ APPROVED: 'approved', PENDING: 'pending', IN_APPEAL: 'pending', REJECTED: 'rejected', PAUSED: 'paused' },
  ...{ DISABLED: 'disabled', LIMIT_EXCEEDED: 'disabled', PENDING_DELETION: 'disabled', DELETED: 'disabled', ARCHIVED: 'disabled' },
}
const categories: Record<string, Template['category']> = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' }
const kinds: Record<string, Template['buttons'][number]['kind']> = {
  ...{ QUICK_REPLY: 'reply', URL: 'url', PHONE_NUMBER: 'phone', COPY_CODE: 'copy', OTP: 'otp' },
}
const formats: Record<string, Template['media']> = { TEXT: 'none', IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' }
const mostPages = 50

/** All templates of the connection's business account. */
export const accountTemplates = (deps: Deps, connectionId: number): Promise<Template[]> =>
  asAccount(deps, connectionId, async ({ businessId, token, appSecret }) => {
    const found: Template[] = []
    for (let after = '', page = 0; page < mostPages; page++) {
      const query = { fields: 'name,language,status,category,components', limit: '100', ...(after && { after }) }
      const { data, paging } = await deps.graph.call('GET', `${businessId}/message_templates`, { token, appSecret }, { query })
      found.push(...list(data).map(templateOf))
      after = object(paging).next ? text(object(object(paging).cursors).after) : ''
      if (after === '') break
    }
    return found
  })

/** Parses a template from Graph's list. */
export function templateOf(one: Json): Template {
  const components = list(one.components)
  const of = (type: string) => components.find((component) => text(component.type).toUpperCase() === type) ?? {}
  const [header, body] = [of('HEADER'), of('BODY')]
  const buttons = list(of('BUTTONS').buttons)
  const examples = (component: Json): ((name: string, i: number) => string) => {
    const given = object(component.example)
    const named = [...list(given.body_text_named_params), ...list(given.header_text_named_params)]
    const [first] = [given.header_text ?? given.body_text].flat() as unknown[]
    const plain = Array.isArray(first) ? first : Array.isArray(given.header_text) ? given.header_text : []
    return (name, i) => text(named.find(({ param_name }) => param_name === name)?.example ?? plain[i])
  }
  const fields = (component: Json, at: 'header' | 'body') =>
    holesIn(text(component.text)).map((name, i) => ({ at, button: 0, name, example: examples(component)(name, i) }))
  return {
    name: text(one.name),
    language: text(one.language),
    status: statuses[text(one.status)] ?? 'unknown',
    category: categories[text(one.category)] ?? 'unknown',
    header: text(header.text),
    media: header.type === undefined ? 'none' : (formats[text(header.format).toUpperCase()] ?? 'other'),
    body: text(body.text),
    footer: text(of('FOOTER').text),
    buttons: buttons.map((button) => ({
      kind: kinds[text(button.type)] ?? 'other',
      text: text(button.text),
      value: text(button.url) || text(button.phone_number),
    })),
    fields: [
      ...fields(header, 'header'),
      ...fields(body, 'body'),
      ...buttons.flatMap((button, i) => {
        const [example] = [button.example].flat()
        if (text(button.type) === 'COPY_CODE') return [{ at: 'button' as const, button: i, name: 'code', example: text(example) }]
        return holesIn(text(button.url)).map((name) => ({ at: 'button' as const, button: i, name, example: text(example) }))
      }),
    ],
  }
}

/** Builds the template for sending. A code button copies the code from the text. */
export function asSent({ name, language, category, fields, buttons }: Template, values: string[]): TemplateSent {
  const parameters = (at: 'header' | 'body') =>
    fields.flatMap((field, i) => {
      const named = /^\d+$/.test(field.name) ? {} : { parameter_name: field.name }
      return field.at === at ? [{ type: 'text', ...named, text: values[i]!.trim() }] : []
    })
  const button = (index: number, sub_type: string, parameter: object) => ({
    type: 'button',
    sub_type,
    index: String(index),
    parameters: [parameter],
  })
  const components = [
    ...(['header', 'body'] as const).flatMap((type) => (parameters(type).length > 0 ? [{ type, parameters: parameters(type) }] : [])),
    ...fields.flatMap((field, i) => {
      if (field.at !== 'button') return []
      const value = values[i]!.trim()
      return buttons[field.button]?.kind === 'copy'
        ? [button(field.button, 'copy_code', { type: 'coupon_code', coupon_code: value })]
        : [button(field.button, 'url', { type: 'text', text: value })]
    }),
    ...buttons.flatMap(({ kind }, i) => (kind === 'otp' && values[0] ? [button(i, 'url', { type: 'text', text: values[0].trim() })] : [])),
  ]
  return { name, language, category, components }
}

import type { Template } from './contract.ts'

const holes = /\{\{\s*(\w+)\s*\}\}/g
/** The placeholder names of a text in order, without repetitions. */
export const holesIn = (text: string): string[] => [...new Set([...text.matchAll(holes)].map(([, name]) => name!))]

/** Fills the placeholders of one part of a template; an empty field keeps its braces. */
export function part(
  { fields }: Template,
  text: string,
  at: Template['fields'][number]['at'],
  values: readonly string[],
  button = 0,
): string {
  return text.replace(holes, (whole, name: string) => {
    const found = fields.findIndex((field) => field.at === at && field.button === button && field.name === name)
    return values[found]?.trim() || whole
  })
}

/** The message as the customer sees it, for the conversation and the history. */
export function filledIn(template: Template, values: readonly string[]): string {
  const header = part(template, template.header, 'header', values)
  const buttons = template.buttons.map(
    ({ text, value }, i) => `[${[text, part(template, value, 'button', values, i)].filter((one) => one !== '').join(': ')}]`,
  )
  const parts = [
    header && `*${header}*`,
    part(template, template.body, 'body', values),
    template.footer && `_${template.footer}_`,
    buttons.join('\n'),
  ]
  return parts.filter((one) => one !== '').join('\n\n')
}

type Begins = Exclude<Template['media'], 'none' | 'other'>
/** The media types that WhatsApp accepts in a template, with their maximum size in megabytes. */
export const files: Record<Begins, { types: readonly string[]; most: number }> = {
  image: { types: ['image/jpeg', 'image/png'], most: 5 },
  video: { types: ['video/mp4', 'video/3gpp'], most: 16 },
  document: { types: ['application/pdf'], most: 64 },
}
/** The kind of the header file; null: none, or unsupported. */
export const begins = ({ media }: Pick<Template, 'media'>): Begins | null => (media === 'none' || media === 'other' ? null : media)
/** Whether the template can be sent. */
export const sendable = ({ status, media }: Pick<Template, 'status' | 'media'>): boolean => status === 'approved' && media !== 'other'

/** Why WhatsApp refuses a field value: empty, more than one line, or a gap of spaces; null: it accepts the value. */
export const faultOf = (value: string): 'empty' | 'line' | 'gap' | null =>
  value.trim() === '' ? 'empty' : /[\n\t]/.test(value) ? 'line' : value.includes(' '.repeat(5)) ? 'gap' : null
export const takes = (value: string): boolean => faultOf(value) === null
/** The index of the first invalid field; null: all fields are valid. */
export function faultIn({ fields }: Pick<Template, 'fields'>, values: readonly string[]): number | null {
  if (values.length !== fields.length) return Math.min(values.length, fields.length)
  const found = values.findIndex((value) => !takes(value))
  return found < 0 ? null : found
}

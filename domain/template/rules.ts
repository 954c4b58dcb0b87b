import type { Template } from './contract.ts'

const holes = /\{\{\s*(\w+)\s*\}\}/g
/** The names in the braces of a text, each once, in their order. */
export const holesIn = (text: string): string[] => [...new Set([...text.matchAll(holes)].map(([, name]) => name!))]

/** A part of a template with the values of its fields in place; a field that is empty still shows its braces. */
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

/** As the customer sees it: what stands in the conversation, and in its history. */
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
/** What WhatsApp takes as the file of a template, and how many megabytes of it. */
export const files: Record<Begins, { types: readonly string[]; most: number }> = {
  image: { types: ['image/jpeg', 'image/png'], most: 5 },
  video: { types: ['video/mp4', 'video/3gpp'], most: 16 },
  document: { types: ['application/pdf'], most: 64 },
}
/** The file that it begins with; null: with none that could be given. */
export const begins = ({ media }: Pick<Template, 'media'>): Begins | null => (media === 'none' || media === 'other' ? null : media)
/** Whether it can be sent at all. */
export const sendable = ({ status, media }: Pick<Template, 'status' | 'media'>): boolean => status === 'approved' && media !== 'other'

/** What WhatsApp does not take as a field’s value: nothing, more than a line, a gap; null: it takes it. */
export const faultOf = (value: string): 'empty' | 'line' | 'gap' | null =>
  value.trim() === '' ? 'empty' : /[\n\t]/.test(value) ? 'line' : value.includes(' '.repeat(5)) ? 'gap' : null
export const takes = (value: string): boolean => faultOf(value) === null
/** The first field whose value it would not take; null: all are good. */
export function faultIn({ fields }: Pick<Template, 'fields'>, values: readonly string[]): number | null {
  if (values.length !== fields.length) return Math.min(values.length, fields.length)
  const found = values.findIndex((value) => !takes(value))
  return found < 0 ? null : found
}

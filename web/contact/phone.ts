import { brazilian, digits } from '#domain/contact/rules.ts'

/** +55 (11) 98123-4567; what is no Brazilian number stays as it is, and so does one that came masked. */
export function shownNumber(number: string): string {
  if (number.includes('*') || !brazilian(number)) return number
  const all = digits(number)
  const local = all.length >= 12 ? all.slice(2) : all
  return `+55 (${local.slice(0, 2)}) ${local.slice(2, -4)}-${local.slice(-4)}`
}

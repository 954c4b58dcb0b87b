import { numberForms } from '#domain/contact/rules.ts'
import { searchable } from '#domain/text/rules.ts'

/** How an erased person is found while the erasure runs. `files`: the files that their tickets name, once the events were read. */
export type ErasedPerson = {
  name: string
  number: string
  /** The contact and those merged into it, with their names and e-mail addresses (A-MERGE-01). */
  contacts: number[]
  names: string[]
  emails: string[]
  /** Every id and key by which a network knows the person. */
  ids: string[]
  files: string[] | null
  /** The streams of other people in which fields were redacted. */
  streams: string[]
}

/** Shorter runs of digits occur by chance in texts of other people. */
const shortestNumber = 8
/** The runs of digits that name the person in any notation: each form of the number, with and without the country code 55. */
export function numberNeedles({ number, ids }: Pick<ErasedPerson, 'number' | 'ids'>): string[] {
  const forms = [number, ...ids].map((id) => id.split('@')[0]!.replace(/^\+/, '')).filter((id) => /^\d+$/.test(id))
  const all = forms.flatMap(numberForms).map((form) => (/^55\d{10,11}$/.test(form) ? form.slice(2) : form))
  const long = [...new Set(all)].filter((form) => form.length >= shortestNumber)
  return long.filter((form) => !long.some((other) => other !== form && form.includes(other)))
}

/** A name that can be searched in texts of other people: a first name alone would find many persons. */
export const isDistinctName = (name: string): boolean => name.trim().length >= 8 && /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(name)

/** Tells whether a text names the person by number or e-mail address. */
export function createPersonMatcher(person: Pick<ErasedPerson, 'number' | 'ids' | 'emails'>): (text: string) => boolean {
  const needles = numberNeedles(person)
  const emails = person.emails.map((email) => searchable(email.trim())).filter((email) => email !== '')
  return (text) => {
    if (emails.some((email) => searchable(text).includes(email))) return true
    if (needles.length === 0) return false
    const digits = text.replace(/\D/g, '')
    return needles.some((needle) => digits.includes(needle))
  }
}

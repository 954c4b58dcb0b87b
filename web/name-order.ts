import { meAtom, store, viewerOf } from './session.ts'

const collators = new Map<string, Intl.Collator>()

/** Compares names in the order of the company's language, as the server sorts them. */
export function compareNames(a: string, b: string): number {
  const me = store.get(meAtom)
  const language = me ? viewerOf(me).companyLanguage : 'pt-BR'
  const collator = collators.get(language) ?? new Intl.Collator(language)
  collators.set(language, collator)
  return collator.compare(a, b)
}

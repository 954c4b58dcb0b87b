import type { CustomerLanguage } from '#domain/flow/texts.ts'

let collator = new Intl.Collator('pt-BR')

/** Sets the company's language, after which names are sorted. */
export function sortNamesIn(language: CustomerLanguage): void {
  if (collator.resolvedOptions().locale !== language) collator = new Intl.Collator(language)
}

/** Compares names in the order of the company's language, as the server sorts them. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b)

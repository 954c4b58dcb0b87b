import type { CustomerLanguage } from '#domain/flow/texts.ts'

/** Numbers inside names count by value, as in the server's collations (A-SORT-01). */
const createCollator = (language: CustomerLanguage) => new Intl.Collator(language, { numeric: true })
let collator = createCollator('pt-BR')

/** Sets the company's language, after which names are sorted. */
export function sortNamesIn(language: CustomerLanguage): void {
  if (collator.resolvedOptions().locale !== language) collator = createCollator(language)
}

/** Compares names in the order of the company's language, as the server sorts them. Names that differ are never equal. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b) || Number(a > b) - Number(a < b)

import { type RawBuilder, sql } from 'kysely'
import type { CustomerLanguage } from '#domain/flow/texts.ts'

/** ICU's tailoring of the alphabet. Portuguese and English sort by the root order. */
const collations: Partial<Record<CustomerLanguage, string>> = { es: 'name_order_es', tr: 'name_order_tr' }

/**
 * An expression that sorts a name as the company's language does: accents and case only decide between equal letters, and
 * numbers inside names count by value (A-SORT-01).
 */
export const inNameOrder = (language: CustomerLanguage, name: string | RawBuilder<string>): RawBuilder<string> =>
  sql`${typeof name === 'string' ? sql.ref(name) : name} collate ${sql.id(collations[language] ?? 'name_order')}`

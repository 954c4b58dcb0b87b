import type { MessageRow } from '#domain/message/contract.ts'
import { useWords } from '#web/i18n.ts'
import { categoryWords, templateWords } from './words.ts'

/** The name that a bubble shows for a message's template. */
export function useTemplateName(): (of: NonNullable<MessageRow['template']>) => string {
  const t = useWords(templateWords)
  const tCategory = useWords(categoryWords)
  return ({ category }) =>
    t('as', { category: tCategory(category in categoryWords ? (category as keyof typeof categoryWords) : 'unknown') })
}

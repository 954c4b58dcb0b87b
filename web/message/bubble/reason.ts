import type { ErrorCode } from '#domain/errors.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { troubleWords } from './words.ts'

/** Why a message did not leave, by the code it failed with; a channel may know codes that we do not. */
export function useReason(): (code: string) => string {
  const sayError = useWords(errorWords)
  const say = useWords(troubleWords)
  return (code) => (code in errorWords ? sayError(code as ErrorCode) : say('refused', { code }))
}

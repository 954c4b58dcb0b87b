import type { ErrorCode } from '#domain/errors.ts'
import '#web/area-errors.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { troubleWords } from './words.ts'

type Reason = keyof typeof troubleWords
/** Meaning of the error codes: Cloud API numbers, three digits of WhatsApp, our own names. */
const reasons: Record<string, Reason> = {
  ...{ 131026: 'notOnNetwork', 131030: 'notOnNetwork', NOT_REGISTERED: 'notOnNetwork' },
  ...{ 131047: 'windowOver', 2534022: 'windowOver' },
  ...{ 463: 'restricted', 131049: 'restricted' },
  ...{ 403: 'forbidden', 405: 'badKind', 479: 'badKind' },
  ...{ 130429: 'tooFast', 131048: 'tooFast', 131056: 'tooFast', TOO_FAST: 'tooFast' },
  ...{ 131051: 'badMedia', 131053: 'badMedia' },
  NOT_DELIVERED: 'notDelivered',
}
/** Text of the error code of an undelivered message. A channel may use codes that we do not know. */
export function useReason(): (code: string) => string {
  const tError = useWords(errorWords)
  const t = useWords(troubleWords)
  return (code) => {
    if (code in errorWords) return tError(code as ErrorCode)
    const known = reasons[code]
    return known ? t(known) : t('refused', { code })
  }
}

import { ApiError } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { failure } from '#web/ui/toaster.ts'
import { awayWords } from './words.ts'

const away: Record<string, keyof typeof awayWords> = {
  ERR_NO_TICKET_FOUND: 'elsewhere',
  ERR_NO_PERMISSION: 'elsewhere',
  ERR_SENDING_WAPP_MSG: 'over',
  ERR_TICKET_NOT_OPEN: 'over',
}
/** Error text of a dialog over a ticket, which may have changed while the dialog was open. */
export function refusalOver(error: unknown): string {
  const word = error instanceof ApiError ? away[error.code] : undefined
  return word ? translate(awayWords, word) : failure(error)
}

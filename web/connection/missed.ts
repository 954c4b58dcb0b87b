import type { ConnectionRow } from '#domain/connection/contract.ts'
import { type Language, translate } from '#web/i18n.ts'
import { dateAndHour } from '#web/ui/moment.ts'
import { statusWords } from './words.ts'

/** The period in which a connection that was linked again missed messages; null if none is known. */
export function missedIn({ missedFrom, missedTo }: Pick<ConnectionRow, 'missedFrom' | 'missedTo'>, language: Language): string | null {
  const moment = (at: string) => dateAndHour(at, language)
  return missedFrom && missedTo && translate(statusWords, 'missed', { from: moment(missedFrom), to: moment(missedTo) })
}

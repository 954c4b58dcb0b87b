import type { ConnectionRow } from '#domain/connection/contract.ts'
import { type Language, translate } from '#web/i18n.ts'
import { dateAndHour } from '#web/ui/moment.ts'
import { statusWords } from './words.ts'

/** What of a connection that was linked anew nobody was told of here; null: nothing is known to be missing. */
export function missedIn({ missedFrom, missedTo }: Pick<ConnectionRow, 'missedFrom' | 'missedTo'>, language: Language): string | null {
  const moment = (at: string) => dateAndHour(at, language)
  return missedFrom && missedTo && translate(statusWords, 'missed', { from: moment(missedFrom), to: moment(missedTo) })
}

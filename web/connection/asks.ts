import { yearOfMinutes } from '#domain/connection/rules.ts'
import { webAddress } from '#domain/interactive/rules.ts'
import { hoursProblem } from '#web/hours/words.ts'
import { translate } from '#web/i18n.ts'
import { interactiveWords } from '#web/interactive/words.ts'
import type { FieldRules } from '#web/ui/check.ts'
import { numberProblem } from '#web/ui/check.ts'

/** Rules of the form beyond those of the call. */
export const connectionRules: FieldRules = {
  schedules: hoursProblem,
  timeSendQueue: (value) => numberProblem(value === '' ? 0 : value, yearOfMinutes),
  lgpdLink: (value) => (typeof value !== 'string' || value === '' || webAddress(value) ? null : translate(interactiveWords, 'badLink')),
}

/** The text beside the field for each contradiction between fields. */
export const faults = {
  'ratingMessage/required': 'errorRatingMessage',
  'expiresTicketNPS/minimum': 'errorExpiresNPS',
  'timeInactiveMessage/maximum': 'errorWarning',
  'expiresTicket/required': 'errorWarningAlone',
  'inactiveMessage/required': 'errorWarningText',
  'sendIdQueue/required': 'errorSendQueue',
  'timeSendQueue/required': 'errorSendQueue',
  'collectiveVacationMessage/required': 'errorVacationText',
  'collectiveVacationStart/minimum': 'errorVacation',
  'collectiveVacationEnd/minimum': 'errorVacation',
} as const

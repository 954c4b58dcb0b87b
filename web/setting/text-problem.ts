import { Check } from 'typebox/schema'
import { webAddress } from '#domain/interactive/rules.ts'
import { defaults, isDueAfterLate, mostPort, type Setting, type SettingKey, type Settings, settings } from '#domain/setting/contract.ts'
import { settingErrors } from '#domain/setting/errors.ts'
import { translate, words } from '#web/i18n.ts'
import { interactiveWords } from '#web/interactive/words.ts'
import { numberProblem } from '#web/ui/check.ts'
import { uiWords } from '#web/ui/words.ts'

/** The largest value of each setting that is a number. */
const most: Partial<Record<SettingKey, number>> = {
  mailPort: mostPort,
  maxOpenTickets: 9999,
  firstAnswerTarget: 9999,
  waitingDueMinutes: 9999,
  waitingLateMinutes: 9999,
}
export const isNumber = (key: SettingKey): boolean => most[key] !== undefined

const problemWords = words({
  ...settingErrors,
  contactFields: [
    'Cada linha tem um nome, dois-pontos e o tipo, como em “Nascimento: data”. Uma lista tem opções, e nenhum nome se repete.',
    'Each line has a name, a colon and a type, as in “Birthday: date”. A list has options, and no name comes twice.',
    'Cada línea tiene un nombre, dos puntos y el tipo, como en “Nacimiento: fecha”. Una lista tiene opciones y ningún nombre se repite.',
    'Her satırda ad, iki nokta ve tür bulunur: “Doğum günü: tarih”. Listenin seçenekleri olur ve hiçbir ad iki kez geçmez.',
  ],
})
/** The error of a setting's text; null: it can be saved. `needed`: the text cannot be empty; `now`: the other settings. */
export function textProblem(key: SettingKey, text: string, needed: boolean, now: Settings = defaults): string | null {
  if (needed && text.trim() === '') return translate(uiWords, 'required')
  const { shape, fits }: Setting = settings[key]
  if (key === 'lgpdLink' && text !== '' && webAddress(text) === null) return translate(interactiveWords, 'badLink')
  if (Check(shape as object, text as unknown) && (fits?.(text) ?? true))
    return isDueAfterLate(now, key, text) ? translate(problemWords, 'ERR_WAITING_LIMITS') : null
  if (key === 'contactFields') return translate(problemWords, 'contactFields')
  const { maxLength = Number.POSITIVE_INFINITY } = shape as { maxLength?: number }
  if (most[key] !== undefined) return numberProblem(text, most[key]) ?? translate(uiWords, 'tooSmall', { n: 1 })
  return text.length > maxLength ? translate(uiWords, 'tooLong', { n: maxLength }) : translate(uiWords, 'badValue')
}

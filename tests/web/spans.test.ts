import { expect, it } from 'vitest'
import { languages } from '#web/i18n.ts'
import { span } from '#web/ui/moment.ts'

it('short durations have one unit each in every language', () => {
  const units = Object.fromEntries(
    languages.map((language) => [language, [6, 6 * 60, 6 * 1440].map((minutes) => span(minutes, language).replace(/[\d\s.]/g, ''))]),
  )
  expect(units).toEqual({
    'pt-BR': ['min', 'h', 'dias'],
    en: ['min', 'h', 'd'],
    es: ['min', 'h', 'd'],
    tr: ['dk', 'sa', 'gün'],
  })
})

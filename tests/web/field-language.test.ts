import { expect, it } from 'vitest'
import { contactLanguage } from '#web/message/composer/field-language.ts'

it.each([
  ['5511987654321', 'pt-BR'],
  ['351912345678', 'pt-PT'],
  ['905321234567', 'tr-TR'],
  ['5491123456789', 'es-AR'],
  ['4915112345678', 'de-DE'],
  ['17841400000000123', 'tr'],
  ['5511*****4321', 'tr'],
  ['120363041234560001', 'tr'],
  ['lia.insta', 'tr'],
])('the language of the number %s is %s', (number, language) => expect(contactLanguage(number, 'tr')).toBe(language))

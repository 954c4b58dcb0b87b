import { expect, it } from 'vitest'
import { contacts } from '#domain/contact/contract.ts'
import { cleanName } from '#domain/contract.ts'
import { numberRules } from '#web/contact/number.ts'
import { check } from '#web/ui/check.ts'

async function told(number: string, stands?: string, country = 'BR'): Promise<string | undefined> {
  const { errors } = await check(contacts.create.body, {}, numberRules(stands, country))(
    { name: 'Maria', number } as never,
    undefined,
    {} as never,
  )
  return (errors as Record<string, { message: string }>).number?.message
}

it('a form saves no number that would put its contact into no list, and says letters of letters (R-PHONE-02)', async () => {
  expect(await told('11 98765-4321')).toBeUndefined()
  expect(await told('+55 (11) 98765-4321')).toBeUndefined()
  expect(await told('\u202a+55 11 98765\u20114321\u202c')).toBeUndefined() // as WhatsApp has it
  expect(await told('+90 532 123 45 67')).toBeUndefined()
  expect(await told('912 345 678')).toMatch(/não é um número válido \(Brasil\)/)
  expect(await told('912 345 678', undefined, 'PT')).toBeUndefined()
  expect(await told('11 9876-ABCD')).toMatch(/só algarismos/)
  expect(await told('123')).toMatch(/Muito curto/)
  expect(await told('')).toBe('Obrigatório')
})

it('a form leaves a number as it stands, where something else is changed', async () =>
  expect(await told('905321234567', '905321234567')).toBeUndefined())

it('a name from elsewhere loses what steers the screen, and is none where nothing of it can be seen', () =>
  expect(['Ana\u202e Lima', '\u0000Zé\n', '\u200b\u2066', '👨‍👩‍👧'].map(cleanName)).toEqual(['Ana  Lima', 'Zé', '', '👨‍👩‍👧']))

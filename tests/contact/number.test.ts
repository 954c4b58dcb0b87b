import { expect, it } from 'vitest'
import { contacts } from '#domain/contact/contract.ts'
import { cleanName } from '#domain/contract.ts'
import { numberRules } from '#web/contact/number.ts'
import { check } from '#web/ui/check.ts'

async function explained(number: string, stands?: string, country = 'BR'): Promise<string | undefined> {
  const { errors } = await check(contacts.create.body, {}, numberRules(stands, country))(
    { name: 'Maria', number } as never,
    undefined,
    {} as never,
  )
  return (errors as Record<string, { message: string }>).number?.message
}

it('a form refuses an invalid number and explains it (R-PHONE-02)', async () => {
  expect(await explained('11 98765-4321')).toBeUndefined()
  expect(await explained('+55 (11) 98765-4321')).toBeUndefined()
  expect(await explained('\u202a+55 11 98765\u20114321\u202c')).toBeUndefined() // as WhatsApp has it
  expect(await explained('+90 532 123 45 67')).toBeUndefined()
  expect(await explained('912 345 678')).toMatch(/não é um número válido \(Brasil\)/)
  expect(await explained('912 345 678', undefined, 'PT')).toBeUndefined()
  expect(await explained('11 9876-ABCD')).toMatch(/só algarismos/)
  expect(await explained('123')).toMatch(/Muito curto/)
  expect(await explained('')).toBe('Obrigatório')
})

it('a form does not check an unchanged number', async () => expect(await explained('905321234567', '905321234567')).toBeUndefined())

it('a reported name loses control characters, and is empty without visible characters', () =>
  expect(['Ana\u202e Lima', '\u0000Zé\n', '\u200b\u2066', '👨‍👩‍👧'].map(cleanName)).toEqual(['Ana Lima', 'Zé', '', '👨‍👩‍👧']))

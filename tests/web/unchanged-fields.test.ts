import * as Type from 'typebox'
import { expect, it } from 'vitest'
import { Name } from '#domain/contract.ts'
import { check } from '#web/ui/check.ts'

const body = Type.Object({ name: Name(50, 2), email: Type.String({ format: 'email' }) })
const stored = { name: 'M'.repeat(60), email: '' }
const errorsOf = async (values: object, row: object | null) => {
  const { errors } = await check(body, {}, {}, row)(values as never, undefined, {} as never)
  return Object.keys(errors)
}

it('an unchanged field of an edited row blocks no other change (A-VALID-01)', async () => {
  expect(await errorsOf({ ...stored, email: 'maria@casa.test' }, stored)).toEqual([])
  expect(await errorsOf({ ...stored, email: 'maria@' }, stored)).toEqual(['email'])
  expect(await errorsOf({ ...stored, name: 'M'.repeat(61) }, stored)).toEqual(['name'])
  expect(await errorsOf({ ...stored, email: 'maria@casa.test' }, null)).toEqual(['name'])
})

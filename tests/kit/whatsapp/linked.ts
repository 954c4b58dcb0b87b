import { expect } from 'vitest'
import { eventually } from '#tests/kit/processes.ts'
import type { TestHouse } from '#tests/kit/server.ts'
import type { Double } from './double.ts'
import type { Phone } from './world.ts'

export const stands = async ({ db }: Pick<TestHouse, 'db'>, id: number) =>
  db.selectFrom('connection').select(['status', 'qrcode', 'number']).where('id', '=', id).executeTakeFirstOrThrow()

/** The code that a connection shows. */
export const codeOf = async ({ as }: Pick<TestHouse, 'as'>, id: number): Promise<string> =>
  (
    await eventually(
      async () => (await as('admin')('GET', `/whatsapp/${id}`)).body as { qrcode: string },
      ({ qrcode }) => qrcode !== '',
    )
  ).qrcode
export const becomes = (house: Pick<TestHouse, 'db'>, id: number, wanted: string) =>
  eventually(
    () => stands(house, id),
    ({ status }) => status === wanted,
  )

/** A connection of the house, linked to a phone as a person would: asked for, and its code read. */
export async function linked(house: TestHouse, double: Double, pn = '5511900000001'): Promise<{ id: number; phone: Phone }> {
  const phone = double.addPhone({ pn, name: 'Balcão' })
  const { status, body } = await house.as('admin')('POST', '/whatsapp', {
    name: `Linha ${pn.slice(-4)}`,
    channel: 'whatsapp',
    allowGroup: true,
  })
  expect({ status, body }).toMatchObject({ status: 200, body: { provider: 'beta', status: 'qrcode' } })
  await phone.scan(await codeOf(house, body.id))
  await becomes(house, body.id, 'CONNECTED')
  return { id: body.id, phone }
}

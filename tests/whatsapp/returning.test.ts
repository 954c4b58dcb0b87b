import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/work/clock.ts'
import type { TestHouse } from '#tests/kit/server.ts'
import type { Double } from '#tests/kit/whatsapp/double.ts'
import { becomes, houseAtDouble, linked, stands } from '#tests/kit/whatsapp/linked.ts'
import { type Connection, node, type Phone } from '#tests/kit/whatsapp/world.ts'

/* How a number comes back, and when it does not, by the house's clock. */
let double: Double
let house: TestHouse
let phone: Phone
let id: number
let ahead = 0
beforeAll(async () => {
  ;({ house, double } = await houseAtDouble({ clock: openClock(() => ahead) }))
  ;({ id, phone } = await linked(house, double))
}, 60_000)
afterAll(async () => {
  await house?.stop()
  await double?.stop()
}, 30_000)

const reasonOf = async () =>
  (await house.db.selectFrom('connection').select('reason').where('id', '=', id).executeTakeFirstOrThrow()).reason
const socket = async (): Promise<Connection> => {
  const now = () => double.companions(phone)[0]!.connection
  await expect.poll(() => now()?.active, { timeout: 60_000 }).toBe(true)
  await becomes(house, id, 'CONNECTED')
  return now()!
}
/** Another program logs in with the same keys. */
const rival = async () => (await socket()).fail({}, [node('conflict', { type: 'replaced' })])
const asked = async () => expect((await house.as('admin')('POST', `/whatsappsession/${id}`)).status).toBe(200)

it('stops where another program takes the session (440) a second time within the hour, also after it stood in between; an hour later it looks once more', async () => {
  await rival()
  await becomes(house, id, 'OPENING')
  ;(await socket()).drop() // back after half a minute, and lost otherwise for once
  await becomes(house, id, 'OPENING')
  await socket()
  ahead += 2 * 60_000
  await rival()
  await becomes(house, id, 'DISCONNECTED')
  expect(await reasonOf()).toBe('REPLACED')
  expect(double.companions(phone)[0]!.connection).toBeNull()

  await asked()
  await rival()
  await becomes(house, id, 'OPENING')
  await asked() // not to wait for half a minute
  await socket()
  ahead += 61 * 60_000
  await rival()
  await becomes(house, id, 'OPENING')
  await asked()
  await socket()
  expect(await stands(house, id)).toMatchObject({ status: 'CONNECTED' })
}, 120_000)

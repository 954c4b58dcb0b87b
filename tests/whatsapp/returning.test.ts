import { DEFAULT_CONNECTION_CONFIG } from '@whiskeysockets/baileys'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { becomes, installationAtDouble, linked, stands } from '#tests/support/whatsapp/linked.ts'
import { type Connection, newId, node, type Phone, seconds, tell } from '#tests/support/whatsapp/world.ts'

/* How a number reconnects, by the simulated clock. Tests with few failures come first, because pauses grow. */
let double: Double
let app: TestApp
let phone: Phone
let id: number
let ahead = 0
const said: string[] = []
/** A revision later than the one of the client. */
const wanted = DEFAULT_CONNECTION_CONFIG.version[2] + 10
beforeAll(async () => {
  const log = (line: string) => void said.push(JSON.parse(line).msg)
  ;({ house: app, double } = await installationAtDouble({
    clock: openClock(() => ahead),
    log,
    config: { whatsappWebVersion: [2, 3000, wanted] },
  }))
  ;({ id, phone } = await linked(app, double))
})
afterAll(async () => {
  await app?.stop({ faultsExpected: true }) // a refused version is a fault
  await double?.stop()
})

const reasonOf = async () => (await app.db.selectFrom('connection').select('reason').where('id', '=', id).executeTakeFirstOrThrow()).reason
const socket = async (): Promise<Connection> => {
  const now = () => double.companions(phone)[0]!.connection
  await expect.poll(() => now()?.active).toBe(true)
  await becomes(app, id, 'CONNECTED')
  return now()!
}
/** Another program logs in with the same keys. */
const rival = async () => (await socket()).fail({}, [node('conflict', { type: 'replaced' })])
const asked = async () => expect((await app.as('admin')('POST', `/whatsappsession/${id}`)).status).toBe(200)

const announced = async () => (await socket()).version
it('the configured version is used, and a later one if WhatsApp refuses it (405)', async () => {
  expect(await announced()).toBe(`2.3000.${wanted}`)
  double.world.revision = wanted + 7
  double.drop()
  await expect.poll(announced).toBe(`2.3000.${wanted + 7}`)
  const { phone: other } = await linked(app, double, '5511900000003')
  expect(double.companions(other)[0]!.connection!.version).toBe(`2.3000.${wanted + 7}`)
  expect(said.filter((one) => one.includes('WHATSAPP_WEB_VERSION'))).toEqual([])

  double.world.revision = 5
  phone.refused = '405'
  double.drop()
  await expect.poll(() => said.some((one) => one.includes('WHATSAPP_WEB_VERSION'))).toBe(true)
  phone.refused = null
  expect(await announced()).toBe(`2.3000.${wanted + 7}`)
})

it('a number blocked from new conversations shows until when', async () => {
  const quality = async () => (await app.as('admin')('GET', `/whatsapp/${id}/quality`)).body.quality
  const tells = (lock: object) => {
    const data = { xwa2_notify_account_reachout_timelock: lock }
    const update = node('update', { op_name: 'NotificationUserReachoutTimelockUpdate' }, Buffer.from(JSON.stringify({ data })))
    tell(double.companions(phone)[0]!, node('notification', { id: newId(), from: 's.whatsapp.net', type: 'mex', t: seconds() }, [update]))
  }
  await socket()
  expect(await quality()).toBeNull()
  const ends = Math.floor((Date.now() + ahead) / 1000) + 3600
  tells({ is_active: true, time_enforcement_ends: String(ends), enforcement_type: 'DEFAULT' })
  await expect.poll(quality).toMatchObject({ limit: 0, blockedUntil: new Date(ends * 1000).toISOString() })
  tells({ is_active: false })
  await expect.poll(quality).toBeNull()
})

it('a session replaced twice within an hour stops (440)', async () => {
  await rival()
  await becomes(app, id, 'OPENING')
  ;(await socket()).drop() // back after half a minute, and lost for another reason
  await becomes(app, id, 'OPENING')
  await socket()
  ahead += 2 * 60_000
  await rival()
  await becomes(app, id, 'DISCONNECTED')
  expect(await reasonOf()).toBe('REPLACED')
  expect(double.companions(phone)[0]!.connection).toBeNull()

  await asked()
  await rival()
  await becomes(app, id, 'OPENING')
  await asked() // without waiting for half a minute
  await socket()
  ahead += 61 * 60_000
  await rival()
  await becomes(app, id, 'OPENING')
  await asked()
  await socket()
  expect(await stands(app, id)).toMatchObject({ status: 'CONNECTED' })
})

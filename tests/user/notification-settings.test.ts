import { afterAll, beforeAll, expect, it } from 'vitest'
import { isQuiet } from '#domain/notification/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const chosen = {
  ...{ messageSound: true, waitingSound: false, volume: 0.3 },
  ...{ quiet: { from: '22:00', to: '07:00' }, notices: 'text' },
}
type Who = Parameters<TestApp['as']>[0]
const settingsOf = async (who: Who) => (await app.as(who)('GET', '/auth/me')).body.notifications
const set = (who: Who, body: object) => app.as(who)('PUT', `/users/${app.company.users.ana}/notifications`, body)

it('sounds and notices follow the user to every device; those of others stay (R-LAYOUT-08)', async () => {
  const before = await settingsOf('bruno')
  expect(await settingsOf('ana')).toEqual(before)
  expect((await set('ana', chosen)).status).toBe(204)
  expect(await settingsOf('ana')).toEqual(chosen)
  expect(await settingsOf('bruno')).toEqual(before)
})

it.each([
  ['a negative volume', { ...chosen, volume: -0.1 }],
  ['a time that does not exist', { ...chosen, quiet: { from: '24:00', to: '07:00' } }],
  ['quiet hours without an end', { ...chosen, quiet: { from: '22:00' } }],
  ['an unknown kind of notices', { ...chosen, notices: 'always' }],
  ['missing fields', { volume: 0.3 }],
])('refuses notification settings with %s', async (_, body) => {
  const { status, body: answer } = await set('ana', body)
  expect([status, answer.error]).toEqual([400, 'ERR_INVALID_INPUT'])
})

it('a user cannot set the sounds of another user', async () => {
  expect((await set('admin', chosen)).body.error).toBe('ERR_NO_PERMISSION')
})

it.each([
  ['21:59', false],
  ['22:00', true],
  ['23:59', true],
  ['00:00', true],
  ['06:59', true],
  ['07:00', false],
])('quiet hours pass midnight in the company’s zone: at %s they are %s', (time, quiet) => {
  const inSaoPaulo = new Date(`2026-12-01T${time}:00-03:00`)
  expect(isQuiet(chosen.quiet, 'America/Sao_Paulo', inSaoPaulo)).toBe(quiet)
})
it('quiet hours within a day, of a whole day, and none', () => {
  const noon = new Date('2026-12-01T12:00:00-03:00')
  const at = (from: string, to: string) => isQuiet({ from, to }, 'America/Sao_Paulo', noon)
  expect([at('11:00', '13:00'), at('12:00', '12:00'), at('09:00', '12:00')]).toEqual([true, true, false])
  expect(isQuiet(null, 'America/Sao_Paulo', noon)).toBe(false)
})

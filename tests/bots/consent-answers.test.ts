import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { customerOf } from './customer.ts'

let app: TestApp
let minutes = 0
beforeAll(async () => {
  app = await startTestApp({ clock: openClock(() => minutes * 60_000) })
})
afterAll(() => app?.stop())
const customer = () => customerOf(app, app.company.connections.loja)

it('a refusal and free text in place of an answer each get their text (A-LGPD-01)', async () => {
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdMessage', 'Usamos seus dados.')
  await app.set('lgpdConsent', 'enabled')
  const one = customer()
  await one.says('oi')
  minutes += 1
  expect((await one.says('para que é isso?')).join()).toMatch(/^Usamos seus dados[\s\S]*Responda \*1\* para aceitar/)
  expect((await one.says('2')).join()).toMatch(/^Tudo bem\. Sem o seu consentimento/)
  expect(await one.ticket()).toMatchObject({ status: 'closed' })

  await app.set('customerLanguage', 'en')
  await app.set('lgpdUnclearMessage', 'Um ou dois?')
  const other = customer()
  await other.says('oi')
  minutes += 1
  expect((await other.says('como?')).join()).toMatch(/Um ou dois\?$/)
  expect((await other.says('2')).join()).toMatch(/^All right\. Without your consent/) // the standard text in the company's language
  await app.set('lgpdRefusedMessage', '')
  const silent = customer()
  await silent.says('oi')
  expect(await silent.says('2')).toEqual([])
})

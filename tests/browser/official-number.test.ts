import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorTexts } from '#domain/error-texts.ts'
import { hour } from '#tests/support/meta/world.ts'
import { cloudWords } from '#web/connection/cloud-words.ts'
import { sessionWords } from '#web/connection/session-words.ts'
import { connectionFieldWords, connectionWords } from '#web/connection/words.ts'
import { languages } from '#web/i18n.ts'
import { uiWords } from '#web/ui/words.ts'
import { type AtMeta, adminOn, atMeta, own, row } from './at-meta.ts'

/* An admin enters and registers a Cloud API number in each language. */
let at: AtMeta
beforeAll(async () => {
  at = await atMeta()
})
afterAll(() => at?.clear())

it('an official number is entered in any language, with Meta’s errors at the fields', async () => {
  const accessToken = at.meta.whatsapp.account('9002', '1002', 'Filial', '+55 11 4000-1002', own.secret)
  const one = await adminOn(at.on, { width: 390, height: 800, theme: 'dark' })
  const { page } = one
  const dialog = page.getByRole('dialog')
  for (const [column, language] of languages.entries()) {
    await page.addInitScript((spoken) => localStorage.setItem('i18nextLng', spoken), language)
    await page.goto('/connections')
    await page.getByRole('button', { name: connectionWords.add[column]!, exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'WhatsApp API', exact: true }).click()
    const typed = { phoneNumberId: '1002', businessId: '9002', accessToken: 'EAAoutro', appSecret: own.secret, verifyToken: own.word }
    const field = (name: keyof typeof typed) => dialog.getByLabel(cloudWords[name][column]!, { exact: true })
    await dialog.getByLabel(connectionFieldWords.name[column]!, { exact: true }).fill(`Filial ${language}`)
    expect(await dialog.getByText(connectionFieldWords.allowGroup[column]!, { exact: true }).count()).toBe(0) // the Cloud API has no groups
    await dialog.getByRole('tab', { name: 'Meta' }).click()
    for (const [name, value] of Object.entries(typed)) await field(name as keyof typeof typed).fill(value)
    await dialog.getByRole('button', { name: uiWords.save[column]!, exact: true }).click()
    await dialog.getByText(cloudWords.badToken[column]!).first().waitFor()
    expect(await field('accessToken').inputValue()).toBe('EAAoutro') // the typed value stays
    await one.shot(`meta-refused-390-${language}`)
  }
  const [tr] = [languages.indexOf('tr')]
  await dialog.getByLabel(cloudWords.accessToken[tr]!, { exact: true }).fill(`  ${accessToken} `)
  await dialog.getByRole('button', { name: uiWords.save[tr]!, exact: true }).click()
  expect(await dialog.getByLabel(cloudWords.hook[tr]!).inputValue()).toContain(`${at.on.server.url}/api/webhooks/whatsappapi/`) // the address is shown at once
  await dialog.getByLabel(cloudWords.hook[tr]!).press('Escape') // a dialog that has just opened has no focus yet
  await dialog.waitFor({ state: 'detached' })
  const made = row(page, 'Filial tr')
  await made.locator('[data-status=CONNECTED]').waitFor()
  await made.locator('[data-part=todo]').getByText(cloudWords.hookMissing[tr]!).waitFor() // its address is not registered at Meta yet
  await one.shot('meta-todo-390-tr')
  const { id } = (await at.ask('GET', '/whatsapp')).body.find(({ name }: { name: string }) => name === 'Filial tr')
  await page.goto(`/connections?open=${id}&tab=meta`)
  expect(await dialog.getByLabel(cloudWords.accessToken[tr]!, { exact: true }).inputValue()).toBe('') // a token is never shown again
  await one.shot('meta-account-390-tr')

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/connections')
  await made.waitFor()
  for (const lastsMs of [5 * 24 * hour, null]) {
    const token = at.meta.whatsapp.grant('9002', own.secret, lastsMs)
    expect((await at.ask('PUT', `/whatsapp/${id}`, { cloud: { accessToken: token } })).status).toBe(200)
    await page.locator('[data-part=menu-warning]').waitFor({ state: lastsMs === null ? 'detached' : 'visible' }) // all warnings are visible
  }
  at.meta.world.faults.push({ delayMs: 8000, times: 100 })
  await page.clock.install()
  const restart = { name: connectionWords.restart[tr]! }
  await page.getByRole('button', restart).click()
  await page.getByRole('alertdialog').getByRole('button', restart).click()
  await made.locator('[data-status=OPENING]').waitFor()
  await page.clock.fastForward(60_000)
  await page.getByText('Diğerleri hâlâ deniyor').waitFor()
  at.meta.world.faults.length = 0
  expect(one.wrong).toEqual([])
})

it('an unregistered number is registered by its PIN, and a wrong PIN is shown at its field', async () => {
  const accessToken = at.meta.whatsapp.account('9004', '1004', 'Depósito', '+55 11 4000-1004', own.secret)
  at.meta.whatsapp.registered('1004', false, '135790')
  const cloud = { phoneNumberId: '1004', businessId: '9004', accessToken, appSecret: own.secret, verifyToken: own.word }
  const made = await at.ask('POST', '/whatsapp', { name: 'Depósito', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
  expect(made.body).toMatchObject({ reason: 'NOT_REGISTERED' })
  const one = await adminOn(at.on, { width: 390, height: 800, theme: 'dark' })
  const { page } = one
  const dialog = page.getByRole('dialog')
  for (const [column, language] of languages.entries()) {
    const say = (name: keyof typeof sessionWords) => sessionWords[name][column]!
    await page.addInitScript((spoken) => localStorage.setItem('i18nextLng', spoken), language)
    await page.goto('/connections')
    await row(page, 'Depósito')
      .getByRole('button', { name: `${say('register')}: Depósito` })
      .click()
    const pin = dialog.getByLabel(say('pin'))
    const send = dialog.getByRole('button', { name: say('register'), exact: true })
    await pin.fill('1357')
    await send.click()
    await dialog
      .getByRole('alert')
      .filter({ hasText: say('pinSix') })
      .waitFor()
    await pin.fill('246802')
    await send.click()
    await dialog.getByRole('alert').filter({ hasText: errorTexts.ERR_CHANNEL_PIN[column]! }).waitFor()
    expect(await pin.inputValue()).toBe('246802')
    await one.shot(`meta-register-390-${language}`)
    if (column < languages.length - 1) continue
    await pin.fill('135790')
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    await row(page, 'Depósito').locator('[data-status=CONNECTED]').waitFor()
  }
})

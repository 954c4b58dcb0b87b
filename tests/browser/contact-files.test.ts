import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { bubble, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const dataUrl = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`

it('a contact’s page lists the files, opens one and leads to its message (A-CONTACT-04)', async () => {
  const customer = { name: 'Filó Arquivo', number: '5511944480191' }
  const picture = await sharp({ create: { width: 200, height: 120, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer()
  const empty = { name: 'Nuno Nada', number: '5511944480192' }
  await on.says(empty, 'nenhum arquivo')
  for (let i = 0; i < 42; i++)
    await on.ask('POST', '/sandbox/1/inbound', {
      ...{ id: crypto.randomUUID(), from: customer.number, name: customer.name, body: '', mediaType: 'image' },
      mediaUrl: dataUrl('image/png', picture),
    })
  const { uuid } = await on.says(customer, 'agora um texto')
  const idOf = async ({ number }: { number: string }) => (await on.ask('GET', `/contacts?searchParam=${number}`)).body.contacts[0].id
  const admin = await on.enter('admin@demo.test', { at: `/contacts/${await idOf(customer)}` })
  const { page } = admin
  const files = page.locator('[data-part=contact-files] > li')
  await files.first().waitFor()
  await admin.shot('contact-files')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await faultsOf(page, 'contact files')).toEqual([])
  const countAtEnd = async () => {
    await page.locator('#content').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight))
    return files.count()
  }
  await expect.poll(countAtEnd).toBe(42)
  const opened = page.waitForEvent('popup')
  await files
    .first()
    .getByRole('link', { name: /png|Imagem/ })
    .first()
    .click()
  const tab = await opened
  await tab.locator('img').waitFor()
  await tab.close()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.shot('contact-files-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await files
    .nth(1)
    .getByRole('link', { name: /^Ir para a mensagem/ })
    .click()
  await page.waitForURL(new RegExp(uuid))
  await bubble(page, 'agora um texto').waitFor()

  await page.goto(`/contacts/${await idOf(empty)}`)
  await page.getByText('Nenhum arquivo ainda').waitFor()
  let fails = true
  await page.route('**/api/contacts/*/files*', (route) => (fails ? route.fulfill({ status: 500, json: {} }) : route.continue()))
  await page.goto(`/contacts/${await idOf(customer)}`)
  const section = page.getByRole('region', { name: 'Arquivos' })
  await section.getByRole('button', { name: /Tentar/ }).waitFor()
  await admin.shot('contact-files-failed')
  fails = false
  await section.getByRole('button', { name: /Tentar/ }).click()
  await files.first().waitFor()
  expect(admin.wrong.filter((line) => !line.includes('500'))).toEqual([])
})

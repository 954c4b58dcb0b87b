import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a contact’s page proposes, merges and separates another contact (A-MERGE-01)', async () => {
  const ticket = await on.says({ name: 'Iara Mescla', number: '5511944480071' }, 'Oi, aqui é a Iara')
  const iara = (await on.ask('GET', '/contacts?searchParam=5511944480071')).body.contacts[0]
  const caio = (await on.ask('POST', '/contacts', { name: 'Caio Mescla', number: '5511944480072', email: 'mescla@x.test' })).body
  await on.ask('PUT', `/contacts/${iara.id}`, { email: 'mescla@x.test', extraInfo: [{ name: 'CPF', value: '222' }] })
  await on.ask('PUT', `/contacts/${caio.id}`, { extraInfo: [{ name: 'CPF', value: '111' }] })
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('searchbox').fill('Iara Mescla')
  await page.getByRole('link', { name: 'Iara Mescla' }).click()
  await page.locator('[data-part=contact-page]').waitFor()
  await page.locator('[data-part=contact-ids]').getByText('94448-0071').waitFor()
  await page
    .locator('[data-part=contact-tickets]')
    .getByRole('link', { name: new RegExp(`#${ticket.id}`) })
    .waitFor()
  await page.locator('[data-part=contact-similar]').getByText('mesmo e-mail').waitFor()
  expect(await faultsOf(page, 'contact page')).toEqual([])
  await admin.shot('contact-page')

  await page.getByRole('button', { name: 'Mesclar contatos…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Mesclar contatos' })
  await dialog
    .locator('[data-part=merge-proposals]')
    .getByRole('button', { name: /Caio Mescla/ })
    .click()
  expect(await dialog.locator('[data-part=merge-source]').innerText()).toContain('Caio Mescla')
  await dialog.getByRole('button', { name: 'Inverter' }).click()
  expect(await dialog.locator('[data-part=merge-target]').innerText()).toContain('Caio Mescla')
  await dialog.getByRole('button', { name: 'Inverter' }).click()
  expect(await dialog.locator('[data-part=merge-conflicts]').innerText()).toContain('Nome')
  const field = dialog.locator('[data-part=merge-field]')
  expect(await field.getByRole('radio', { name: 'Os dois' }).isChecked()).toBe(true)
  await field.getByRole('radio', { name: '111 (de Caio Mescla)' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Inverter' }).click()
  await dialog.getByRole('button', { name: 'Inverter' }).click() // the choice stays with its contact
  expect(await field.getByRole('radio', { name: '111 (de Caio Mescla)' }).isChecked()).toBe(true)
  expect(await faultsOf(page, 'merge dialog')).toEqual([])
  await admin.shot('merge-dialog')
  await dialog.getByRole('button', { name: 'Mesclar Caio Mescla em Iara Mescla' }).click()
  const merges = page.locator('[data-part=contact-merges]')
  await merges.getByText('Caio Mescla').waitFor()
  await page.locator('[data-part=contact-ids]').getByText('94448-0072').waitFor()
  const cpfs = async (id: number) => (await on.ask('GET', `/contacts/${id}`)).body.extraInfo.map(({ value }: { value: string }) => value)
  expect(await cpfs(iara.id)).toEqual(['111'])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.shot('contact-page-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Excluir', exact: true }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('Com ele são excluídos os contatos mesclados: Caio Mescla.').waitFor()
  await asked.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByRole('button', { name: 'Desfazer', exact: true }).first().click()
  await merges.waitFor({ state: 'detached' })
  await page.locator('[data-part=contact-similar]').getByRole('button', { name: 'Mesclar com Caio Mescla' }).waitFor()
  expect([await cpfs(iara.id), await cpfs(caio.id)]).toEqual([['222'], ['111']])
  await page.goBack()
  await page.getByRole('button', { name: 'Mesclar Iara Mescla com outro contato' }).waitFor()
  await page.goto(new URL('/contacts/999999', page.url()).href)
  await page.getByText('Este contato não existe mais').waitFor()
  expect((await on.ask('GET', `/contacts/${caio.id}`)).body.name).toBe('Caio Mescla')
  expect(admin.wrong.filter((line) => !line.includes('404'))).toEqual([])
})

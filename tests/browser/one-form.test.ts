import { afterAll, beforeAll, expect, it } from 'vitest'
import { bubble, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('the drawer edits a contact in the contacts’ form, and a group’s number cannot change', async () => {
  const group = { id: '120363000000000999@g.us', name: 'Mutirão do Bairro' }
  const { id, uuid } = await on.says({ name: 'Lia', number: '5511944560001', group }, 'Começamos sábado')
  const admin = await on.enter('admin@demo.test', { at: `/tickets/${uuid}` })
  const { page } = admin
  await bubble(page, 'Começamos sábado').waitFor()
  const edit = page.getByRole('complementary', { name: 'Contato' }).getByRole('button', { name: 'Editar contato' })
  if ((await page.getByRole('complementary', { name: 'Contato' }).count()) === 0)
    await page.locator('[data-part=head] [data-part=head-name]').click()
  await edit.click()
  const form = page.getByRole('dialog', { name: 'Editar contato' })
  await form.getByLabel('Nome', { exact: true }).fill('Mutirão do Bairro Alto')
  expect(await form.getByLabel(/^Número/).count()).toBe(0)
  await form.getByRole('group', { name: 'Tags' }).waitFor()
  await form.getByText('Desligar o bot para este contato').waitFor()
  await admin.shot('drawer-form')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('complementary', { name: 'Contato' }).getByText('Mutirão do Bairro Alto').waitFor()
  const next = await on.says(
    { name: 'Lia', number: '5511944560001', group: { ...group, name: 'Mutirão do Bairro Alto' } },
    'E domingo também',
  )
  expect(next.id).toBe(id)
  expect(admin.wrong).toEqual([])
})

it('contacts and list open a ticket in the same dialog, with errors at the fields', async () => {
  const ana = await on.enter('ana@demo.test', { at: '/contacts' })
  const { page } = ana
  const dialog = page.getByRole('dialog', { name: 'Novo atendimento' })
  await page
    .getByRole('button', { name: /^Conversar com / })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Abrir atendimento' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Selecione uma fila' }).waitFor()
  await ana.shot('new-ticket-contacts')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.goto('/tickets')
  await page.getByRole('button', { name: 'Novo atendimento' }).click()
  await dialog.getByRole('button', { name: 'Abrir atendimento' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Escolha um contato' }).waitFor()
  await dialog.getByRole('alert').filter({ hasText: 'Selecione uma fila' }).waitFor()
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByPlaceholder(/Nome ou número/).fill('Zuleica Inédita')
  await dialog.getByRole('button', { name: 'Criar o contato “Zuleica Inédita”' }).click()
  const form = page.getByRole('dialog', { name: 'Novo contato' })
  expect(await form.getByLabel('Nome', { exact: true }).inputValue()).toBe('Zuleica Inédita')
  await form.getByLabel(/^Número/).fill('11 94456-0002')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await dialog.getByText('Zuleica Inédita').waitFor()
  await ana.shot('new-ticket-list')
  await dialog.getByRole('button', { name: 'Abrir atendimento' }).click()
  await page.waitForURL(/\/tickets\/[\da-f-]{36}/)
  await page.locator('[data-part=head]').getByText('Zuleica Inédita').waitFor()

  await page.goto('/contacts')
  await page.getByRole('searchbox').fill('Zuleica Inédita')
  await page.getByRole('button', { name: 'Conversar com Zuleica Inédita' }).click()
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Abrir atendimento' }).click()
  await page.waitForURL(/\/tickets\/[\da-f-]{36}/) // the agent's own ticket is simply opened
  expect(ana.wrong).toEqual([])
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('deleting a queue names what still uses it, and moves its tickets elsewhere (A-QUEUE-01)', async () => {
  const { uuid } = await on.says({ name: 'Quirino Fila', number: '5511944570001' }, 'Em que fila estou?')
  const admin = await on.enter('admin@demo.test')
  const { page } = admin
  expect((await on.ask('POST', '/queue', { name: 'Fila de passagem', color: '#123abc' })).status).toBeLessThan(300)
  await page.goto(`/tickets/${uuid}`)
  await accept(page, 'Fila de passagem')
  await page.goto('/queues')
  const row = page.getByRole('row').filter({ hasText: 'Fila de passagem' })
  await row.getByRole('button', { name: /Excluir/ }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.getByRole('button', { name: 'Excluir', exact: true }).click()
  const use = dialog.locator('[data-part=counts] div').filter({ hasText: /Atendimentos|atendimentos/ })
  await use.waitFor()
  expect(await use.locator('dd').innerText()).toBe('1')
  await admin.shot('queue-in-use')
  const verb = dialog.locator('.bp6-dialog-footer-actions button').last()
  expect(await verb.isDisabled()).toBe(true)
  await dialog.locator('select').selectOption({ label: 'Vendas' })
  await verb.click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/tickets/u/${uuid}`)).body.queue.name).toBe('Vendas')
  expect(admin.wrong).toEqual([])
})

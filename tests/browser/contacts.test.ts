import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { chooseOf, type Scene, scene, tick } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('an admin deletes a contact, and not while it has an active ticket (A-CONTACT-01)', async () => {
  await on.says({ name: 'Caio Ocupado', number: '5511944480042' }, 'Oi')
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  expect((await on.ask('POST', '/contacts', { name: 'Duda Livre', number: '5511944480043' })).status).toBe(200)
  const remove = async (name: string) => {
    await page.getByRole('searchbox').fill(name)
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('button', { name: `Excluir: ${name}` })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  }
  await remove('Duda Livre')
  await page.getByText('Contato excluído').waitFor()
  await page.getByRole('row', { name: /Duda Livre/ }).waitFor({ state: 'detached' })
  const refused = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await remove('Caio Ocupado')
  expect((await refused).status()).toBe(409)
  expect(await page.getByRole('row', { name: /Caio Ocupado/ }).count()).toBe(1)
  expect(admin.wrong).toEqual([])
})

it('a contact is blocked after a confirmation and unblocked at once (R-CONTACT-01)', async () => {
  const ticket = await on.says({ name: 'Bia Insistente', number: '5511944480041' }, 'Oi?')
  const ana = await on.enter('ana@demo.test', { at: '/contacts' })
  const { page } = ana
  await page.getByRole('searchbox').fill('Bia Insist')
  const row = page.getByRole('row', { name: /Bia Insistente/ })
  await row.getByRole('button', { name: 'Bloquear: Bia Insistente' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
  expect(await row.getByRole('button', { name: 'Conversar com Bia Insistente' }).isEnabled()).toBe(true)
  await row.getByRole('button', { name: 'Bloquear: Bia Insistente' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquear' }).click()
  await page.getByText('Contato bloqueado').waitFor()
  await row.getByText('Bloqueado', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: 'Conversar com Bia Insistente' }).isDisabled()).toBe(true)
  await ana.shot('contact-blocked')
  await page.getByRole('searchbox').fill('')
  const kind = page.getByLabel('Tipo de contato')
  await kind.selectOption({ label: 'Só bloqueados' })
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await row.waitFor()
  await kind.selectOption({ label: 'Só grupos' })
  await row.waitFor({ state: 'detached' })
  await kind.selectOption({ label: 'Só bloqueados' })
  await page.getByLabel('Canal', { exact: true }).selectOption('facebook')
  await row.waitFor({ state: 'detached' })
  await page.getByText('Nenhum contato com estes filtros').waitFor()
  await page.getByLabel('Canal', { exact: true }).selectOption('whatsapp')
  await page.getByLabel('Último contato').selectOption('never')
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('Último contato').selectOption('period')
  await page.getByLabel('Período').selectOption({ label: 'Hoje' })
  await row.waitFor()
  expect(page.url()).toMatch(/kind=blocked&channel=whatsapp&last=period&from=/)
  await page.reload()
  await row.waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await ana.shot('contacts-filtered')
  await row.getByRole('button', { name: 'Desbloquear: Bia Insistente' }).click()
  await page.getByText('Contato desbloqueado').waitFor()
  await row.waitFor({ state: 'detached' })
  await kind.selectOption({ label: 'Todos os contatos' })
  await row.getByRole('button', { name: 'Bloquear: Bia Insistente' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquear' }).click()
  await row.getByText('Bloqueado', { exact: true }).waitFor()
  await kind.selectOption({ label: 'Só bloqueados' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await ana.shot('contacts-blocked-390')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto(`/tickets/${ticket.uuid}`)
  await page.locator('[data-part=head-who]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato' })
  await drawer.getByText('Bloqueado', { exact: true }).waitFor()
  await ana.shot('drawer-blocked')
  await drawer.getByRole('button', { name: 'Desbloquear' }).click()
  await page.getByText('Contato desbloqueado').waitFor()
  await drawer.getByRole('button', { name: 'Bloquear' }).waitFor()
  expect(await drawer.getByText('Bloqueado', { exact: true }).count()).toBe(0)
  expect(ana.wrong).toEqual([])
})

it('bot and voice messages are switched in the drawer, the bot in the menu too (R-BOT-05)', async () => {
  const ticket = await on.says({ name: 'Nara Robô', number: '5511955510177' }, 'Oi, é um robô?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const { page } = ana
  const { contactId } = (await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body
  const stored = async () => {
    const { disableBot, acceptAudioMessage } = (await on.ask('GET', `/contacts/${contactId}`)).body
    return { disableBot, acceptAudioMessage }
  }
  await page.locator('[data-part=head-who]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato' })
  const bot = drawer.getByRole('checkbox', { name: 'O bot responde' })
  await tick(bot)
  await page.getByText('O bot não responde mais a Nara Robô.').waitFor()
  await tick(drawer.getByRole('checkbox', { name: 'Aceitar áudios' }))
  await page.getByText('Áudios de Nara Robô não são aceitos.').waitFor()
  expect(await stored()).toEqual({ disableBot: true, acceptAudioMessage: false })
  await ana.shot('drawer-switches')
  await page.getByRole('button', { name: 'Desfazer' }).last().click()
  await expect.poll(stored).toEqual({ disableBot: true, acceptAudioMessage: true })
  await chooseOf(page, 'Ligar o bot para este contato')
  await page.getByText('O bot volta a responder a Nara Robô.').waitFor()
  await expect.poll(() => bot.isChecked()).toBe(true)
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Desligar o bot para este contato' }).waitFor()
  expect(await stored()).toEqual({ disableBot: false, acceptAudioMessage: true })
  expect(ana.wrong).toEqual([])
})

it('extra fields have their types in the settings, the form, the page and the drawer', async () => {
  const ticket = await on.says({ name: 'Nina Extra', number: '5511944480051' }, 'Oi')
  const { contactId } = (await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body
  await on.ask('PUT', `/contacts/${contactId}`, { extraInfo: [{ name: 'Aniversário', value: 'no verão' }] })
  const admin = await on.enter('admin@demo.test', { at: '/settings' })
  const { page } = admin
  const fields = page.getByLabel('Informações extras dos contatos')
  await fields.fill('Renda: número\nNascimento: data\nCliente: sim/não\nPlano: lista: Ouro, Prata\nAniversário: data')
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await page.getByText('Informações extras dos contatos: ').waitFor()
  await admin.shot('contact-fields-setting')
  await page.goto('/contacts')
  await page.getByRole('searchbox').fill('Nina Extra')
  await page.getByRole('button', { name: 'Editar: Nina Extra' }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar contato' })
  await dialog.getByRole('tab', { name: 'Informações extras' }).click()
  expect(await dialog.getByLabel('Aniversário').inputValue()).toBe('no verão') // stored before the field got its type
  await dialog.getByLabel('Nascimento').fill('1990-03-01')
  await dialog.getByLabel('Cliente').selectOption({ label: 'Sim' })
  await dialog.getByLabel('Plano').selectOption('Prata')
  await dialog.getByLabel('Renda').fill('mil')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByText('Escreva um número, como 1250,5.').waitFor()
  await admin.shot('contact-fields-form')
  expect(await faultsOf(page, 'extra fields')).toEqual([])
  await dialog.getByLabel('Renda').fill('1250,5')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Nina Extra' }).click()
  const shown = ['1.250,5', '01/03/1990', 'Sim', 'Prata', 'no verão']
  for (const text of shown) await page.locator('dd').getByText(text, { exact: true }).waitFor()
  await admin.shot('contact-fields-page')
  await page.goto(`/tickets/${ticket.uuid}`)
  await page.locator('[data-part=head-who]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato' })
  for (const text of shown) await drawer.locator('dd').getByText(text, { exact: true }).waitFor()
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const file = { name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from('Nome;Número;Nascimento\nNilo;5511944480052;03/04/1990\n') }
  await page.locator('input[type=file]').setInputFiles(file)
  expect(await page.locator('[data-part=import-dates]').innerText()).toContain('dia/mês/ano')
  expect(admin.wrong).toEqual([])
})

it('an impossible date is refused at its field, and the stored date stays', async () => {
  await on.ask('PUT', '/settings/contactFields', { value: 'Nascimento: data' })
  const contact = { name: 'Dora Datada', number: '5511944480054', extraInfo: [{ name: 'Nascimento', value: '1990-03-31' }] }
  const { id } = (await on.ask('POST', '/contacts', contact)).body
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('searchbox').fill('Dora Datada')
  await page.getByRole('button', { name: 'Editar: Dora Datada' }).click()
  const dialog = page.getByRole('dialog', { name: 'Editar contato' })
  await dialog.getByRole('tab', { name: 'Informações extras' }).click()
  const field = dialog.getByLabel('Nascimento')
  const isBad = () => field.evaluate((input: HTMLInputElement) => input.validity.badInput)
  await field.focus()
  for (let part = 0; part < 2; part++) {
    await page.keyboard.press('ArrowDown') // 31 March becomes 31 February or 30 March, by the order of the browser
    if (await isBad()) break
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
  }
  expect(await isBad()).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.getByText('Data inválida').waitFor()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByRole('alert').getByText('Data inválida').waitFor()
  await admin.shot('impossible-date')
  expect((await on.ask('GET', `/contacts/${id}`)).body.extraInfo).toMatchObject(contact.extraInfo)
  await field.fill('1990-02-28')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/contacts/${id}`)).body.extraInfo).toMatchObject([{ name: 'Nascimento', value: '1990-02-28' }])
  expect(admin.wrong).toEqual([])
})

it('a filter with an impossible date says so and keeps the days', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/kanban' })
  const { page } = admin
  const from = page.getByLabel('De', { exact: true })
  await from.fill('2026-03-31')
  await from.focus()
  for (let part = 0; part < 2; part++) {
    await page.keyboard.press('ArrowDown')
    if (await from.evaluate((input: HTMLInputElement) => input.validity.badInput)) break
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
  }
  await page.getByRole('alert').getByText('Data inválida').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Data inválida').waitFor({ state: 'detached' })
  expect(await from.inputValue()).toBe('2026-03-31')
  expect(admin.wrong).toEqual([])
})

it('a list that many contacts enter at once shows a page of them and counts the others', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  const rows = page.locator('[data-part=table] tbody tr')
  await rows.first().waitFor()
  const before = await rows.count()
  for (let n = 10; n < 35; n++) {
    const contact = { name: `Muitos ${n}`, number: `55119444900${n}` }
    expect((await on.ask('POST', '/contacts', contact)).status).toBe(200)
  }
  const notice = page.getByText('5 linhas novas ou alteradas ainda não aparecem aqui.')
  await notice.waitFor()
  expect(await rows.count()).toBe(before + 20)
  await admin.shot('contacts-arrived')
  await page.getByRole('button', { name: 'Mostrar', exact: true }).click()
  await notice.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
})
afterAll(() => on?.clear())

const form = () => admin.page.getByRole('dialog')
const row = (text: string) => admin.page.getByRole('row').filter({ hasText: text })
async function save(): Promise<void> {
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
}

it('a file list is created, filled, reordered, and names refused files (R-FILE-02, R-FILE-03)', async () => {
  const { page } = admin
  const entry = (n: number) => form().locator('[data-part=file-entry]').nth(n)
  const choose = (n: number, name: string, mimeType: string, buffer: Buffer) =>
    entry(n).locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#1f83c4', noise } })
    .png()
    .toBuffer()
  await page.goto('/files')
  await page.getByText('Nenhuma lista de arquivos ainda').waitFor()
  await page.getByRole('button', { name: 'Nova lista' }).first().click()
  await form().getByLabel('Nome', { exact: true }).fill('Catálogo')
  await form().getByLabel('Mensagem').fill('Segue o nosso catálogo')
  await form().getByRole('button', { name: 'Adicionar arquivo' }).click()
  await choose(0, 'valores.csv', 'text/csv', Buffer.from('a;b'))
  await entry(0).getByRole('alert').filter({ hasText: 'use imagens PNG ou JPG' }).waitFor()
  await choose(0, 'contrato.pdf', '', Buffer.from('%PDF-1.4')) // some systems know no type
  await expect.poll(() => entry(0).getByLabel('Nome do arquivo 1').inputValue()).toBe('contrato')
  await entry(0).getByLabel('Nome do arquivo 1').fill('')
  await choose(0, 'capa.png', 'image/png', picture)
  await expect.poll(() => entry(0).getByLabel('Nome do arquivo 1').inputValue()).toBe('capa')
  await form().getByRole('button', { name: 'Adicionar arquivo' }).click()
  const photo = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#888888', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
  await choose(1, 'verso.jpg', 'image/jpeg', photo) // above two megabytes before it is shrunk
  await entry(1).getByText('verso.jpg').waitFor()
  await form().getByRole('button', { name: 'Subir o arquivo 2' }).click()
  await admin.shot('file-list-form')
  await save()
  const stored = async () => (await on.ask('GET', '/files?searchParam=catalogo')).body.files[0].options
  const [back, cover] = await Promise.all(
    (await stored()).map(async ({ path }: any) => Buffer.from(await (await page.request.get(path)).body())),
  )
  expect([back!.length < photo.length / 2, cover!.length < picture.length / 2]).toEqual([true, true])
  expect(await sharp(back).metadata()).toMatchObject({ format: 'jpeg', width: 2048, height: 1024 })
  expect(await sharp(cover).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 400 })
  expect((await stored()).map(({ name, path }: any) => [name, path !== null])).toEqual([
    ['verso', true],
    ['capa', true],
  ])
  await row('Catálogo')
    .getByRole('button', { name: /Editar/ })
    .click()
  await entry(0).getByRole('button', { name: 'Retirar verso.jpg' }).click()
  await form().getByRole('button', { name: 'Remover o arquivo 2' }).click()
  await save()
  expect((await stored()).map(({ name, path }: any) => [name, path])).toEqual([['verso', null]])
  await admin.shot('file-lists')
  await row('Catálogo')
    .getByRole('button', { name: /Excluir/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await page.getByText('Nenhuma lista de arquivos ainda').waitFor()
})

const flat = (background: string) =>
  sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer()
it('a file list is previewed, then sent as text and one message a file (R-FILE-01, A-BOT-07)', async () => {
  const customer = { name: 'Marta Arquivo', number: '5511944460001' }
  const { uuid } = await on.says(customer, 'Me manda a proposta?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  const { body: list } = await on.ask('POST', '/files', { name: 'Boas-vindas', message: 'Olá, {nome}! Segue tudo.', options: [] })
  const keeper = await on.keeper()
  const authorization = `Bearer ${await keeper.page.evaluate(() => localStorage.getItem('token'))}`
  for (const name of ['primeira.png', 'segunda.png']) {
    const files = { name, mimeType: 'image/png', buffer: await flat(name === 'primeira.png' ? '#aa3333' : '#3333aa') }
    const put = await keeper.context.request.post(`/api/files/uploadList/${list.id}`, { headers: { authorization }, multipart: { files } })
    expect(put.status()).toBe(200)
  }
  await on.ask('POST', '/files', { name: 'Ainda vazia', message: '-', options: [{ name: 'Contrato' }] })
  const before = (await on.got(customer.number)).length
  await page.locator('[data-part=composer]').getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Arquivos deste aparelho' }).waitFor()
  await ana.shot('attach-menu')
  await page.getByRole('menuitem', { name: /lista de arquivos/ }).click()
  const dialog = page.getByRole('dialog', { name: `Enviar arquivos a ${customer.name}` })
  await dialog.getByText('Sem arquivo ainda, fica de fora: Contrato').waitFor()
  await dialog.getByLabel('Lista', { exact: true }).selectOption({ label: 'Boas-vindas' })
  const leaves = dialog.getByRole('list', { name: 'Enviado nesta ordem' }).getByRole('listitem')
  expect((await leaves.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
    'Olá, Marta Arquivo! Segue tudo.',
    'primeira.png',
    'segunda.png',
  ])
  await ana.shot('file-list-send')
  await dialog.getByRole('button', { name: 'Enviar 3 mensagens' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await on.got(customer.number)).length).toBe(before + 3)
  const got = (await on.got(customer.number)).slice(before)
  expect(got.map(({ mime }) => mime)).toEqual([null, 'image/png', 'image/png'])
  expect(got[0]!.body).toContain('Olá, Marta Arquivo! Segue tudo.')
  expect(ana.wrong).toEqual([])
  await ana.leave()
})

it('a tag lists its contacts, and can be removed from and given back to one (R-TAG-03)', async () => {
  const { page } = admin
  const { id: tagId } = (await on.ask('POST', '/tags', { name: 'Sorteio', color: '#1f83c4' })).body
  const { id } = (await on.ask('POST', '/contacts', { name: 'Ana Sorteada', number: '5511944445555' })).body
  await on.ask('PUT', `/contacts/${id}/tags`, { added: [tagId], taken: [] })
  await page.goto('/tags')
  const count = row('Sorteio').getByRole('button', { name: /contatos? com a tag Sorteio/ })
  await count.filter({ hasText: '1' }).click()
  await form().getByText('Ana Sorteada').waitFor()
  await admin.shot('tag-contacts')
  await form().getByRole('button', { name: 'Retirar a tag de Ana Sorteada' }).click()
  await form().getByText('Nenhum contato tem esta tag.').waitFor()
  await count.filter({ hasText: '0' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await form().getByText('Ana Sorteada').waitFor()
})

it('a ticket moves through the lanes by menu, keys and pointer (R-KANBAN-01 to R-KANBAN-05)', async () => {
  const { page } = admin
  await page.goto('/TagsKanban')
  for (const name of ['Proposta', 'Fechado']) {
    await page.getByRole('button', { name: 'Nova coluna' }).first().click()
    await form().getByLabel('Nome', { exact: true }).fill(name)
    await save()
    await row(name).waitFor()
  }
  await row('Proposta')
    .getByRole('button', { name: /Editar/ })
    .click()
  const next = form().getByLabel('Próxima coluna', { exact: true })
  await expect.poll(() => next.getByRole('option').allTextContents()).toEqual(['Nenhuma', 'Fechado']) // not the lane itself
  await next.selectOption({ label: 'Fechado' })
  await form().getByLabel('Horas até a próxima coluna').fill('24')
  await form().getByLabel('Mensagem ao entrar').fill('Segue a proposta, {nome}')
  await form().locator('[data-part=text-preview]').getByText('Segue a proposta, ').waitFor()
  await admin.shot('lane-form')
  await save()
  await row('Proposta').getByText('Após 24 h: Fechado').waitFor()
  const { id } = await on.says({ name: 'Rui Raia', number: '5511933334444' }, 'Quero uma proposta')
  await page.getByRole('link', { name: 'Voltar para o Kanban' }).click()
  const lane = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) => lane(name).getByRole('listitem', { name: `Rui Raia, #${id}` })
  await card('Em aberto').getByText('Quero uma proposta').waitFor()
  expect(await page.getByLabel('Período').inputValue()).toBe('today')
  await admin.shot('kanban')
  await card('Em aberto').getByRole('combobox').selectOption({ label: 'Fechado' })
  await card('Fechado').waitFor()
  await card('Fechado').focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await card('Proposta').and(page.locator(':focus')).waitFor()
  await page.getByText('Atendimento retirado da coluna.', { exact: true }).waitFor() // R-KANBAN-02
  await page.getByText('Atendimento adicionado à coluna. Rui Raia agora está em Proposta.').waitFor()
  await page.getByRole('button', { name: 'Desfazer' }).last().click()
  await card('Fechado').waitFor()
  await card('Fechado').dragTo(lane('Em aberto'))
  await card('Em aberto').waitFor()
  expect((await on.ask('GET', '/ticket/kanban')).body.tickets.find((one: any) => one.id === id).laneId).toBeNull()
  const { id: lanes } = (await on.ask('GET', '/tag/kanban')).body.lista.find((one: any) => one.name === 'Proposta')
  await on.ask('PUT', `/ticket-tags/${id}/${lanes}`)
  await card('Proposta').waitFor() // another user moved it
  const group = await on.says(
    { name: 'Gil', number: '5511933334445', group: { id: '551199-77@g.us', name: 'Feira de sábado' } },
    'Quem leva o som?',
  )
  await on.ask('PUT', `/ticket-tags/${group.id}/${lanes}`)
  await on.ask('PUT', `/tickets/${id}`, { amount: 500 })
  await lane('Proposta').locator('[data-part=worth]').filter({ hasText: '500,00' }).waitFor()
  expect(await page.getByRole('listitem', { name: /Feira de sábado/ }).count()).toBe(0) // a group is neither waiting nor served (A-LANE-03)
  await page.setViewportSize({ width: 2560, height: 900 })
  const wide = await page.locator('[data-part=board]').evaluate((board) => board.clientWidth)
  expect(wide).toBe(1200) // R-KANBAN-04
  await admin.shot('kanban-wide')
  await page.setViewportSize({ width: 1440, height: 900 })
  await card('Proposta').getByRole('link', { name: 'Ver atendimento' }).click()
  const amount = page.getByRole('complementary').getByLabel('Valor', { exact: true })
  const who = page.locator('[data-part=head] [data-part=head-who]')
  await who.waitFor()
  if (!(await amount.isVisible())) await who.click()
  await expect.poll(() => amount.inputValue()).toBe('500,00')
  await amount.fill('mil')
  await amount.press('Enter')
  await page.getByRole('complementary').getByRole('alert').filter({ hasText: 'Digite um valor' }).waitFor()
  await amount.fill('1.234,5')
  await amount.press('Enter')
  await expect.poll(() => amount.inputValue()).toBe('1.234,50')
  await admin.shot('amount')
  await page.reload() // without the notices of the earlier moves
  const choice = page.getByRole('complementary').getByLabel('Coluna do Kanban')
  await expect.poll(() => choice.locator('option:checked').innerText()).toBe('Proposta')
  await choice.selectOption({ label: 'Fechado' })
  await page.getByText('Atendimento adicionado à coluna. Rui Raia agora está em Fechado.').waitFor()
  await page.getByRole('button', { name: 'Desfazer' }).last().click()
  await expect.poll(() => choice.locator('option:checked').innerText()).toBe('Proposta')
  await page.goto('/Kanban')
  await lane('Proposta').locator('[data-part=worth]').filter({ hasText: '1.234,50' }).waitFor()
  await page.goto('/TagsKanban')
  await row('Proposta').getByRole('cell', { name: '1', exact: true }).waitFor()
  await on.ask('DELETE', `/ticket-tags/${id}`)
  await row('Proposta').getByRole('cell', { name: '0', exact: true }).waitFor()
  await on.ask('PUT', `/ticket-tags/${id}/${lanes}`)
  await page.route('**/api/ticket/kanban?*', (route) => route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } }))
  await page.goto('/Kanban')
  const again = page.getByRole('alert').getByRole('button', { name: 'Tentar de novo' })
  await again.waitFor() // it failed to load: empty, with a retry button
  expect(await lane('Proposta').count()).toBe(0)
  await page.unroute('**/api/ticket/kanban?*')
  await again.click()
  await card('Proposta').waitFor()
  await page.getByLabel('De', { exact: true }).fill('2020-01-01')
  await page.getByLabel('Até', { exact: true }).fill('2020-01-02')
  const older = page.getByRole('status').filter({ hasText: 'atendimentos de outros dias seguem em andamento' })
  await page.setViewportSize({ width: 390, height: 800 })
  await older.waitFor()
  await admin.shot('kanban-older')
  await older.getByRole('button', { name: 'Mostrar todos' }).click()
  await card('Proposta').waitFor()
  await admin.shot('kanban-narrow')
})

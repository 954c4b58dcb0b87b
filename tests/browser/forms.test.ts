import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
let page: Page
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
  page = admin.page
})
afterAll(() => on?.clear())

const form = () => page.getByRole('dialog')
const made = async (path: string, body: object): Promise<{ id: number }> => (await on.ask('POST', path, body)).body
async function openForm(path: string, row: string): Promise<void> {
  await page.goto(path)
  await page
    .getByRole('row')
    .filter({ hasText: row })
    .getByRole('button', { name: /Editar/ })
    .click()
  await form().waitFor()
}
async function save(): Promise<void> {
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
}

it('saving a queue, reply or contact keeps changes of another user in other fields', async () => {
  const queue = await made('/queue', { name: 'Fila a quatro mãos', color: '#0a1b2c', greetingMessage: 'Antes', orderQueue: null })
  await openForm('/queues', 'Fila a quatro mãos')
  await on.ask('PUT', `/queue/${queue.id}`, { greetingMessage: 'Do outro' })
  await form()
    .getByLabel(/^Ordem/)
    .fill('4')
  await save()
  expect((await on.ask('GET', `/queue/${queue.id}`)).body).toMatchObject({ greetingMessage: 'Do outro', orderQueue: 4 })

  const reply = await made('/quick-messages', { shortcode: 'maos', message: 'Antes', geral: true })
  await openForm('/quick-messages', '/maos')
  await on.ask('PUT', `/quick-messages/${reply.id}`, { message: 'Do outro' })
  await form().getByLabel('Atalho').fill('quatromaos')
  await save()
  expect((await on.ask('GET', `/quick-messages/${reply.id}`)).body).toMatchObject({ message: 'Do outro', shortcode: 'quatromaos' })

  const contact = await made('/contacts', { name: 'Aaa Quatro Mãos', number: '5511955510101' })
  const [mine, theirs] = [
    await made('/tags', { name: 'Marca minha', color: '#112233' }),
    await made('/tags', { name: 'Marca do outro', color: '#112244' }),
  ]
  await openForm('/contacts', 'Aaa Quatro Mãos')
  await on.ask('PUT', `/contacts/${contact.id}`, { email: 'outro@demo.test' })
  await on.ask('PUT', `/contacts/${contact.id}/tags`, { added: [theirs.id], taken: [] })
  await form().getByLabel('Nome', { exact: true }).fill('Aaa Quatro Mãos Dadas')
  await form().getByRole('button', { name: 'Marca minha' }).click()
  await save()
  const now = (await on.ask('GET', `/contacts/${contact.id}`)).body
  expect(now).toMatchObject({ name: 'Aaa Quatro Mãos Dadas', email: 'outro@demo.test' })
  expect(new Set(now.tags.map(({ id }: { id: number }) => id))).toEqual(new Set([mine.id, theirs.id]))
})

it('an open form says that its record was deleted, and its text can be copied', async () => {
  const tag = await made('/tags', { name: 'Some num instante', color: '#223344' })
  await openForm('/tags', 'Some num instante')
  await form().getByLabel('Nome').fill('Palavras que não se perdem')
  expect((await on.ask('DELETE', `/tags/${tag.id}`)).status).toBe(204)
  await form()
    .getByText(/foi excluído por outra pessoa/)
    .waitFor()
  expect(await form().getByRole('button', { name: 'Salvar' }).count()).toBe(0)
  await admin.shot('form-gone')
  await form().getByRole('button', { name: 'Copiar o que digitei' }).click()
  await page.getByText('Copiado', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Palavras que não se perdem')
  expect(await form().getByLabel('Nome').inputValue()).toBe('Palavras que não se perdem')
})

it('an open form says that its permission was revoked, and its text can be copied', async () => {
  const { id } = (await on.ask('GET', '/users/list')).body.find(({ email }: { email: string }) => email === 'ana@demo.test')
  const may = (allowConnections: 'enabled' | 'disabled') => on.ask('PUT', `/users/${id}`, { allowConnections })
  expect((await may('enabled')).status).toBe(200)
  const ana = await on.enter('ana@demo.test', { at: '/connections' })
  const theirs = ana.page.getByRole('dialog')
  await ana.page
    .getByRole('button', { name: /Editar/ })
    .first()
    .click()
  await theirs.getByLabel('Nome').fill('Nome que ainda não foi salvo')
  expect((await may('disabled')).status).toBe(200)
  await theirs.getByText('Sua permissão para esta tela foi retirada.').waitFor()
  expect(await theirs.getByRole('button', { name: 'Salvar' }).count()).toBe(0)
  await ana.shot('form-lost')
  await theirs.getByRole('button', { name: 'Copiar o que digitei' }).click()
  await ana.page.getByText('Copiado', { exact: true }).waitFor()
  await theirs.getByRole('button', { name: 'Cancelar' }).click()
  await theirs.getByRole('button', { name: 'Descartar' }).click()
  await theirs.waitFor({ state: 'detached' })
  await ana.page.getByRole('heading', { name: /acesso/ }).waitFor()
})

it('a form explains why the only default stays, and form and code report a deleted connection', async () => {
  const named = (name: string) => made('/whatsapp', { name, channel: 'whatsapp', provider: 'sandbox' })
  const [edited, linked] = [await named('Balcão que some'), await named('Celular que some')]
  const { name } = (await on.ask('GET', '/whatsapp')).body.find(({ isDefault }: { isDefault: boolean }) => isDefault)
  await openForm('/connections', name)
  await form().getByLabel('Padrão', { exact: true }).press('Space')
  await form().getByRole('tab', { name: 'Mensagens' }).click()
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().getByRole('tab', { name: 'Geral', selected: true }).waitFor()
  await form()
    .getByRole('alert')
    .getByText(/Marque outra como padrão/)
    .waitFor()
  await admin.shot('only-default')

  await openForm('/connections', 'Balcão que some')
  await form().getByLabel('Nome', { exact: true }).fill('Balcão novo')
  expect((await on.ask('DELETE', `/whatsapp/${edited.id}`)).status).toBe(204)
  await form()
    .getByText(/foi excluído por outra pessoa/)
    .waitFor()
  await form().getByRole('button', { name: 'Copiar o que digitei' }).waitFor()

  await page.goto('/connections')
  await page.getByRole('button', { name: 'Mostrar código: Celular que some' }).click()
  const scan = form().getByRole('button', { name: 'Ler com o celular do simulador' })
  await scan.waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur()) // the focused element was removed
  await page.keyboard.press('Escape')
  await form().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Mostrar código: Celular que some' }).click()
  await scan.waitFor()
  expect((await on.ask('DELETE', `/whatsapp/${linked.id}`)).status).toBe(204)
  await page.getByText('Outra pessoa excluiu a conexão Celular que some').waitFor()
  await form().waitFor({ state: 'detached' })
})

it('a record that only leaves the search is not reported as deleted', async () => {
  const tag = await made('/tags', { name: 'Sai da busca', color: '#223355' })
  await page.goto('/tags')
  await page.getByRole('searchbox').or(page.getByPlaceholder('Buscar')).first().fill('sai da')
  await page
    .getByRole('row')
    .filter({ hasText: 'Sai da busca' })
    .getByRole('button', { name: /Editar/ })
    .click()
  const asked = page.waitForResponse((answer) => answer.url().endsWith(`/tags/${tag.id}`) && answer.request().method() === 'GET')
  await on.ask('PUT', `/tags/${tag.id}`, { name: 'Outro nome' })
  expect((await asked).status()).toBe(200)
  expect(await form().getByRole('button', { name: 'Salvar' }).count()).toBe(1)
})

it('a search ignores case and accents', async () => {
  await made('/queue', { name: 'İstanbul Pós-Venda', color: '#334455' })
  await page.goto('/queues')
  for (const sought of ['pos-venda', 'istanbul']) {
    await page.getByRole('searchbox').or(page.getByPlaceholder('Buscar')).first().fill(sought)
    await page.getByRole('row').filter({ hasText: 'İstanbul' }).waitFor()
  }
})

it('a field that the server refuses is shown from another tab: a used colour (R-QUEUE-02)', async () => {
  await made('/queue', { name: 'Fila azulada', color: '#0a1b3d', greetingMessage: null, orderQueue: null })
  await page.goto('/queues')
  await page.getByRole('button', { name: 'Nova fila' }).first().click()
  await form().getByLabel('Nome').fill('Outra azulada')
  await form().locator('input[type=color]').fill('#0a1b3d')
  await form().getByRole('tab', { name: 'Mensagens' }).click()
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().getByText('Esta cor já está em uso, escolha outra.').waitFor()
  await form()
    .getByRole('tab', { name: /Dados da fila.*1 campo a corrigir/ })
    .waitFor()
  await form().locator('input[type=color]').fill('#0a1b3e')
  await save()
})

it('an unusable number is refused at its field, and narrow screens show numbers and tags', async () => {
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Novo contato' }).first().click()
  await form().getByLabel('Nome', { exact: true }).fill('Ayşe Yılmaz')
  await form()
    .getByText(/Com o código de área/)
    .waitFor()
  await form()
    .getByLabel(/^Número/)
    .fill('912 345 678')
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form()
    .getByText(/não é um número válido/)
    .waitFor()
  await form()
    .getByLabel(/^Número/)
    .fill('11 95551-7070')
  await save()
  const narrow = await on.enter('admin@demo.test', { width: 390, height: 800, at: '/contacts' })
  await narrow.page.locator('[data-part=contact-more]').filter({ hasText: '+55' }).first().waitFor()
  await narrow.shot('contacts-390')
  expect(await narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await narrow.leave()
})

it('deleting a tag or a reply first tells how many contacts or users use it', async () => {
  admin = await on.enter('admin@demo.test') // the session on the narrow screen ended this one
  page = admin.page
  const tag = await made('/tags', { name: 'Tag em uso', color: '#335577' })
  for (const [at, number] of ['5511955510201', '5511955510202'].entries()) {
    const { id } = await made('/contacts', { name: `Com tag ${at}`, number })
    await on.ask('PUT', `/contacts/${id}/tags`, { added: [tag.id], taken: [] })
  }
  const asked = page.getByRole('alertdialog')
  await page.goto('/tags')
  await page
    .getByRole('row')
    .filter({ hasText: 'Tag em uso' })
    .getByRole('button', { name: /Excluir/ })
    .click()
  await asked.getByText(/2 contatos têm esta tag/).waitFor()
  await admin.shot('remove-tag')
  await asked.getByRole('button', { name: 'Excluir' }).click()
  await asked.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/tags/${tag.id}`)).status).toBe(404)

  await made('/quick-messages', { shortcode: 'de-todos', message: 'A de todos', geral: true })
  await page.goto('/quick-messages')
  await page
    .getByRole('row')
    .filter({ hasText: '/de-todos' })
    .getByRole('button', { name: /Excluir/ })
    .click()
  await asked.getByText(/Todos usam esta resposta/).waitFor()
  await asked.getByText('A de todos').waitFor()
  await asked.getByRole('button', { name: 'Cancelar' }).click()
})

it('a shortcode that equals a shared one is allowed with a hint', async () => {
  await made('/quick-messages', { shortcode: 'ışık', message: 'A de todos', geral: true })
  await page.goto('/quick-messages')
  await page.getByRole('button', { name: 'Nova resposta' }).first().click()
  const hint = form().getByText(/Já existe uma resposta de todos/)
  await form().getByLabel('Atalho').fill('/isi')
  expect(await hint.count()).toBe(0)
  await form().getByLabel('Atalho').fill('/ISIK')
  await hint.waitFor()
  await form().getByLabel('Mensagem').fill('A minha')
  await form().getByLabel('Atalho').fill('/isik novo')
  await form().getByLabel('Mensagem').focus()
  await form().getByRole('alert').getByText('Sem espaços').waitFor()
  await form().getByLabel('Atalho').fill('/ISIK')
  await admin.shot('shortcode-hint')
  await save()
  const found = async (sought: string) => (await on.ask('GET', `/quick-messages?searchParam=${sought}`)).body.records.length
  for (const sought of ['isik', encodeURIComponent('IŞIK'), encodeURIComponent('ışık')]) expect(await found(sought)).toBeGreaterThan(0)
})

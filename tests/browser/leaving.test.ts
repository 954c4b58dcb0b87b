import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInAs } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Sua conta/ }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
}
/** Everything that is stored on the device, as text. */
const device = (page: Page) =>
  page.evaluate(async () => {
    const shelves = await Promise.all(
      (await indexedDB.databases()).map(
        ({ name }) =>
          new Promise<string[]>((tell, fail) => {
            const opened = indexedDB.open(name!)
            opened.onerror = () => fail(opened.error)
            opened.onsuccess = () => {
              const asked = opened.result.transaction('files').objectStore('files').getAllKeys()
              asked.onsuccess = () => tell(asked.result.map(String))
            }
          }),
      ),
    )
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, shelves, await caches.keys()])
  })
/** The names and contents of the files stored unencrypted. */
const filesOnDevice = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((open, fail) => {
      const opened = indexedDB.open('guiche')
      opened.onerror = () => fail(opened.error)
      opened.onsuccess = () => open(opened.result)
    })
    const kept = await new Promise<{ files: File[] }[]>((tell) => {
      const asked = database.transaction('files').objectStore('files').getAll()
      asked.onsuccess = () => tell(asked.result)
    })
    database.close()
    return JSON.stringify(await Promise.all(kept.flatMap(({ files }) => files).map(async (file) => [file.name, await file.text()])))
  })
const bring = async (page: Page, name: string, number: string) => {
  const { uuid } = await on.says({ name, number }, `${name} pergunta`)
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
}

it('signing out lists unsent messages, can send them first, and leaves nothing on the device', async () => {
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await bring(page, 'Rita Rascunho', '5511944580001')
  await words(page).fill('Ainda não terminei')
  await bring(page, 'Nilo Nuvem', '5511944580002')
  let away = true
  await page.route('**/api/messages/*', (route) => (away && route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles({ name: 'recibo.txt', mimeType: 'text/plain', buffer: Buffer.from('pago') })
  await write(page, 'Segue o recibo')
  await bubble(page, 'Segue o recibo').getByText('recibo.txt').waitFor()
  await signOut(page)
  const asked = page.getByRole('alertdialog', { name: 'Sair do Guichê?' })
  await asked.getByText('1 mensagem ainda não foi enviada').waitFor()
  await asked.getByRole('listitem').filter({ hasText: 'Nilo Nuvem' }).getByText('Segue o recibo').waitFor()
  await asked.getByRole('listitem').filter({ hasText: 'Rita Rascunho' }).getByText('Ainda não terminei').waitFor()
  await ana.shot('leaving')
  await asked.getByRole('button', { name: 'Ficar' }).click()
  await asked.waitFor({ state: 'detached' })
  await bubble(page, 'Segue o recibo').waitFor()

  await signOut(page)
  await asked.getByRole('button', { name: 'Enviar e sair' }).hover() // the dialog is open: nothing is sent before the click
  away = false
  await asked.getByRole('button', { name: 'Enviar e sair' }).click()
  await eventually(
    () => on.got('5511944580002'),
    (got) => got.length === 1,
  )
  await asked.getByText('1 mensagem ainda não foi enviada').waitFor({ state: 'detached' })
  await asked.getByText('Ainda não terminei').waitFor() // the unsent draft is asked about again
  await asked.getByRole('button', { name: 'Sair e descartar' }).click()
  await page.waitForURL(/\/login$/)
  expect(await device(page)).not.toMatch(/Rita|Nilo|terminei|recibo|draft-|outbox-|\d+-out-/)
  expect(ana.wrong.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})

it('one click discards all unsent texts and files, and nothing unsent means no question', async () => {
  const bruno = await on.enter('bruno@demo.test')
  const { page } = bruno
  await bring(page, 'Vera Vazia', '5511944580003')
  await page.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles({ name: 'nota.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await write(page, 'Com a nota')
  await bubble(page, 'Com a nota').waitFor()
  await expect.poll(() => device(page)).toMatch(/-out-/)
  const note = page.getByRole('complementary').getByRole('textbox', { name: 'Nova observação' })
  if (!(await note.isVisible())) await page.locator('[data-part=head] [data-part=head-who]').click()
  await note.fill('Devolve na sexta')
  await page.locator('[data-part=composer]').getByRole('button', { name: 'Mensagem interativa' }).click()
  await page.getByRole('dialog').getByLabel('Título', { exact: true }).fill('Horários de sexta')
  await page.keyboard.press('Escape')
  await signOut(page)
  const lost = page.getByRole('alertdialog').getByRole('listitem')
  await lost.filter({ hasText: 'Devolve na sexta' }).getByText('Observação').waitFor()
  await lost.filter({ hasText: 'Horários de sexta' }).getByText('Mensagem interativa').waitFor()
  await bruno.shot('leaving-begun')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sair e descartar' }).click()
  await page.waitForURL(/\/login$/)
  expect(await device(page)).not.toMatch(/Vera|nota|draft-|outbox-|-out-/)
  await signInAs(bruno, 'bruno@demo.test')
  await page.getByRole('link', { name: 'Vera Vazia' }).click()
  await bubble(page, 'Vera Vazia pergunta').waitFor()
  expect(await bubble(page, 'Com a nota').count()).toBe(0)
  await signOut(page)
  await page.waitForURL(/\/login$/)
})

it('unsent messages survive a session that ends elsewhere, for their sender only', async () => {
  const bruno = await on.enter('bruno@demo.test')
  const { page } = bruno
  await bring(page, 'Eva Espera', '5511944580004')
  await page.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await write(page, 'Sai quando eu voltar')
  await bubble(page, 'Sai quando eu voltar').waitFor()
  const there = await on.enter('bruno@demo.test')
  await page.waitForURL(/\/login\?to=/)
  await there.leave()
  await page.unroute('**/api/messages/*')
  await page.goto('/login')
  await signInAs(bruno, 'bruno@demo.test')
  await eventually(
    () => on.got('5511944580004'),
    (got) =>
      got
        .map(({ body }) => body)
        .join()
        .includes('Sai quando eu voltar'),
  )

  await page.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'Eva Espera' }).click()
  await write(page, 'Só entre nós')
  await bubble(page, 'Só entre nós').waitFor()
  await words(page).fill('Frase pela metade')
  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles({ name: 'planta.txt', mimeType: 'text/plain', buffer: Buffer.from('segredo da planta') })
  await page.getByRole('list', { name: 'Anexos' }).getByText('planta.txt').waitFor()
  await (await on.enter('bruno@demo.test')).leave()
  await page.waitForURL(/\/login\?to=/)
  await page.unroute('**/api/messages/*')
  await signInAs(bruno, 'ana@demo.test') // another user signs in here
  await page.getByRole('button', { name: /^Sua conta/ }).waitFor()
  await expect.poll(() => device(page)).not.toMatch(/Só entre nós|pela metade|"(draft|outbox)-/)
  await expect.poll(() => filesOnDevice(page)).not.toMatch(/planta|segredo/)
  expect((await on.got('5511944580004')).map(({ body }) => body).join()).not.toContain('Só entre nós')
  await signOut(page)
  await page.waitForURL(/\/login$/)

  // it was encrypted for its owner, who finds it unchanged
  await signInAs(bruno, 'bruno@demo.test')
  await page.getByRole('link', { name: 'Eva Espera' }).click()
  await expect.poll(() => words(page).inputValue()).toBe('Frase pela metade')
  await page.getByRole('list', { name: 'Anexos' }).getByText('planta.txt').waitFor()
  const got = await eventually(
    () => on.got('5511944580004'),
    (all) => all.some(({ body }) => body.includes('Só entre nós')),
  )
  expect(got.filter(({ body }) => body.includes('Só entre nós'))).toHaveLength(1)
  expect(await device(page)).not.toMatch(/sealed-/)
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
})
afterAll(() => on?.clear())

const form = () => admin.page.getByRole('dialog')
const field = () => form().locator('[data-part=file-field]')
const choose = (name: string, buffer: Buffer, mimeType: string) =>
  field().locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
const row = (text: string) => admin.page.getByRole('row').filter({ hasText: text })
async function save(): Promise<void> {
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
}
const edit = (text: string) =>
  row(text)
    .getByRole('button', { name: /Editar/ })
    .click()
const listed = async (shortcode: string) =>
  (await on.ask('GET', `/quick-messages?searchParam=${shortcode}`)).body.records[0] as {
    id: number
    version: number
    mediaName: string | null
    mediaPath: string
  }

it('a form’s file is chosen, refused with a reason, shrunk, replaced, removed and restored', async () => {
  const { page } = admin
  /* A rotated photograph, as phones store it. */
  const noise = Buffer.alloc(3000 * 2000 * 3).map(() => Math.random() * 256)
  const photo = await sharp(noise, { raw: { width: 3000, height: 2000, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toBuffer()
  await page.goto('/quick-messages')
  await page.getByRole('button', { name: 'Nova resposta' }).click()
  await form().getByLabel('Atalho').fill('comfoto')
  await form().getByLabel('Mensagem').fill('Veja a foto')
  await form().getByText('Compartilhar com todos').click()
  await choose('programa.exe', Buffer.from('MZ'), 'application/x-msdownload')
  await field().getByRole('alert').filter({ hasText: 'programa.exe: este tipo de arquivo não é aceito' }).waitFor()
  await choose('falsa.png', Buffer.from('um texto'), 'image/png')
  await field().getByRole('alert').filter({ hasText: 'falsa.png não abre como imagem' }).waitFor()
  await choose('foto.jpg', photo, 'image/jpeg')
  await field().getByText('foto.jpg').waitFor()
  expect(await field().getByRole('alert').count()).toBe(0)
  await admin.shot('row-file-chosen')
  await save()
  const made = await listed('comfoto')
  expect(made.mediaName).toBe('foto.jpg')
  const stored = Buffer.from(await (await page.request.get(new URL(made.mediaPath, page.url()).href)).body())
  const { width, height, orientation = 1 } = await sharp(stored).metadata()
  expect([stored.length < photo.length, width, height, orientation]).toEqual([true, 1365, 2048, 1])

  await edit('/comfoto')
  await field().getByRole('button', { name: 'Retirar foto.jpg' }).click()
  await field().getByRole('status').filter({ hasText: 'foto.jpg será removido quando você salvar' }).waitFor()
  await admin.shot('row-file-goes')
  await field().getByRole('button', { name: 'Desfazer' }).click()
  await field().getByText('foto.jpg').waitFor()
  await field().getByRole('button', { name: 'Retirar foto.jpg' }).click()
  await form().getByRole('button', { name: 'Cancelar' }).click()
  await form().getByRole('alert').filter({ hasText: 'Arquivo' }).waitFor() // the text names what would be lost
  await admin.shot('row-file-discard')
  await form()
    .getByRole('button', { name: /Continuar/ })
    .click()
  await save()
  expect((await listed('comfoto')).mediaName).toBeNull()

  await edit('/comfoto')
  const given = await page.evaluateHandle(() => {
    const carried = new DataTransfer()
    carried.items.add(new File(['um texto'], 'solto.txt', { type: 'text/plain' }))
    return carried
  })
  await field().dispatchEvent('drop', { dataTransfer: given })
  await field().getByText('solto.txt').waitFor()
  await save()
  await row('/comfoto').getByRole('link', { name: 'solto.txt' }).waitFor()

  await edit('/comfoto')
  const { id, version } = await listed('comfoto')
  expect((await on.ask('PUT', `/quick-messages/${id}`, { removeFile: true, version })).status).toBe(200)
  await choose('meu.txt', Buffer.from('o meu'), 'text/plain')
  await form().getByRole('button', { name: 'Salvar' }).click()
  const clash = form().getByRole('alert').filter({ hasText: 'Arquivo' })
  await clash.getByText('(vazio)').waitFor()
  await field().getByRole('button', { name: 'Retirar meu.txt' }).click()
  expect(await field().getByText('será removido quando você salvar').count()).toBe(0) // the row has no file any more
  await choose('solto.txt', Buffer.from('um texto'), 'text/plain')
  await save()
  expect(admin.wrong).toEqual([])
})

it('a quick reply brings its file into the chat', async () => {
  const { page } = admin
  const ticket = await on.says({ name: 'Fábio do Arquivo', number: '5511944617788' }, 'Tem foto?')
  const [{ body: users }, { body: queues }] = [await on.ask('GET', '/users/list'), await on.ask('GET', '/queue')]
  const { id: userId } = users.find(({ email }: { email: string }) => email === 'admin@demo.test')
  expect((await on.ask('PUT', `/tickets/${ticket.id}`, { status: 'open', userId, queueId: queues[0].id })).status).toBe(200)
  await page.goto(`/tickets/${ticket.uuid}`)
  const composer = page.locator('[data-part=composer]')
  await composer.getByRole('textbox').fill('/comfoto')
  await page.getByRole('option').filter({ hasText: '/comfoto' }).filter({ hasText: 'solto.txt' }).click()
  await composer.locator('[data-part=files]').getByText('solto.txt').waitFor()
  expect(await composer.getByRole('textbox').inputValue()).toBe('Veja a foto')
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, chooseOf, type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
let ana: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
  ana = await on.enter('ana@demo.test')
})
afterAll(() => on?.clear())

const form = ({ page }: Person) => page.getByRole('dialog')
const field = (one: Person) => form(one).locator('[data-part=file-field]')
const choose = (one: Person, name: string, mimeType: string, buffer: Buffer) =>
  field(one).locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
/** Chooses a file of this size made in the page, because large files need not go through the debugger. */
const chooseLarge = (one: Person, name: string, type: string, bytes: number) =>
  field(one)
    .locator('input[type=file]')
    .evaluate(
      (input: HTMLInputElement, given) => {
        const chosen = new DataTransfer()
        chosen.items.add(new File([new Uint8Array(given.bytes)], given.name, { type: given.type }))
        input.files = chosen.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      },
      { name, type, bytes },
    )
const me = ({ page }: Person) => page.locator('[data-part=topbar]').getByRole('button', { name: /^Sua conta/ })
async function open(one: Person): Promise<void> {
  await me(one).click()
  await one.page.getByRole('menuitem', { name: 'Sua foto' }).click()
  await form(one).waitFor()
}
async function save(one: Person): Promise<void> {
  await form(one).getByRole('button', { name: 'Salvar' }).click()
  await form(one).waitFor({ state: 'detached' })
}
/** A red middle between two blue edges, with location and camera in its metadata. */
const photo = () =>
  sharp({ create: { width: 1600, height: 800, channels: 3, background: 'blue' } })
    .composite([{ input: { create: { width: 900, height: 800, channels: 3, background: 'red' } }, left: 350, top: 0 }])
    .withExif({ IFD0: { Make: 'Camera of Ana' } })
    .jpeg()
    .toBuffer()

it('a profile picture is chosen, refused with a reason, cut square, and shown to colleagues', async () => {
  await open(admin)
  expect(await form(admin).locator('[data-part=picture-preview] [data-initials]').count()).toBe(1)
  for (const [name, type, content, said] of [
    ['contrato.pdf', 'application/pdf', Buffer.from('%PDF-1.4'), 'contrato.pdf não é uma imagem JPEG, PNG, WebP ou GIF'],
    ['parede.png', 'image/png', 17 * 1024 * 1024, 'parede.png tem 17 MB; o limite é 16 MB'],
    ['rasgada.jpg', 'image/jpeg', Buffer.from('nada'), 'rasgada.jpg não pôde ser lida como imagem'],
    ['vazia.png', 'image/png', Buffer.alloc(0), 'vazia.png está vazio'],
  ] as const) {
    if (typeof content === 'number') await chooseLarge(admin, name, type, content)
    else await choose(admin, name, type, content)
    await field(admin).getByRole('alert').filter({ hasText: said }).waitFor()
  }
  const above = await field(admin).getByRole('alert').boundingBox()
  const below = await field(admin).locator('input[type=file]').boundingBox()
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
  await admin.shot('picture-refused')

  await choose(admin, 'eu.jpg', 'image/jpeg', await photo())
  await form(admin).locator('[data-part=picture-preview] img').waitFor()
  expect(await field(admin).getByRole('alert').count()).toBe(0)
  await admin.shot('picture-chosen')
  await save(admin)
  const path = (await me(admin).locator('img').getAttribute('src'))!
  const stored = await (await admin.page.request.get(path)).body()
  const { width, height, format, exif } = await sharp(stored).metadata()
  expect([width, height, format, exif]).toEqual([512, 512, 'jpeg', undefined])
  const { channels } = await sharp(stored).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 32))).toEqual([8, 0, 0]) // only the middle
  await admin.page.reload()
  await me(admin).locator(`img[src="${path}"]`).waitFor()

  /* It is on the card of the admin's ticket, where an admin sees the owner. */
  const { uuid } = await on.says({ name: 'Rita Foto', number: '5511977770001' }, 'Bom dia')
  await admin.page.goto(`/tickets/${uuid}`)
  await accept(admin.page)
  await admin.page
    .getByRole('list')
    .locator('li, [role=listitem], article')
    .filter({ hasText: 'Rita Foto' })
    .locator(`img[src="${path}"]`)
    .waitFor()
  await admin.shot('picture-card')
})

it('a profile picture appears in the transfer dialog, and disappears soon after its removal', async () => {
  const path = (await me(admin).locator('img').getAttribute('src'))!
  const { uuid } = await on.says({ name: 'Saulo Foto', number: '5511977770002' }, 'Boa tarde')
  await ana.page.goto(`/tickets/${uuid}`)
  await accept(ana.page)
  await chooseOf(ana.page, 'Transferir')
  const admins = form(ana).getByRole('radio', { name: /Helena/ })
  await admins.locator(`img[src="${path}"]`).waitFor()
  await ana.shot('picture-transfer')

  await open(admin)
  await field(admin).getByRole('button', { name: 'Retirar eu.jpg' }).click()
  await field(admin).getByRole('status').filter({ hasText: 'eu.jpg será removido quando você salvar' }).waitFor()
  await save(admin)
  await me(admin).locator('[data-initials]').waitFor()
  await admins.locator('[data-initials]').waitFor()
  expect([admin.wrong, ana.wrong]).toEqual([[], []])
})

it('a profile picture that fails to load leaves the initials', async () => {
  await open(admin)
  await choose(admin, 'eu.jpg', 'image/jpeg', await photo())
  await form(admin).locator('[data-part=picture-preview] img').waitFor()
  await save(admin)
  await me(admin).locator('img').waitFor()
  await admin.page.route('**/api/media/**', (route) => route.abort())
  await admin.page.reload()
  await me(admin).locator('[data-initials]').waitFor()
  await admin.page.unroute('**/api/media/**')
})

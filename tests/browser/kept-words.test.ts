import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, bubble, chooseOf, type Scene, scene, words, write } from './scene.ts'

let on: Scene
let ana: Person
let first: { uuid: string }
let other: { uuid: string }
beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test', { clickGuard: true })
  const { page } = ana
  first = await on.says({ name: 'Gilda Guardada', number: '5511944460001' }, 'Oi')
  other = await on.says({ name: 'Otto Outro', number: '5511944460002' }, 'Olá')
  for (const { uuid } of [other, first]) {
    await page.goto(`/tickets/${uuid}`)
    await accept(page)
  }
})
afterAll(() => on?.clear())

it('a typed note asks before it is discarded, and stays if only the drawer closes', async () => {
  const { page } = ana
  await chooseOf(page, 'Observações')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Nova observação' })
  await field.fill('Prefere ser chamada à tarde')
  await page.keyboard.press('Escape')
  await dialog.getByText('Descartar o que você digitou?').waitFor()
  await ana.shot('notes-asks')
  await dialog.getByRole('button', { name: 'Continuar editando' }).click()
  expect(await field.inputValue()).toBe('Prefere ser chamada à tarde')
  await dialog.getByRole('button', { name: 'Fechar' }).first().click()
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  await dialog.waitFor({ state: 'detached' })

  const drawer = page.getByRole('complementary')
  const note = drawer.getByRole('textbox', { name: 'Nova observação' })
  const open = page.locator('[data-part=head] [data-part=head-who]')
  if (!(await note.isVisible())) await open.click()
  expect(await note.inputValue()).toBe('')
  await note.fill('Meio escrita')
  await drawer.getByRole('button', { name: 'Fechar' }).click()
  await note.waitFor({ state: 'detached' })
  await open.click()
  await note.waitFor()
  expect(await note.inputValue()).toBe('Meio escrita')
  await note.fill('')
})

it('the drawer of a ticket that is being served names no agent to wait for', async () => {
  const drawer = ana.page.getByRole('complementary')
  await drawer.getByText('Nada aconteceu automaticamente').or(drawer.locator('[data-part=automation]')).first().waitFor()
  expect(await drawer.getByText('Aguarda um atendente.').count()).toBe(0)
})

it('the card of another ticket shows its draft until it is deleted', async () => {
  const { page } = ana
  const card = page.locator('[data-part=card]').filter({ hasText: 'Gilda Guardada' })
  await words(page).fill('Vou conferir')
  await page.getByRole('link', { name: 'Otto Outro' }).click()
  await card.getByText('Rascunho: Vou conferir').waitFor()
  await ana.shot('card-draft')
  await page.getByRole('link', { name: 'Gilda Guardada' }).click()
  await expect.poll(() => words(page).inputValue()).toBe('Vou conferir')
  await words(page).fill('')
  await page.getByRole('link', { name: 'Otto Outro' }).click()
  await card.getByText('Rascunho:').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Gilda Guardada' }).click()
})

it('a recording stays with its ticket when the agent leaves, and can be restored', async () => {
  const { page } = ana
  const recorder = page.getByRole('group', { name: 'Gravando…' })
  const waits = page.locator('[data-part=files] li')
  const record = async () => {
    await page.getByRole('button', { name: 'Gravar áudio' }).click()
    await recorder.getByRole('timer').getByText('0:02').waitFor()
  }
  await record()
  await page.keyboard.press('Escape')
  await recorder.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await waits.getByText(/^voz-/).waitFor()
  await waits.getByRole('button').first().click()
  await waits.waitFor({ state: 'detached' })

  await record()
  await page.getByRole('link', { name: 'Otto Outro' }).first().click()
  await page.waitForURL(new RegExp(other.uuid))
  await page.getByText('A gravação ficou no rascunho do atendimento de Gilda Guardada').waitFor()
  await page.locator('[data-part=card]').filter({ hasText: 'Gilda Guardada' }).getByText('Rascunho: 🎤').waitFor()
  expect(await waits.count()).toBe(0)
  await words(page).press('Enter')
  await page.getByRole('link', { name: 'Gilda Guardada' }).first().click()
  await page.waitForURL(new RegExp(first.uuid))
  await waits.getByText(/^voz-/).waitFor()
  await ana.shot('recording-kept')
  for (const number of ['5511944460001', '5511944460002']) expect((await on.got(number)).filter(({ kind }) => kind === 'audio')).toEqual([])
  await waits.getByRole('button').first().click()
  await waits.waitFor({ state: 'detached' })
})

it('a double click adds one reaction', async () => {
  const { page } = ana
  await write(page, 'Combinado então')
  const one = bubble(page, 'Combinado então').first()
  await one.hover()
  await one.getByRole('button', { name: 'Ações da mensagem' }).click()
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/reactions') && asked.push(request.method())))
  await page
    .getByRole('button', { name: /Reagir com/ })
    .first()
    .dblclick()
  await one.locator('[data-part=reactions]').waitFor()
  expect(asked).toEqual(['POST'])
  expect(await page.getByText('Reação Enviada').count()).toBe(0)
  expect(await words(page).isEnabled()).toBe(true)
  expect(ana.wrong).toEqual([])
})

it('a search without results offers to search the messages', async () => {
  const { page } = ana
  await page.getByRole('tab', { name: 'Busca' }).click()
  await page.getByRole('searchbox').fill('Combinado então')
  await page.locator('[data-part=tickets]').getByText('Buscar também nas mensagens').last().click()
  await page.locator('[data-part=card]').filter({ hasText: 'Gilda Guardada' }).waitFor()
  await page.getByRole('button', { name: 'Buscar também nas mensagens', pressed: true }).waitFor()
  expect(ana.wrong).toEqual([])
})

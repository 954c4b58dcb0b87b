import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
const customer = { name: 'Olga Escrita', number: '5511944480001' }

beforeAll(async () => {
  on = await scene()
  const ticket = await on.says(customer, 'Podem me explicar o contrato?')
  ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await accept(ana.page)
})
afterAll(() => on?.clear())

const focused = () => words(ana.page).and(ana.page.locator(':focus')).waitFor()
const attached = () => ana.page.getByRole('list', { name: 'Anexos' })
const got = () => on.got(customer.number)

it('Enter never sends a quick reply’s shortcut but waits for the list; Escape closes the list', async () => {
  const { page } = ana
  const first = Promise.withResolvers<void>()
  await page.route('**/api/quick-messages/**', async (route) => {
    await first.promise
    await route.continue()
  })
  await words(page).fill('/pix')
  await page.getByText('Carregando respostas rápidas…').waitFor()
  await words(page).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Nada foi enviado' }).waitFor()
  await ana.shot('quick-waits')
  first.resolve()
  await expect.poll(() => words(page).inputValue()).toMatch(/^Nossa chave Pix/)
  await focused()

  await words(page).fill('/nadaassim')
  await page.getByText('Nenhuma resposta rápida assim.').waitFor()
  await words(page).press('Enter')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  expect(await words(page).inputValue()).toBe('/nadaassim')
  await ana.shot('quick-none')
  await words(page).press('Escape')
  await page.getByText('Nenhuma resposta rápida assim.').waitFor({ state: 'detached' })
  await focused()
  expect(await words(page).inputValue()).toBe('/nadaassim')
  await words(page).fill('Segue nossa chave: ')
  await words(page).press('End')
  await words(page).pressSequentially('/pix')
  await page.getByRole('option', { name: /pix/ }).waitFor()
  await words(page).press('Enter')
  await expect.poll(() => words(page).inputValue()).toMatch(/^Segue nossa chave: Nossa chave Pix/)

  await words(page).fill('Segue /pix e obrigada')
  await words(page).press('Enter')
  const notice = page.locator('[data-part=notices]').getByText('“/pix” parece uma resposta rápida')
  await notice.waitFor()
  expect(await words(page).inputValue()).toBe('Segue /pix e obrigada')
  await words(page).fill('Segue o contrato.')
  await words(page).press('Enter')
  await bubble(page, 'Segue o contrato.').waitFor()
  await notice.waitFor({ state: 'detached' })
  const bodies = await eventually(
    async () => (await got()).map(({ body }) => body),
    (all) => all.length > 0,
  )
  expect(bodies.filter((body) => body.includes('/'))).toEqual([])
  expect(ana.wrong).toEqual([])
})

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
it('sending waits until all files are ready, and a draft’s files survive a reload', async () => {
  const { page } = ana
  const at = path.join(on.on.dataDir, 'condições.txt')
  await writeFile(at, 'Prazo de 30 dias.')
  await page.evaluate(() => {
    const opens = window.createImageBitmap.bind(window) as (file: Blob) => Promise<ImageBitmap>
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(window, { createImageBitmap: (file: Blob) => promise.then(() => opens(file)) })
    addEventListener('ready', () => resolve(), { once: true })
  })
  const input = page.locator('[data-part=composer] input[type=file]')
  await input.setInputFiles({ name: 'planta.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
  await input.setInputFiles([at])
  await words(page).fill('Leia com calma')
  await attached().getByText('condições.txt').waitFor()
  await words(page).press('Enter')
  expect(await page.getByRole('button', { name: 'Nota interna', exact: true }).isDisabled()).toBe(true)
  await page.evaluate(() => dispatchEvent(new Event('ready')))
  await attached().getByText('planta.png').waitFor()
  await page.reload()
  await attached().getByText('condições.txt').waitFor()
  await attached().getByText('planta.png').waitFor()
  expect(await words(page).inputValue()).toBe('Leia com calma')
  const before = (await got()).length
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await eventually(got, (all) => all.length === before + 2)
  await attached().waitFor({ state: 'detached' })
  await page.reload()
  await bubble(page, 'Leia com calma').waitFor()
  await focused()
  expect(await attached().count()).toBe(0)
  expect(ana.wrong).toEqual([])
})

it('a file that was uploading when the page was left is sent once and shown meanwhile', async () => {
  const { page } = ana
  const at = path.join(on.on.dataDir, 'recibo.txt')
  await writeFile(at, 'Pago em dia.')
  const before = (await got()).length
  const commands: string[] = []
  let lost = true
  await page.route('**/api/messages/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    commands.push(route.request().headers()['x-command-id']!)
    if (lost) await route.abort()
    else await route.continue()
  })
  await page.locator('[data-part=composer] input[type=file]').setInputFiles([at])
  await words(page).fill('O recibo de hoje')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  const said = bubble(page, 'O recibo de hoje')
  await said.getByText('Será enviada quando a conexão voltar').waitFor()
  await said.getByRole('button', { name: 'Tentar de novo' }).click()
  await said.getByText('Será enviada quando a conexão voltar').waitFor()
  await said.getByRole('button', { name: 'Descartar' }).waitFor()
  await page.reload()
  await said.getByText('recibo.txt').waitFor()
  await ana.shot('sending-after-reload')
  lost = false
  await eventually(got, (all) => all.length > before)
  await said.getByRole('link', { name: /recibo/ }).waitFor()
  await page.reload()
  await said.waitFor()
  expect([await said.count(), (await got()).length, new Set(commands).size]).toEqual([1, before + 1, 1])
  expect(ana.wrong.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
  ana.wrong.length = 0
  await page.unroute('**/api/messages/*')
})

it('a paste that is too long shows how much fits, and offers the rest as a file', async () => {
  const { page } = ana
  const long = `${'Cláusula. '.repeat(1200)}FIM`
  await words(page).fill('Antes: ')
  await page.evaluate((text) => navigator.clipboard.writeText(text), long)
  await words(page).press('Control+v')
  await page.getByText(`Couberam 9.993 dos ${long.length.toLocaleString('pt-BR')} caracteres colados.`).waitFor()
  expect((await words(page).inputValue()).length).toBe(10_000)
  await ana.shot('paste-cut')
  await words(page).press('Control+Home')
  await page.keyboard.press('Delete') // text written meanwhile stays
  await page.getByRole('button', { name: 'Enviar tudo como .txt' }).click()
  await attached().getByText('texto.txt').waitFor()
  await expect.poll(() => words(page).inputValue()).toBe('ntes: ')
  await ana.shot('paste-file')
  const before = (await got()).length
  await words(page).press('Control+Enter')
  await eventually(got, (all) => all.length === before + 1)
  const address = await bubble(page, 'texto.txt').getByRole('link').getAttribute('href')
  expect(await page.evaluate(async (at) => (await fetch(at!)).text(), address)).toBe(long)
  expect(ana.wrong).toEqual([])
})

it('note mode stays until it is left, and its button says that it saves', async () => {
  const { page } = ana
  const before = (await got()).length
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await page.getByText('Enter salva a nota').waitFor()
  await words(page).fill('Cliente antigo.')
  await page.getByRole('button', { name: 'Salvar nota interna' }).click()
  await bubble(page, 'Cliente antigo.').waitFor()
  await ana.shot('note-mode')
  await words(page).fill('Prefere a tarde.')
  await words(page).press('Enter')
  await page.locator('[data-part=message][data-private]').filter({ hasText: 'Prefere a tarde.' }).waitFor()
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(page).fill('Combinado!')
  await words(page).press('Enter')
  await eventually(got, (all) => all.length === before + 1)
  expect((await got()).at(-1)!.body).toContain('Combinado!')
  expect(ana.wrong).toEqual([])
})

it('files can be dropped anywhere on the chat, and a refused type is named', async () => {
  const { page } = ana
  const carry = (target: string, kind: string, name: string) =>
    page.evaluate(
      ([to, type, file]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['Olá.'], file!, { type: 'text/plain' }))
        return document.querySelector(to!)!.dispatchEvent(new DragEvent(type!, { dataTransfer, bubbles: true, cancelable: true }))
      },
      [target, kind, name],
    )
  await carry('[data-part=thread]', 'dragover', 'recado.txt')
  await page.getByText('Solte para anexar').waitFor()
  await ana.shot('drop')
  await carry('[data-part=thread]', 'drop', 'recado.txt')
  await attached().getByText('recado.txt').waitFor()
  await page.getByText('Solte para anexar').waitFor({ state: 'detached' })
  expect(await carry('[data-part=tickets]', 'drop', 'fora.txt')).toBe(false) // the page does not navigate to the file
  await carry('[data-part=head]', 'drop', 'programa.exe')
  await page.locator('[data-part=notices]').getByText('programa.exe: este tipo de arquivo não é aceito').waitFor()
  await ana.shot('drop-refused')
  expect(await attached().getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: 'Remover recado.txt' }).click()

  const height = async (text: string) => {
    await words(page).fill(text)
    return (await words(page).boundingBox())!.height
  }
  const one = await height('1')
  expect([await height('1\n2\n3\n4\n5\n6\n7\n8'), await height('1\n'.repeat(20))]).toEqual([one + 60, one + 60]) // two lines at least, five at most
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('a failed message is sent again once, and its bubble links to the new one', async () => {
  const { page } = ana
  expect((await on.ask('POST', '/sandbox/1/faults', { failCode: 'BLOCKED', count: 1 })).status).toBeLessThan(300)
  await words(page).fill('Segue a chave')
  await words(page).press('Enter')
  const failed = bubble(page, 'Segue a chave').filter({ hasText: 'Não foi enviada.' })
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()
  const leads = failed.getByRole('button', { name: 'Enviada de novo' })
  await leads.waitFor()
  await ana.shot('sent-again')
  expect(await failed.getByRole('button', { name: 'Tentar de novo' }).count()).toBe(0)
  expect(await bubble(page, 'Segue a chave').count()).toBe(2)
  await expect.poll(async () => (await got()).filter(({ body }) => body.includes('Segue a chave')).length).toBe(1)
})

it('the Enter that ends an input method’s word sends nothing', async () => {
  const { page } = ana
  const before = (await got()).length
  await words(page).fill('')
  await words(page).focus()
  const cdp = await ana.context.newCDPSession(page)
  await cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
  expect(await words(page).inputValue()).toBe('にほん')
  await words(page).evaluate((one) => {
    const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, isComposing: true }
    one.dispatchEvent(new KeyboardEvent('keydown', enter))
    window.dispatchEvent(new KeyboardEvent('keydown', { ...enter, key: 'e', code: 'KeyE', altKey: true, shiftKey: true }))
  })
  await cdp.send('Input.insertText', { text: '日本' })
  expect([await words(page).inputValue(), (await got()).length, await page.locator('[data-pending]').count()]).toEqual(['日本', before, 0])
  await words(page).press('Enter')
  await bubble(page, '日本').waitFor()
  await eventually(got, (all) => all.length === before + 1)
  expect(ana.wrong).toEqual([])
})

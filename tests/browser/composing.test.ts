import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
let first: { id: number; uuid: string }
let other: { id: number; uuid: string }
const customer = { name: 'Iara Passos', number: '5511944490001' }
const nameless = { name: '5511944490002', number: '5511944490002' }

beforeAll(async () => {
  on = await scene()
  ;[first, other] = [await on.says(customer, 'Qual é o prazo?'), await on.says(nameless, 'Oi')]
  ana = await on.enter('ana@demo.test', { at: `/tickets/${other.uuid}` })
  await accept(ana.page)
  await ana.page.goto(`/tickets/${first.uuid}`)
  await accept(ana.page)
})
afterAll(() => on?.clear())

const value = () => words(ana.page).inputValue()
const press = (key: string) => words(ana.page).press(key)
const type = (text: string) => words(ana.page).pressSequentially(text)
const attached = () => ana.page.getByRole('list', { name: 'Anexos' })
async function go({ uuid }: { uuid: string }): Promise<void> {
  await ana.page.getByRole('tab', { name: /Atendendo|Em atendimento/ }).click()
  await ana.page.locator(`[data-part=card] a[href*="${uuid}"]`).first().click()
  await ana.page.waitForURL(new RegExp(uuid))
}
const caret = () => words(ana.page).evaluate((one: HTMLTextAreaElement) => [one.selectionStart, one.selectionEnd])
/** Puts these types on the clipboard and pastes them. `picture`: a small PNG. */
async function paste(types: Record<string, string>, withPicture = false): Promise<void> {
  await ana.page.evaluate(
    async ([all, isPicture]) => {
      const parts: Record<string, Blob> = Object.fromEntries(
        Object.entries(all as Record<string, string>).map(([type, text]) => [type, new Blob([text], { type })]),
      )
      const canvas = new OffscreenCanvas(8, 8)
      canvas.getContext('2d')!.fillRect(0, 0, 8, 8)
      if (isPicture) parts['image/png'] = await canvas.convertToBlob()
      await navigator.clipboard.write([new ClipboardItem(parts)])
    },
    [types, withPicture] as const,
  )
  await press('Control+v')
}
it('undo and redo go through the changes of one ticket: typed, pasted and inserted', async () => {
  const { page } = ana
  await type('Bom dia ')
  await paste({ 'text/plain': 'Iara\r\nPassos ' })
  await type('/praz')
  await page.getByRole('option', { name: /prazo/ }).waitFor()
  await press('Enter')
  await expect.poll(value).toMatch(/^Bom dia Iara\nPassos O prazo .*pagamento\.$/)
  const whole = await value()
  await go(other)
  await expect.poll(value).toBe('')
  await type('texto de B')
  await go(first)
  await expect.poll(value).toBe(whole)
  await press('Control+z')
  await expect.poll(value).toBe('Bom dia Iara\nPassos /praz')
  await press('Escape')
  await press('Control+z')
  await expect.poll(value).toBe('Bom dia Iara\nPassos ')
  await press('Control+z')
  await expect.poll(value).toBe('Bom dia ')
  await press('Control+z')
  await expect.poll(value).toBe('Bom ')
  await press('Control+z')
  await press('Control+z')
  await press('Control+z')
  await expect.poll(value).toBe('')
  for (const key of ['Control+y', 'Control+Shift+Z', 'Control+y', 'Control+y', 'Control+y']) await press(key)
  await expect.poll(value).toBe(whole)
  const undo = { inputType: 'historyUndo', bubbles: true, cancelable: true }
  expect(await words(page).evaluate((one, init) => one.dispatchEvent(new InputEvent('beforeinput', init)), undo)).toBe(false) // from the menu
  await expect.poll(value).toBe('Bom dia Iara\nPassos /praz')
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('cells of a spreadsheet are pasted as text at the caret, a screenshot as one picture', async () => {
  const { page } = ana
  await words(page).fill('Antes. Depois.')
  await words(page).evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(7, 7))
  await paste({ 'text/plain': 'Nome\tValor\nIara\t10 ', 'text/html': '<table><tr><td>Nome</td></tr></table>' }, true)
  await expect.poll(value).toBe('Antes. Nome\tValor\nIara\t10 Depois.')
  expect([await attached().count(), await caret()]).toEqual([0, [26, 26]])
  await words(page).fill('Antes. Nome\tValor\nIara\t10 Depois. E mais.')
  await page.getByRole('button', { name: 'Inserir como imagem' }).click()
  await expect.poll(() => attached().getByRole('listitem').count()).toBe(1)
  await expect.poll(value).toBe('Antes. Depois. E mais.') // the text that was typed since stays
  await page.getByRole('button', { name: /^Remover/ }).click()
  await page.getByRole('button', { name: 'Inserir como imagem' }).waitFor({ state: 'detached' })
  await words(page).fill('Antes. Nome\tValor\nIara\t10 Depois.')
  await paste({}, true)
  await expect.poll(() => attached().getByRole('listitem').count()).toBe(1)
  expect(await value()).toBe('Antes. Nome\tValor\nIara\t10 Depois.')
  await page.getByRole('button', { name: /^Remover/ }).click()
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('a draft with formats and variables is shown as the customer will read it', async () => {
  const { page } = ana
  const preview = page.locator('[data-part=draft-preview]')
  await words(page).fill('Oi {primeiro nome}, *veja*:\n- um\n- dois\n> dito\n`código` — {atendente}')
  await preview.getByText('Oi Iara').waitFor()
  expect(await preview.locator('strong').innerText()).toBe('veja')
  expect(await preview.getByRole('listitem').allInnerTexts()).toEqual(['um', 'dois'])
  expect([await preview.locator('blockquote').innerText(), await preview.locator('code').innerText()]).toEqual(['dito', 'código'])
  await ana.shot('draft-preview')
  expect(await faultsOf(page, 'draft-preview')).toEqual([])
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(page).fill('oi {nome}')
  expect(await preview.count()).toBe(0) // a note is stored as it is typed
  await words(page).fill('')
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(page).press('Enter')
  const sent = bubble(page, 'código')
  await sent.getByRole('listitem').first().waitFor()
  expect(await sent.locator('blockquote').innerText()).toBe('dito')
  await ana.shot('formats-bubble')
  expect(ana.wrong).toEqual([])
})

it('the field is checked in the customer’s language, a note in the agent’s own', async () => {
  const { page } = ana
  expect(await words(page).getAttribute('lang')).toBe('pt-BR')
  const turkish = await on.says({ name: 'Deniz Yazım', number: '905321234567' }, 'Merhaba')
  await page.goto(`/tickets/${turkish.uuid}`)
  await accept(page)
  expect(await words(page).getAttribute('lang')).toBe('tr-TR')
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await expect.poll(() => words(page).getAttribute('lang')).toBe('pt-BR')
  await page.goto(`/tickets/${first.uuid}`)
  await bubble(page, 'Qual é o prazo?').waitFor()
  expect(ana.wrong).toEqual([])
})

it('the field is dragged higher at its upper edge, also by keys, and stays so on this device', async () => {
  const { page } = ana
  const handle = page.getByRole('separator', { name: 'Altura do campo' })
  const height = () => words(page).evaluate((one) => (one as HTMLElement).offsetHeight)
  const chat = (await page.locator('[data-part=chat]').boundingBox())!.height
  expect(await height()).toBe(52)
  const { x, y, width } = (await handle.boundingBox())!
  await page.mouse.move(x + width / 2, y + 4)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y - 146, { steps: 4 })
  await page.mouse.up()
  expect(await height()).toBe(202)
  await ana.shot('field-height')
  await words(page).fill('uma\nduas')
  expect(await height()).toBe(202)
  await handle.focus()
  await page.keyboard.press('End')
  expect(await page.locator('[data-part=composer]').evaluate((one) => one.clientHeight)).toBeLessThanOrEqual(chat * 0.6 + 40)
  await page.keyboard.press('Home')
  expect(await height()).toBe(52)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  expect([await height(), await handle.getAttribute('aria-valuenow')]).toEqual([72, '72'])
  await page.reload()
  await expect.poll(height).toBe(72)
  await handle.dblclick()
  await words(page).fill('1\n2\n3\n4\n5\n6\n7')
  await expect.poll(height).toBe(112) // five lines
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('text, caret and quote survive a narrow window, a message, a rename and a merge', async () => {
  const { page } = ana
  await bubble(page, 'Qual é o prazo?').hover()
  await bubble(page, 'Qual é o prazo?').getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Responder', exact: true }).click()
  await words(page).fill('O prazo é este')
  await words(page).evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(2, 7))
  const unchanged = async () => {
    await expect.poll(async () => [await value(), await caret()]).toEqual(['O prazo é este', [2, 7]])
    expect(await page.locator('[data-part=composer] textarea:focus').count()).toBe(1)
    await page.locator('[data-part=composer]').getByText('Qual é o prazo?').waitFor()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await unchanged()
  await ana.shot('composing-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await unchanged()
  await on.says(customer, 'Ainda está aí?')
  await bubble(page, 'Ainda está aí?').waitFor()
  await unchanged()
  const [contact] = (await on.ask('GET', '/contacts?searchParam=Iara Passos')).body.contacts
  expect((await on.ask('PUT', `/contacts/${contact.id}`, { name: 'Iara Nova' })).status).toBe(200)
  await page.locator('[data-part=head]').getByText('Iara Nova').waitFor()
  await unchanged()
  const [tag] = (await on.ask('GET', '/tags')).body.tags
  expect((await on.ask('PUT', `/contacts/${contact.id}/tags`, { added: [tag.id], taken: [] })).status).toBe(200)
  await page.getByText(tag.name).first().waitFor()
  await unchanged()
  const queues: { id: number; name: string }[] = (await on.ask('GET', '/queue')).body
  const queue = queues.find(({ name }) => name === 'Vendas')!
  const [{ userId }] = (await on.ask('GET', `/tickets?status=search&searchParam=%23${first.id}`)).body.tickets
  expect((await on.ask('PUT', `/tickets/${first.id}`, { isTransfered: true, userId, queueId: queue.id })).status).toBe(200)
  await page.locator('[data-part=head]').getByText(queue.name).first().waitFor()
  await unchanged()
  const target = (await on.ask('POST', '/contacts', { name: 'Iara Mesclada', number: '5511944490009' })).body
  expect((await on.ask('POST', `/contacts/${contact.id}/merge`, { targetId: target.id })).status).toBe(200)
  await page.locator('[data-part=head]').getByText('Iara Mesclada').waitFor()
  await unchanged()
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await words(page).focus()
  await unchanged()
  await page.getByRole('tab', { name: 'Busca' }).click()
  await page.getByRole('searchbox').fill('Iara')
  await words(page).focus()
  await unchanged()
  await press('Escape') // removes the quote
  expect((await on.ask('POST', `/contacts/${contact.id}/separate`, {})).status).toBe(200)
  await page.locator('[data-part=head]').getByText('Iara Nova').waitFor()
  expect(await value()).toBe('O prazo é este')
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('another tab’s text for the ticket is offered', async () => {
  const { page } = ana
  await words(page).fill('da primeira aba')
  const two = await ana.context.newPage()
  await two.goto(`/tickets/${first.uuid}`)
  await expect.poll(() => words(two).inputValue()).toBe('da primeira aba')
  await words(two).fill('da segunda aba')
  const offer = page.locator('[data-part=other-tab]')
  await offer.getByText('Em outra aba, você escreveu: “da segunda aba”').waitFor()
  expect(await value()).toBe('da primeira aba')
  await ana.shot('other-tab')
  await offer.getByRole('button', { name: 'Usar o texto da outra aba' }).click()
  await expect.poll(value).toBe('da segunda aba')
  await offer.waitFor({ state: 'detached' })
  await words(page).focus()
  await press('Control+z')
  await expect.poll(value).toBe('da primeira aba')
  await two.close()
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('Backspace removes a whole emoji, and none is cut at the limit', async () => {
  const family = '👨‍👩‍👧‍👦'
  await words(ana.page).fill(`a${family}`)
  await press('End')
  await press('Backspace')
  expect(await value()).toBe('a')
  await words(ana.page).fill('x'.repeat(9_998))
  await press('End')
  await ana.page.keyboard.insertText(family)
  expect((await value()).replaceAll('x', '')).toBe('')
  await words(ana.page).fill('')
})

it('a quick reply greets a contact without a name neutrally, and a renamed one by the new name', async () => {
  const { page } = ana
  const greeting = async () => {
    await words(page).fill('')
    await type('/oi')
    await page.getByRole('option', { name: /^\/oi/ }).waitFor()
    await press('Enter')
    await expect.poll(value).toContain('Como posso ajudar?')
    return value()
  }
  expect(await greeting()).toBe('Olá, Iara Nova! Como posso ajudar?')
  await words(page).fill('')
  await go(other)
  expect(await greeting()).toBe('Olá! Como posso ajudar?')
  await words(page).fill('')
  await go(first)
  expect(ana.wrong).toEqual([])
})

it('files leave in the chosen order with their captions, and a failed one keeps its place', async () => {
  const { page } = ana
  const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles([text('01.txt', 'sala'), text('02.txt', 'cozinha'), text('03.txt', 'contrato'), text('02.txt', 'outra pasta')])
  await expect.poll(() => attached().getByRole('listitem').count()).toBe(4)
  const captions = attached().getByRole('textbox')
  for (const [at, caption] of ['sala', 'cozinha', 'contrato'].entries()) await captions.nth(at).fill(caption)
  const filled = () => captions.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  const handle = (at: number) =>
    attached()
      .getByRole('listitem')
      .nth(at)
      .getByRole('button', { name: /^Mover/ })
  await handle(2).press('ArrowLeft')
  await page.getByText('03.txt: posição 2 de 4').waitFor()
  expect(await filled()).toEqual(['sala', 'contrato', 'cozinha', ''])
  await handle(1).and(page.locator(':focus')).waitFor() // it stays on the moved file
  const next = attached().getByRole('listitem').nth(1)
  const { width } = (await next.boundingBox())!
  await handle(0).dragTo(next, { targetPosition: { x: width - 4, y: 20 } })
  await expect.poll(filled).toEqual(['contrato', 'sala', 'cozinha', ''])
  await page.reload()
  await expect.poll(filled).toEqual(['contrato', 'sala', 'cozinha', ''])
  for (const at of [0, 1]) await handle(at).press('ArrowRight')
  expect(await filled()).toEqual(['sala', 'cozinha', 'contrato', ''])
  await ana.shot('files-captions')
  const before = (await on.got(customer.number)).length
  let posts = 0
  await page.route('**/api/messages/*', (route) => {
    if (route.request().method() !== 'POST' || ++posts !== 2) return route.continue()
    return route.fulfill({ status: 400, json: { error: 'ERR_SENDING_WAPP_MSG', message: '' } })
  })
  await captions.nth(2).press('Enter')
  const failed = bubble(page, 'cozinha').filter({ has: page.getByRole('alert') })
  await failed.waitFor()
  await bubble(page, 'contrato').getByText('Espera o arquivo anterior, que falhou').waitFor()
  await ana.shot('files-behind-failed')
  await failed.getByRole('button', { name: 'Tentar de novo' }).click()
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.length === before + 4,
  )
  const captionOf = (body: string) => body.replace(/^\*.*:\*\n/, '')
  expect(got.slice(before).map(({ body }) => captionOf(body))).toEqual(['sala', 'cozinha', 'contrato', ''])
  await attached().waitFor({ state: 'detached' })
  await page.unroute('**/api/messages/*')
  expect(ana.wrong.filter((one) => !one.includes('400'))).toEqual([])
  ana.wrong.length = 0
})

it('Ctrl+B and Ctrl+I mark the selection, and ↑ in an empty field edits the last message', async () => {
  const { page } = ana
  await go(first)
  await words(page).fill('prazo curto')
  await press('Shift+Control+ArrowLeft')
  await press('Control+b')
  await expect.poll(value).toBe('prazo *curto*')
  await press('Control+i')
  await expect.poll(value).toBe('prazo *_curto_*')
  await press('Control+z')
  await expect.poll(value).toBe('prazo *curto*')
  await press('Control+b')
  await expect.poll(value).toBe('prazo curto')
  await press('ArrowUp')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await press('Enter')
  await bubble(page, 'prazo curto').waitFor()
  await expect.poll(() => on.got(customer.number)).toContainEqual(expect.objectContaining({ body: expect.stringContaining('prazo curto') }))
  await press('ArrowUp')
  const dialog = page.getByRole('dialog', { name: /Editar mensagem/ })
  await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('prazo curto')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

it('a message that is sent again counts as sent only when the channel has it', async () => {
  const { page } = ana
  const faults = (count: number) => on.ask('POST', '/sandbox/1/faults', { failCode: 'BLOCKED', count })
  await faults(2)
  await words(page).fill('Segue o boleto')
  await press('Enter')
  const said = bubble(page, 'Segue o boleto')
  await said.first().getByRole('button', { name: 'Tentar de novo' }).click()
  await said.first().getByRole('button', { name: 'A nova tentativa também falhou' }).waitFor()
  await said.first().getByText('Não foi enviada.').waitFor()
  await said.nth(1).getByRole('button', { name: 'Tentar de novo' }).click()
  await said.first().getByRole('button', { name: 'Enviada de novo' }).waitFor()
  const got = (await on.got(customer.number)).filter(({ body }) => body.includes('Segue o boleto'))
  expect(got).toHaveLength(1)
  expect(ana.wrong).toEqual([])
})

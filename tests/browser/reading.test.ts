import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, bubble, type Scene, scene, words, write } from './scene.ts'

let on: Scene
let ana: Person
let address: string
const customer = { name: 'Leila Leitura', number: '5511944490001' }
const clause = 'Cláusula que se repete até cansar quem lê. '

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test', { clickGuard: true })
  const { uuid } = await on.says(customer, 'Meu site é www.leila.com.br e meu telefone (11) 98765-4321')
  address = `/tickets/${uuid}`
  await on.says(customer, `${clause.repeat(60)}FIM DO CONTRATO`)
  await on.ask('POST', '/sandbox/1/inbound', {
    id: 'rtl-1',
    from: customer.number,
    name: customer.name,
    body: 'שלום\nמתי זה מגיע אליי הביתה?',
  })
  for (const colour of ['#c33', '#3c3', '#33c']) {
    const image = await sharp({ create: { width: 300, height: 200, channels: 3, background: colour } })
      .png()
      .toBuffer()
    await on.says(customer, `Foto ${colour}`, { mediaType: 'image', mediaUrl: `data:image/png;base64,${image.toString('base64')}` })
  }
  await ana.page.goto(address)
  await accept(ana.page)
  await write(ana.page, 'Recebi, obrigada!')
  await bubble(ana.page, 'Recebi, obrigada!').waitFor()
})
afterAll(() => on?.clear())

it('links open safely, and a phone number offers a ticket or a call', async () => {
  const { page } = ana
  const said = bubble(page, 'Meu site é')
  const link = said.getByRole('link', { name: 'www.leila.com.br' })
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual(['https://www.leila.com.br', 'noopener noreferrer'])
  await said.getByRole('button', { name: '(11) 98765-4321' }).click()
  expect(await page.getByRole('menuitem', { name: 'Ligar para (11) 98765-4321' }).getAttribute('href')).toBe('tel:11987654321')
  await ana.shot('number-menu')
  await page.getByRole('menuitem', { name: 'Abrir atendimento com (11) 98765-4321' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo atendimento' })
  await expect.poll(() => dialog.getByPlaceholder(/Nome ou número/).inputValue()).toBe('11987654321')
  expect(await dialog.getByRole('button', { name: 'Fechar', exact: true }).count()).toBe(1)
  await page.keyboard.press('Escape')
  expect(ana.wrong).toEqual([])
})

it('a long message is folded, and each text follows its own direction', async () => {
  const { page } = ana
  const long = bubble(page, 'Cláusula que se repete')
  expect(await long.innerText()).not.toContain('FIM DO CONTRATO')
  await ana.shot('reading')
  await long.getByRole('button', { name: 'mostrar mais' }).click()
  await long.getByText('FIM DO CONTRATO').waitFor()
  const right = (text: string) =>
    bubble(page, text)
      .locator('[data-part=written]')
      .evaluate((one) => {
        const said = new Range()
        said.setStart(one.firstChild!, 0)
        said.setEnd(one.firstChild!, 4)
        const { left, right } = said.getBoundingClientRect()
        const inside = one.parentElement!.getBoundingClientRect()
        return inside.right - right < left - inside.left
      })
  expect([await right('שלום'), await right('Meu site é')]).toEqual([true, false])
})

it('a message’s menu is beside the bubble and covers no text, time or receipt', async () => {
  const { page } = ana
  for (const text of ['Recebi, obrigada!', 'Meu site é']) {
    const one = bubble(page, text)
    await one.hover()
    const more = (await one.getByRole('button', { name: 'Ações da mensagem' }).boundingBox())!
    const box = (await one.locator('[data-part=bubble]').boundingBox())!
    expect(more.x >= box.x + box.width || more.x + more.width <= box.x).toBe(true)
    expect(more.x).toBeGreaterThan((await page.locator('[data-part=thread]').boundingBox())!.x)
  }
  await ana.shot('message-menu-beside')
})

it('a long press opens a message’s menu, a tap or a scroll does not', async () => {
  const phone = await on.enter('admin@demo.test', { touch: true, width: 390, height: 844, at: address })
  const { page } = phone
  const one = bubble(page, 'Recebi, obrigada!')
  const { x, y } = (await one.locator('[data-part=bubble]').boundingBox())!
  const cdp = await phone.context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + 20, y: y + 12 + dy }] })
  await touch('touchStart')
  await touch('touchEnd')
  await touch('touchStart')
  await touch('touchMove', -60)
  await touch('touchEnd')
  expect(await page.getByRole('menuitem').count()).toBe(0)
  await touch('touchStart')
  await page.getByRole('menuitem', { name: 'Responder' }).waitFor()
  await phone.shot('long-press')
  await touch('touchEnd')
  await page.getByRole('menuitem', { name: 'Responder' }).click()
  await page.getByText('Respondendo a Ana Souza').waitFor()
  expect(phone.wrong).toEqual([])
  await phone.leave()
})

it('arrow keys move between pictures, and the focus returns afterwards', async () => {
  const { page } = ana
  await page.goto(address)
  const thumb = bubble(page, 'Foto #3c3').getByRole('button', { name: 'Abrir imagem' })
  await thumb.click()
  const viewer = (name: string) => page.getByRole('dialog', { name })
  await viewer('Foto #3c3').getByText('2 de 3').waitFor()
  await ana.shot('viewer-next')
  await page.keyboard.press('ArrowRight')
  await viewer('Foto #33c').waitFor()
  expect(await viewer('Foto #33c').getByRole('button', { name: 'Próxima imagem' }).isDisabled()).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await viewer('Foto #c33').getByText('1 de 3').waitFor()
  const shown = viewer('Foto #c33').locator('figure img')
  const exceeds = () => shown.evaluate((picture) => picture.clientWidth > picture.parentElement!.clientWidth)
  await shown.dblclick()
  await expect.poll(exceeds).toBe(true)
  await viewer('Foto #c33')
    .getByRole('button', { name: /Ampliar/, pressed: true })
    .waitFor()
  const scrolled = () => shown.evaluate((picture) => picture.parentElement!.scrollLeft)
  const [before, { width, height }] = [await scrolled(), page.viewportSize()!]
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.down()
  await page.mouse.move(width / 2 - 120, height / 2, { steps: 6 })
  await page.mouse.up()
  expect((await scrolled()) - before).toBe(120)
  await page.mouse.move(width / 2, height / 2)
  expect((await scrolled()) - before).toBe(120) // the released button moves nothing
  await shown.dblclick()
  await expect.poll(exceeds).toBe(false)
  await shown.dblclick()
  await expect.poll(exceeds).toBe(true)
  await page.keyboard.press('ArrowRight')
  await viewer('Foto #3c3').waitFor()
  await page.keyboard.press('ArrowLeft')
  await viewer('Foto #c33').waitFor()
  await expect.poll(exceeds).toBe(false) // each time a picture is opened, it is shown whole
  await page.keyboard.press('Escape')
  await viewer('Foto #c33').waitFor({ state: 'detached' })
  await thumb.and(page.locator(':focus')).waitFor()
  await words(page).focus()
  expect(ana.wrong).toEqual([])
})

it('a search in the conversation jumps to a message that was not loaded and marks it', async () => {
  const { page } = ana
  for (let n = 1; n <= 60; n++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `more-${n}`, from: customer.number, name: customer.name, body: `Recado ${n}.` })
  await bubble(page, 'Recado 60.').waitFor()
  await page.reload()
  await bubble(page, 'Recado 60.').waitFor()
  expect(await bubble(page, 'Meu site é').count()).toBe(0)
  await page.keyboard.press('Control+f')
  const field = page.getByRole('textbox', { name: 'Buscar nesta conversa' })
  await field.fill('SITE E')
  await page.locator('[data-part=thread-search]').getByText('1 de 1').waitFor()
  await bubble(page, 'Meu site é').waitFor()
  await expect.poll(() => page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String))).toEqual(['site é'])
  await field.fill('recado 1')
  await page.locator('[data-part=thread-search]').getByText('1 de 11').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-part=thread-search]').getByText('2 de 11').waitFor()
  await ana.shot('thread-search')
  await field.fill('isto não existe')
  await page.getByText('Nada encontrado').waitFor()
  await page.keyboard.press('Escape')
  await words(page).and(page.locator(':focus')).waitFor()
  expect(ana.wrong).toEqual([])
})

it('only nearby messages are rendered, without moving the others', async () => {
  const low = await on.enter('admin@demo.test', { height: 420, at: address })
  const { page } = low
  await bubble(page, 'Recado 60.').waitFor()
  const drawn = () =>
    page
      .locator('[data-run] article')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length)
  const all = await page.locator('[data-run] article').count()
  await expect.poll(drawn).toBeLessThan(all)
  const height = () => page.locator('[data-part=thread]').evaluate((one) => one.scrollHeight)
  const resting = await height()
  await page.addStyleTag({ content: '[data-run] { content-visibility: visible !important }' })
  await expect.poll(drawn).toBe(all)
  expect(await height()).toBe(resting)
  expect(low.wrong).toEqual([])
  await low.leave()
})

it('emoji are found by name in the user’s language, recent ones stay, and cover no text', async () => {
  const { page } = ana
  const outside: string[] = []
  page.on(
    'request',
    (request) =>
      void (new URL(request.url()).host !== new URL(page.url()).host && /^http/.test(request.url()) && outside.push(request.url())),
  )
  await words(page).fill('Parabéns')
  await page.getByRole('button', { name: 'Emojis' }).click()
  const panel = page.getByRole('group', { name: 'Emojis' })
  await panel.getByText('Carregando emojis…').waitFor({ state: 'detached' })
  await ana.shot('emojis')
  const box = (await panel.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual((await words(page).boundingBox())!.y)
  await panel.getByRole('searchbox').fill('bolo de aniversário')
  await panel
    .getByRole('button', { name: 'bolo de aniversário' })
    .or(panel.getByRole('gridcell', { name: 'bolo de aniversário' }))
    .first()
    .click()
  await expect.poll(() => words(page).inputValue()).toBe('Parabéns🎂')
  await page.getByRole('button', { name: 'Emojis' }).click()
  await page.getByRole('button', { name: 'Emojis' }).click()
  await page.getByRole('group', { name: 'Usados há pouco' }).getByRole('button', { name: '🎂' }).waitFor()
  await page.keyboard.press('Escape')
  await words(page).and(page.locator(':focus')).waitFor()
  await words(page).fill('')
  expect(outside).toEqual([])
  expect(ana.wrong).toEqual([])
})

it('a reaction is found by name with the keyboard, and offered first the next time', async () => {
  const { page } = ana
  await page.goto(address)
  const one = bubble(page, 'Recado 60.')
  await one.waitFor()
  const more = async () => {
    await one.hover()
    await one.getByRole('button', { name: 'Ações da mensagem' }).click()
    await page.getByRole('button', { name: 'Mais reações' }).click()
    await page.getByRole('group', { name: 'Emojis' }).getByText('Carregando emojis…').waitFor({ state: 'detached' })
  }
  await more()
  const panel = page.getByRole('group', { name: 'Emojis' })
  await panel.getByRole('searchbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('foguete')
  await panel.getByRole('gridcell', { name: 'foguete' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await one.getByText('🚀').waitFor()
  await more()
  await panel.getByRole('group', { name: 'Usados há pouco' }).getByRole('button', { name: '🚀' }).waitFor()
  await page.keyboard.press('Escape')
  expect(ana.wrong).toEqual([])
})

it('a swipe moves between pictures', async () => {
  const phone = await on.enter('admin@demo.test', { touch: true, width: 390, height: 844, at: address })
  const { page } = phone
  await bubble(page, 'Recado 60.').waitFor()
  const thumb = bubble(page, 'Foto #3c3').getByRole('button', { name: 'Abrir imagem' })
  for (let tries = 0; tries < 5 && (await thumb.count()) === 0; tries++) {
    await page.locator('[data-part=thread]').evaluate((box) => box.scrollTo({ top: -box.scrollHeight }))
    await page.locator('[data-part=message]').first().waitFor()
    await expect.poll(() => page.locator('[data-part=message]').count()).toBeGreaterThan(40)
  }
  await thumb.click()
  const viewer = (name: string) => page.getByRole('dialog', { name })
  await viewer('Foto #3c3').getByRole('img').waitFor()
  const cdp = await phone.context.newCDPSession(page)
  const swipe = async (from: number, to: number) => {
    const at = (x: number) => [{ x, y: 420 }]
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
    for (const share of [0.25, 0.5, 0.75, 1])
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + (to - from) * share) })
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await swipe(320, 60)
  await viewer('Foto #33c').waitFor()
  await swipe(60, 320)
  await viewer('Foto #3c3').waitFor()
  expect(phone.wrong).toEqual([])
  await phone.leave()
})

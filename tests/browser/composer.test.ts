import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words, write } from './scene.ts'

let on: Scene
let ana: Person
let address: string
const customer = { name: 'Marta Arquivo', number: '5511944460001' }

beforeAll(async () => {
  on = await scene()
  const ticket = await on.says(customer, 'Me manda a proposta?')
  address = `/tickets/${ticket.uuid}`
  ana = await on.enter('ana@demo.test', { clickGuard: true, at: address })
  await accept(ana.page)
})
afterAll(() => on?.clear())

async function file(name: string, content: Buffer | string): Promise<string> {
  const at = path.join(on.on.dataDir, name)
  await writeFile(at, content)
  return at
}
const picture = (background: string, width = 320, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
/** A WAV of silence of this length, 8 kHz. */
function silence(seconds: number): Buffer {
  const samples = Buffer.alloc(8000 * seconds, 0x80)
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0', 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
const pdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
const attached = () => ana.page.getByRole('list', { name: 'Anexos' })

it('several files are sent with a caption, and a refused type is named without losing the rest', async () => {
  const phone = await on.phoneOf(customer)
  const chosen = [await file('fachada.png', await picture('#2a7')), await file('instalador.exe', 'MZ'), await file('proposta.pdf', pdf)]
  await words(ana.page).fill('Segue a proposta com a foto')
  await ana.page.locator('[data-part=composer] input[type=file]').setInputFiles(chosen)
  await ana.page.getByText('instalador.exe: este tipo de arquivo não é aceito').waitFor()
  expect(await attached().getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('fachada.png'),
    expect.stringContaining('proposta.pdf'),
  ])
  await attached().locator('img').waitFor()
  expect(await words(ana.page).inputValue()).toBe('Segue a proposta com a foto')
  await ana.shot('files')

  let go = () => {}
  const gate = new Promise<void>((open) => {
    go = open
  })
  // Never removed, because Chromium loses a request that is running then, such as the picture's here.
  await ana.page.route('**/api/messages/*', async (route) => {
    if (route.request().method() === 'POST') await gate
    await route.continue()
  })
  await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await bubble(ana.page, 'fachada.png').getByRole('progressbar').waitFor()
  await ana.shot('files-progress')
  await bubble(ana.page, 'fachada.png').getByRole('button', { name: 'Cancelar envio' }).click()
  await expect.poll(() => attached().getByRole('listitem').count()).toBe(2) // with the file that waited behind it
  await expect.poll(() => words(ana.page).inputValue()).toBe('Segue a proposta com a foto')
  await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await bubble(ana.page, 'fachada.png').getByRole('progressbar').waitFor()
  go()
  await bubble(ana.page, 'Segue a proposta com a foto').getByRole('button', { name: 'Abrir imagem' }).waitFor()
  expect(await attached().count()).toBe(0)
  await phone.getByText('Segue a proposta com a foto').waitFor()
  await phone.locator('[data-part=phone-picture]').waitFor()
  await phone.getByRole('link', { name: 'Arquivo' }).waitFor()
  const got = await on.got(customer.number)
  expect(got.map(({ mime }) => mime)).toEqual(['image/png', 'application/pdf'])

  const thumb = bubble(ana.page, 'Segue a proposta com a foto').getByRole('button', { name: 'Abrir imagem' })
  await thumb.click()
  const viewer = ana.page.getByRole('dialog', { name: /Segue a proposta com a foto/ })
  await viewer.getByRole('img').waitFor()
  await ana.shot('viewer')
  await ana.page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  expect(await thumb.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(ana.wrong).toEqual([])
})

it('a picture that failed to load says so in thread and viewer, and loads on request', async () => {
  const tiny = (await picture('#e11', 10, 10)).toString('base64')
  await on.says(customer, '', { mediaType: 'image', mediaUrl: `data:image/png;base64,${tiny}` })
  const admin = await on.enter('admin@demo.test')
  let fate = Promise.withResolvers<'lost' | 'brought'>()
  await admin.page.route('**/api/media/**', async (route) => ((await fate.promise) === 'lost' ? route.abort() : route.continue()))
  await admin.page.goto(new URL(ana.page.url()).pathname)
  const said = bubble(admin.page, 'Segue a proposta com a foto')
  await said.getByRole('button', { name: 'Abrir imagem' }).click()
  const viewer = admin.page.getByRole('dialog', { name: /Segue a proposta com a foto/ })
  await viewer.getByRole('progressbar', { name: 'Carregando…' }).waitFor()
  fate.resolve('lost')
  const again = { name: 'A imagem não carregou. Toque para tentar de novo.' }
  await viewer.getByRole('button', again).waitFor()
  await admin.shot('viewer-failed')
  fate = Promise.withResolvers()
  fate.resolve('brought')
  await viewer.getByRole('button', again).click()
  await viewer.locator('img').waitFor()
  await admin.page.keyboard.press('Escape')
  await admin.shot('picture-failed')
  const clipped = await admin.page
    .locator('[data-part=bubble-broken]')
    .evaluateAll((all) => all.map((one) => one.scrollHeight > one.clientHeight))
  expect(clipped).toEqual([false, false]) // however small the picture is
  await said.getByRole('button', again).click()
  await eventually(
    () => said.locator('img').evaluate((one: HTMLImageElement) => one.naturalWidth),
    (width) => width === 320,
  )
  await admin.leave()
})

it('a file refused by the server returns to the composer, and the others are sent', async () => {
  await ana.page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles([
      await file('planta.png', await picture('#a33')),
      await file('contrato.pdf', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')),
      await file('anexo.csv', 'nome;valor\n'),
    ])
  await words(ana.page).fill('A planta e o contrato')
  await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
  const failed = bubble(ana.page, 'contrato.pdf')
  await failed.getByRole('alert').waitFor()
  await bubble(ana.page, 'anexo.csv').getByText('Espera o arquivo anterior, que falhou').waitFor()
  await ana.shot('files-refused')
  await failed.getByRole('button', { name: 'Voltar a editar' }).click()
  await failed.waitFor({ state: 'detached' })
  await bubble(ana.page, 'A planta e o contrato').getByRole('button', { name: 'Abrir imagem' }).waitFor()
  await ana.page.getByRole('button', { name: 'Remover contrato.pdf' }).click()
  await attached().waitFor({ state: 'detached' })
  const mimes = await eventually(
    async () => (await on.got(customer.number)).map(({ mime }) => mime),
    (all) => all.includes('text/csv'),
  )
  expect(mimes.slice(2)).toEqual(['image/png', 'text/csv'])
  expect(ana.wrong).toEqual([])
})

it('text and files stay in the composer while the storage quota is exhausted', async () => {
  const db = openStore(on.on.databaseUrl, 1)
  try {
    const room = (uploadMegabytes: number) => db.db.updateTable('plan').set({ uploadMegabytes }).execute()
    await room(1)
    await ana.page
      .locator('[data-part=composer] input[type=file]')
      .setInputFiles([await file('tabela.csv', 'nome;valor\n'.repeat(120_000))])
    await words(ana.page).fill('Segue a tabela')
    await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
    const said = ana.page.locator('[data-part=notices]').getByText('O espaço da empresa para arquivos enviados acabou.')
    await said.waitFor()
    await ana.shot('files-no-room')
    expect(await attached().getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('tabela.csv')])
    expect(await words(ana.page).inputValue()).toBe('Segue a tabela')
    await room(51_200)
    await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await bubble(ana.page, 'Segue a tabela').getByText('tabela.csv').waitFor()
    await said.waitFor({ state: 'detached' })
  } finally {
    await db.db.destroy()
  }
})

it('a voice message is recorded and sent, and a cancelled one leaves nothing', async () => {
  const phone = await on.phoneOf(customer)
  const before = (await on.got(customer.number)).length
  const recorder = ana.page.getByRole('group', { name: 'Gravando…' })
  await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
  await recorder.getByRole('timer').getByText('0:01').waitFor()
  await recorder.getByRole('button', { name: 'Cancelar gravação' }).click()
  await recorder.waitFor({ state: 'detached' })
  await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
  await recorder.getByRole('timer').getByText('0:01').waitFor()
  await ana.page.keyboard.press('Escape')
  await words(ana.page).and(ana.page.locator(':focus')).waitFor()

  await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
  await recorder.getByRole('timer').getByText('0:02').waitFor()
  await ana.page.keyboard.press('Space') // typing on sends nothing of the recording
  await ana.shot('recording')
  await recorder.getByRole('button', { name: 'Enviar áudio' }).dblclick()
  await ana.page.getByRole('log').getByRole('button', { name: 'Ouvir' }).waitFor()
  await phone.locator('audio').waitFor()
  const got = (await on.got(customer.number)).slice(before).filter(({ kind }) => kind === 'audio') // an earlier file may arrive meanwhile
  expect(got.map(({ mime }) => mime)).toEqual([expect.stringMatching(/^audio\//)])
  await ana.shot('voice')
  expect(ana.wrong).toEqual([])
})

it('a double click on Send does not start a recording', async () => {
  await words(ana.page).fill('Clique duplo')
  const { x, y, width, height } = (await ana.page.getByRole('button', { name: 'Enviar', exact: true }).boundingBox())!
  await ana.page.mouse.dblclick(x + width / 2, y + height / 2, { delay: 60 })
  await bubble(ana.page, 'Clique duplo').waitFor()
  await ana.page.getByRole('button', { name: 'Gravar áudio' }).waitFor()
  expect(await ana.page.getByRole('group', { name: 'Gravando…' }).count()).toBe(0)
  expect(ana.wrong).toEqual([])
})

it('a voice message that failed to load says so, and only one plays at a time', async () => {
  const admin = await on.enter('admin@demo.test')
  let lost = true
  await admin.page.route('**/api/media/**', (route) => (lost ? route.abort() : route.continue()))
  await on.says(customer, '', { mediaType: 'audio', mediaUrl: `data:audio/wav;base64,${silence(5).toString('base64')}` })
  await admin.page.goto(new URL(ana.page.url()).pathname)
  const thread = admin.page.getByRole('log')
  const again = thread.getByRole('button', { name: 'O áudio não carregou. Toque para tentar de novo.' })
  await again.nth(1).waitFor()
  await admin.shot('audio-failed')
  lost = false
  await again.nth(1).click()
  await again.first().click()
  const plays = thread.getByRole('button', { name: 'Pausar' })
  await thread.getByRole('button', { name: 'Ouvir' }).nth(1).click()
  await plays.waitFor()
  await thread.getByRole('button', { name: 'Ouvir' }).click()
  await eventually(
    () => thread.locator('audio').evaluateAll((all) => all.map((one) => (one as HTMLAudioElement).paused)),
    (paused) => paused.join() === 'false,true',
  )
  expect(await plays.count()).toBe(1)
  await admin.leave()
})

it('a voice message goes on playing when the agent answers and the unread line disappears', async () => {
  const speaker = { name: 'Vera Falante', number: '5511944460008' }
  const { uuid } = await on.says(speaker, 'Vou mandar um áudio')
  const { page } = ana
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await write(page, 'Pode mandar')
  await page.getByRole('article', { name: 'Sua mensagem', exact: true }).filter({ hasText: 'Pode mandar' }).waitFor()
  await page.goto(address)
  await words(page).waitFor()
  await on.says(speaker, '', { mediaType: 'audio', mediaUrl: `data:audio/wav;base64,${silence(60).toString('base64')}` })
  const card = page.locator('[data-part=card]').filter({ hasText: speaker.name })
  await card.getByRole('img', { name: '1 não lida' }).waitFor()
  await page.getByRole('link', { name: speaker.name, exact: true }).click()
  const line = page.locator('[data-part=unread-line]')
  await line.waitFor()
  await page.getByRole('log').getByRole('button', { name: 'Ouvir' }).click()
  const audio = await page.getByRole('log').locator('audio').elementHandle()
  await expect.poll(() => audio!.evaluate((one) => (one as HTMLAudioElement).currentTime)).toBeGreaterThan(0)
  await write(page, 'Já escuto')
  await line.waitFor({ state: 'detached' })
  expect(await audio!.evaluate((one) => [one.isConnected, (one as HTMLAudioElement).paused])).toEqual([true, false])
  await page.goto(address)
})

it('a missing microphone is reported, and the typed text stays', async () => {
  for (const [fault, said] of [
    ['NotAllowedError', 'O navegador não liberou o microfone'],
    ['NotFoundError', 'Nenhum microfone encontrado'],
  ] as const) {
    await ana.page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
    }, fault)
    await ana.page.getByRole('button', { name: 'Gravar áudio' }).click()
    await ana.page.getByText(said).waitFor()
    await words(ana.page).waitFor()
  }
  await write(ana.page, 'Sem voz hoje, escrevo então.')
  await bubble(ana.page, 'Sem voz hoje').waitFor()
  expect(ana.wrong).toEqual([])
})

it('a chat opens at its first unread message, however many there are', async () => {
  const many = { name: 'Célia Muitas', number: '5511944460002' }
  for (let n = 1; n <= 70; n++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `many-${n}`, from: many.number, name: many.name, body: `Recado número ${n}.` })
  await eventually(
    async () => (await on.ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent('Célia Muitas')}`)).body.tickets?.[0],
    (found) => found?.unreadMessages === 70,
  )
  await ana.page.getByRole('tab', { name: /Aguardando/ }).click()
  await ana.page.getByRole('link', { name: many.name }).click()
  const divider = ana.page.getByText('70 mensagens não lidas')
  await divider.waitFor()
  await bubble(ana.page, /Recado número 1\./).waitFor()
  await ana.shot('unread')
  const inSight = await divider.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    const box = one.closest('[data-part=thread]')!.getBoundingClientRect()
    return top >= box.top && bottom <= box.bottom
  })
  expect(inSight).toBe(true)
  const [first] = await ana.page.locator('[data-part=unread-line]').locator('xpath=following::article').allInnerTexts()
  expect(first).toContain('Recado número 1.')
  expect(ana.wrong).toEqual([])
})

it('an upload goes on where the connection was lost, also after a reload (A-UPLOAD-01)', async () => {
  const { page } = ana
  await page.goto(address)
  const content = `${pdf}${'%'.repeat(4.5 * 1024 * 1024)}`
  const positions: number[] = []
  let lostFrom = 2
  await page.route('**/api/uploads', async (route) => {
    const position = Number(/name="position"\s+(\d+)/.exec(route.request().postDataBuffer()!.toString('latin1'))![1]) / 1024 ** 2
    if (position >= lostFrom) return route.abort()
    positions.push(position)
    await route.continue()
  })
  await page.locator('[data-part=composer] input[type=file]').setInputFiles(await file('plantas.pdf', content))
  await words(page).fill('Segue a planta')
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect.poll(() => bubble(page, 'plantas.pdf').getByRole('progressbar').getAttribute('aria-valuenow')).toMatch(/^4\d/)
  const sending = bubble(page, 'plantas.pdf')
  const cancel = (await sending.getByRole('button', { name: 'Cancelar' }).boundingBox())!
  expect((await sending.getByText('Segue a planta').boundingBox())!.y).toBeGreaterThanOrEqual(cancel.y + cancel.height)
  await ana.shot('upload-lost')
  lostFrom = 3
  await expect.poll(() => positions).toEqual([0, 1, 2]) // the same page goes on
  await page.reload()
  await bubble(page, 'plantas.pdf').waitFor()
  lostFrom = Infinity
  await bubble(page, 'plantas.pdf').getByRole('link').waitFor()
  expect(positions.slice(0, 4)).toEqual([0, 1, 2, 0]) // the first part asks how much has arrived
  expect(positions.slice(4).filter((position) => position !== 2)).toEqual([3, 4]) // the reload may have interrupted the third part
  const sent = bubble(page, 'plantas.pdf').getByRole('link')
  const stored = await page.request.get(await sent.evaluate(({ href }: HTMLAnchorElement) => href))
  expect((await stored.body()).equals(Buffer.from(content))).toBe(true)
  expect(ana.wrong.splice(0).filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})

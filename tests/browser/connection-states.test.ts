import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

/* The connections page shows for each state its look, its text and its next step. */
let on: Scene
const states = {
  qrcode: { status: 'qrcode', qrcode: 'guiche-x' },
  OPENING: { status: 'OPENING', updated_at: new Date(Date.now() + 3_600_000).toISOString() },
  stuck: { status: 'OPENING', updated_at: '2026-01-05T12:00:00Z' },
  unreached: { status: 'OPENING', reason: 'AWAY' },
  PAIRING: { status: 'PAIRING' },
  DISCONNECTED: { status: 'DISCONNECTED', reason: 'LOGGED_OUT' },
  ended: { status: 'DISCONNECTED' },
  TIMEOUT: { status: 'TIMEOUT', reason: 'CODE_EXPIRED' },
  unread: { status: 'TIMEOUT', reason: 'CODE_EXPIRED', number: null },
  expired: { status: 'DISCONNECTED', reason: 'TOKEN_EXPIRED', provider: 'cloud', channel: 'whatsappapi' },
  silent: { status: 'CONNECTED', silent_since: '2026-01-05T12:00:00Z' },
  preparing: { status: 'CONNECTED', status_import_messages: '2026-01-05T12:00:00Z' },
  bringing: { status: 'CONNECTED', status_import_messages: 'Running', import_done: 3, import_all: 20 },
  brought: { status: 'CONNECTED', status_import_messages: 'renderButtonCloseTickets' },
  linked: { status: 'CONNECTED', provider: 'beta' },
  gone: { status: 'DISCONNECTED', status_import_messages: 'renderButtonCloseTickets' },
}
beforeAll(async () => {
  on = await scene()
  const db = new pg.Client({ connectionString: on.on.databaseUrl })
  await db.connect()
  for (const [name, state] of Object.entries(states)) {
    const { body } = await on.ask('POST', '/whatsapp', { name: `Balcão ${name}`, channel: 'whatsapp', provider: 'sandbox' })
    for (const [column, value] of Object.entries({ number: '5511900000099', ...state }))
      await db.query(`update connection set ${column} = $1 where id = $2`, [value, body.id])
  }
  await db.end()
})
afterAll(() => on?.clear())

const said = {
  'pt-BR': {
    light: true,
    words: ['Aguardando leitura do código', 'Conectando', 'Pareando', 'Desconectada', 'Tempo esgotado', 'Sem resposta'],
    why: ['foi desvinculada no celular', 'o código não foi lido a tempo', 'nada volta do canal', 'o canal não respondeu'],
    imports: ['Preparando importação', 'Importando: 3 de 20', 'Encerrar importados'],
  },
  en: {
    light: false,
    words: ['Waiting for the code', 'Connecting', 'Pairing', 'Disconnected', 'Timed out', 'No response'],
    why: ['it was unlinked on the phone', 'its code was not scanned in time', 'the channel does not respond', 'the channel did not answer'],
    imports: ['Preparing the import', 'Importing: 3 of 20', 'Close imported'],
  },
  es: {
    light: true,
    words: ['Esperando la lectura', 'Conectando', 'Emparejando', 'Desconectada', 'Tiempo agotado', 'Sin respuesta'],
    why: ['fue desvinculada', 'su código no se leyó a tiempo', 'nada vuelve del canal', 'el canal no respondió'],
    imports: ['Preparando la importación', 'Importando: 3 de 20', 'Cerrar importados'],
  },
  tr: {
    light: false,
    words: ['Kodun okunması bekleniyor', 'Bağlanıyor', 'Eşleştiriliyor', 'Bağlı değil', 'Süre doldu', 'Yanıt yok'],
    why: ['bağlantısı kaldırıldı', 'zamanında okunmadı', 'yanıt gelmiyor', 'kanal yanıt vermedi'],
    imports: ['İçe aktarma hazırlanıyor', 'İçe aktarılıyor: 3/20', 'Aktarılanları kapat'],
  },
}
const whole = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-part=table] [data-status], [data-part=table] small, [data-part=table] button')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
      .map((one) => one.textContent),
  )
it.each(Object.entries(said))(
  'each connection state has a text and a reason, shown in full (%s)',
  async (language, { light, words, why, imports }) => {
    const admin = await on.enter('admin@demo.test', { language, theme: light ? 'light' : 'dark', at: '/connections' })
    const { page } = admin
    await page.locator('[data-status=silent]').waitFor()
    for (const width of language === 'pt-BR' ? [1440, 1024, 768, 390] : [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const text of [...words, ...why, ...imports])
        expect(await page.locator('[data-part=table]').getByText(text).first().isVisible()).toBe(true)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      expect(await whole(page)).toEqual([])
      await admin.shot(`connections-${language}-${width}`)
    }
    if (language === 'tr') expect(await faultsOf(page, 'connections')).toEqual([])
    expect(admin.wrong).toEqual([])
    await admin.leave()
  },
)

it.each([
  ['pt-BR', 'light', ['Geral', 'Mensagens', 'Chatbot', 'Avaliações'], 'A mensagem de saudação é obrigatória'],
  ['en', 'dark', ['General', 'Messages', 'Chatbot', 'Ratings'], 'A greeting is required'],
  ['es', 'light', ['General', 'Mensajes', 'Chatbot', 'Calificaciones'], 'El saludo es obligatorio'],
  ['tr', 'dark', ['Genel', 'Mesajlar', 'Chatbot', 'Değerlendirmeler'], 'karşılama mesajı zorunludur'],
] as const)('the connection dialog has its tabs and shows its rules (%s)', async (language, theme, tabs, rule) => {
  const admin = await on.enter('admin@demo.test', { language, theme, at: '/connections' })
  const { page } = admin
  await page.getByText('Balcão ended').click()
  const dialog = page.getByRole('dialog')
  for (const width of language === 'pt-BR' ? [1440, 768, 390] : [390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [i, name] of tabs.entries()) {
      await dialog.getByRole('tab', { name }).click()
      await dialog.getByRole('tab', { name, selected: true }).waitFor()
      expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
      await admin.shot(`connection-${language}-${width}-${i}`)
    }
  }
  await dialog.getByRole('tab', { name: tabs[0] }).click()
  const queues = dialog.getByRole('checkbox', { name: /Vendas|Suporte/ })
  for (const one of await queues.all()) await one.check({ force: true })
  await dialog.locator('button[type=submit]').click()
  await dialog.getByText(rule).first().waitFor()
  await dialog.getByRole('tab', { name: tabs[1], selected: true }).waitFor() // the tab of the field
  expect(await faultsOf(page, 'dialog', [theme])).toEqual([])
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('each connection state offers its next step (R-CONN-01, R-CONN-02, R-CONN-16)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/connections' })
  const { page } = admin
  const steps = async (name: string) => {
    const buttons = page
      .getByRole('row')
      .filter({ hasText: `Balcão ${name}` })
      .getByRole('button')
    return (await buttons.allInnerTexts()).filter((text) => text !== '')
  }
  await page.locator('[data-status=silent]').waitFor()
  expect(await steps('qrcode')).toEqual(['Mostrar código'])
  expect(await steps('OPENING')).toEqual(['Conectando…'])
  expect(await steps('PAIRING')).toEqual(['Conectando…', 'Desconectar'])
  for (const name of ['DISCONNECTED', 'ended']) expect(await steps(name)).toEqual(['Tentar de novo', 'Novo código'])
  expect(await steps('TIMEOUT')).toEqual(['Tentar de novo', 'Novo código', 'Desconectar'])
  expect(await steps('unread')).toEqual(['Novo código']) // nothing was linked that could continue or end
  expect(await steps('expired')).toEqual(['Informar novo token'])
  const expired = (await on.ask('GET', '/whatsapp')).body.find(({ name }: { name: string }) => name === 'Balcão expired')
  await on.ask('DELETE', `/whatsapp/${expired.id}`) // the sandbox has no account that could return
  expect(await page.getByRole('row').filter({ hasText: 'Balcão ended' }).locator('[data-part=no-queues]').innerText()).toBe('sem fila')
  expect(await steps('gone')).toEqual(['Encerrar importados', 'Tentar de novo', 'Novo código']) // the imported messages wait all the same
  for (const name of ['silent', 'unreached', 'stuck']) expect(await steps(name)).toEqual(['Tentar de novo', 'Desconectar'])
  expect(await steps('preparing')).toEqual(['Preparando importação', 'Desconectar'])
  expect(await steps('bringing')).toEqual(['Desconectar'])
  await page.getByRole('button', { name: 'Encerrar importados: Balcão brought' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar importados' }).click()
  await page.getByRole('button', { name: 'Encerrar importados: Balcão brought' }).waitFor({ state: 'detached' })
  expect(await steps('brought')).toEqual(['Desconectar'])
  await page.getByText('Balcão linked').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Importação' }).click()
  await dialog.getByRole('checkbox', { name: 'Importar mensagens anteriores' }).check({ force: true })
  await dialog.getByRole('note').getByText('as conversas anteriores só vêm ao vinculá-lo de novo').waitFor()
  await dialog.getByRole('checkbox', { name: 'Importar mensagens anteriores' }).uncheck({ force: true })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Tentar de novo: Balcão silent' }).click()
  await page.locator('[data-status=silent]').waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Balcão silent' }).locator('[data-status=CONNECTED]').waitFor()
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('a confirmed restart counts the connections, and support opens the configured address', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/connections' })
  const { page } = admin
  await page.locator('[data-status=CONNECTED]').first().waitFor()
  expect(await page.getByRole('button', { name: 'Chamar suporte' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Reiniciar conexões' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Reiniciar conexões' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reiniciar conexões' }).click()
  await page.getByText(/\d conexões reiniciadas/).waitFor()
  expect((await on.ask('PUT', '/settings/supportUrl', { value: 'javascript:alert(1)' })).status).toBe(400)
  expect((await on.ask('PUT', '/settings/supportUrl', { value: 'https://wa.me/5511900000000' })).status).toBe(200)
  await page.reload()
  expect(await page.getByRole('button', { name: 'Chamar suporte' }).getAttribute('href')).toBe('https://wa.me/5511900000000')
  await admin.shot('connections-support')
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('a super user sees, edits and deletes the connections of every company (R-CONN-19)', async () => {
  const root = await on.keeper()
  const { page } = root
  const { body: mine } = await on.ask('POST', '/whatsapp', { name: 'De passagem', channel: 'whatsapp', provider: 'sandbox' })
  const all = (await on.ask('GET', '/whatsapp/all')).body
  await page.goto('/connections')
  expect(await page.getByRole('link', { name: 'Configurar o e-mail' }).getAttribute('href')).toBe('/settings') // for the super user only
  await page.goto('/allConnections')
  const counted = (rows: { status: string }[]) => {
    const connected = rows.filter(({ status }) => status === 'CONNECTED').length
    return [connected, rows.length - connected, rows.length].map(String)
  }
  const cells = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell').allTextContents()
  await page.getByRole('button', { name: 'Outra Empresa' }).waitFor()
  for (const name of new Set<string>(all.map((one: any) => one.company.name)))
    expect(await cells(name)).toEqual([name, ...counted(all.filter((one: any) => one.company.name === name))])
  const totals = counted(all)
  expect(totals).not.toContain('0') // so that each of them was counted
  expect(await page.locator('tfoot').getByRole('cell').allTextContents()).toEqual(['Total', ...totals])
  expect(await faultsOf(page, 'all connections')).toEqual([])
  await page.getByRole('button', { name: 'Outra Empresa' }).click()
  const dialog = page.getByRole('dialog', { name: 'Outra Empresa' })
  const one = dialog.locator('[data-part=company-connection]').filter({ has: page.locator('[data-status=CONNECTED]') })
  await one.getByText('Padrão', { exact: true }).waitFor()
  await one.getByText(/Última atualização: \d/).waitFor()
  await one.locator('small', { hasText: /^WhatsApp/ }).waitFor() // its type, whatever its name is
  await root.shot('all-connections')
  await one.getByRole('button', { name: /^Editar/ }).click()
  const form = page.getByRole('dialog', { name: 'Editar conexão' })
  await form.getByRole('note').filter({ hasText: 'por quem é da empresa' }).waitFor() // a super user cannot choose the queues of another company
  await form.getByLabel('Nome', { exact: true }).fill('Vista de cima')
  await root.shot('all-connections-edit')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await one.filter({ hasText: 'Vista de cima' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const { company } = all.find(({ id }: any) => id === mine.id)
  await page.getByRole('button', { name: company.name, exact: true }).click()
  const passing = page.locator('[data-part=company-connection]').filter({ hasText: 'De passagem' })
  await passing.getByRole('button', { name: /^Excluir/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await passing.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/whatsapp/${mine.id}`)).status).toBe(404)
  for (const { id, company } of all) if (company.name === 'Outra Empresa') await on.ask('DELETE', `/whatsapp/${id}?release=true`)
  await page.reload()
  const none = page.getByRole('row').filter({ hasText: 'Outra Empresa' })
  await none.waitFor() // a company without connections is listed too
  expect(await none.getByRole('cell').allTextContents()).toEqual(['Outra Empresa', '0', '0', '0'])
  expect(root.wrong).toEqual([])
})

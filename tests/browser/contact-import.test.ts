import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const table = (text: string) => ({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })

it('a file of contacts is checked and imported, and its ignored rows are saved (A-IMP-06)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contatos' })
  await dialog.getByText('Nada é gravado antes de você confirmar').waitFor()
  await admin.shot('import-file')
  const rows = ['Zulmira Conceição Importada;11 98500-1001;Feira', 'Zeca Importado;11 98500-1002;', 'Sem Número;;', ';11 98500-1003;']
  await dialog.locator('input[type=file]').setInputFiles(table(`Quem é;Telefone;Tags\n${rows.join('\n')}\n`))
  await dialog.getByText('Contatos novos: 2 · atualizados: 0 · sem mudança: 0. Linhas ignoradas: 2 · deixadas de fora: 0.').waitFor()
  expect(await dialog.getByLabel('Campo de Telefone').inputValue()).toBe('number')
  expect(await dialog.getByLabel('Codificação do texto').inputValue()).toBe('windows-1252')
  expect(await dialog.locator('[data-part=import-accents]').innerText()).toContain('“Zulmira Conceição Importada”')
  await dialog.getByLabel('Codificação do texto').selectOption('utf-8')
  await dialog.getByText('Contatos novos: 1 · atualizados: 0 · sem mudança: 0. Linhas ignoradas: 3 · deixadas de fora: 0.').waitFor()
  await dialog.getByLabel('Codificação do texto').selectOption('windows-1252')
  await dialog.getByText('Contatos novos: 2 · atualizados: 0 · sem mudança: 0. Linhas ignoradas: 2 · deixadas de fora: 0.').waitFor()
  await dialog.getByText('Linhas que serão ignoradas').click()
  await dialog.locator('details').getByText('O número está vazio.').waitFor()
  expect(await faultsOf(page, 'import')).toEqual([])
  await admin.shot('import-preview')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.shot('import-preview-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })

  await dialog.getByLabel('Campo de Quem é').selectOption('')
  await dialog.getByText('Não foi selecionado o campo de nome do contato').waitFor()
  expect(await dialog.getByRole('button', { name: /^Importar 0/ }).isDisabled()).toBe(true)
  await dialog.getByLabel('Campo de Quem é').selectOption('number')
  await page.getByText('O campo Número já foi selecionado').waitFor()
  await dialog.getByLabel('Campo de Quem é').selectOption('name')
  await dialog.getByRole('button', { name: 'Importar 2 contatos' }).click()
  await dialog.getByText('Importação realizada com sucesso').waitFor()
  await expect.poll(() => dialog.locator('dd').allInnerTexts()).toEqual(['2', '0', '0', '2'])
  await admin.shot('import-result')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Baixar as linhas ignoradas' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.xlsx$/)
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await page.getByRole('searchbox').fill('Importad')
  await page.getByRole('row', { name: /Zulmira Conceição Importada/ }).waitFor()
  expect(admin.wrong).toEqual([])
})

it('an update shows what it changes, and rows are left out (R-CIMPORT-02)', async () => {
  await on.ask('POST', '/contactsImport', { name: 'Dirce Velha', number: '5511985001041', email: 'velha@x.test' })
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contatos' })
  const [sample] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Baixar planilha de exemplo' }).click(),
  ])
  expect(sample.suggestedFilename()).toBe('contatos-exemplo.xlsx')
  const more = Array.from({ length: 30 }, (_, n) => `Lote ${n};11 9850020${String(n).padStart(2, '0')}`)
  const text = ['Nome;Telefone', 'Dirce Nova;5511985001041', ...more].join('\n')
  await dialog.locator('input[type=file]').setInputFiles(table(text))
  await dialog.getByText('Contatos novos: 30 · atualizados: 1').waitFor()
  const rows = dialog.locator('[data-part=import-row]')
  expect(await rows.first().innerText()).toMatch(/Atualiza\s+Nome: Dirce Velha Dirce Nova/)
  expect(await dialog.locator('[data-part=import-page]').innerText()).toBe('1–20 de 31')
  expect(await faultsOf(page, 'import rows')).toEqual([])
  await admin.shot('import-rows')
  await dialog.getByRole('button', { name: 'Próximas linhas' }).click()
  await expect.poll(() => rows.count()).toBe(11)
  await dialog.getByLabel('Importar todas as 31 linhas').click({ force: true })
  await dialog.getByText('Nenhum contato será importado.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Importar 0 contatos' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Linhas mostradas').selectOption('leftOut')
  await dialog.getByLabel('Importar a linha 2', { exact: true }).click({ force: true })
  await expect.poll(() => rows.first().innerText()).toContain('Lote 0')
  await dialog.getByLabel(/^Verificar cada número novo na rede/).click({ force: true })
  await dialog.getByRole('button', { name: 'Importar 1 contato' }).click()
  await dialog.getByText('Importação realizada com sucesso').waitFor()
  await expect.poll(() => dialog.locator('dd').allInnerTexts()).toEqual(['0', '1', '0', '0'])
  expect(admin.wrong).toEqual([])
})

it('a file that is no table is refused, and another one can be chosen', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contatos' })
  await dialog.locator('input[type=file]').setInputFiles(table('\0\0\0\x01\0\0\0\x02'))
  await page.getByText('Arquivo inválido!').waitFor()
  await dialog.locator('input[type=file]').setInputFiles(table('nome,numero\nUma,11985001009\n'))
  await dialog.getByRole('button', { name: 'Importar 1 contato' }).waitFor()
  await dialog.locator('input[type=file]').setInputFiles(table('nome,numero\n"Uma,11985001009\nOutra,11985001010\n'))
  await dialog.getByRole('button', { name: 'Importar 2 contatos' }).waitFor()
  expect(await dialog.locator('[data-part=import-quotes]').innerText()).toMatch(/^Linha 2: uma aspa aberta/)
})

it('a table that another one has replaced is read again from its file', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contatos' })
  const replace = () =>
    page.evaluate(async () => {
      const body = new FormData()
      body.append('file', new Blob(['nome,numero\nOutra,11985001052\n']), 'outra.csv')
      await fetch('/api/contacts/upload', { method: 'POST', headers: { authorization: `Bearer ${localStorage.getItem('token')}` }, body })
    })
  const isGone = async () => {
    await dialog.getByText('Outra tabela foi escolhida depois desta').waitFor()
    expect(await dialog.getByRole('button', { name: /^Importar \d/ }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Ler o arquivo de novo' }).click()
    await dialog.getByRole('button', { name: 'Importar 1 contato' }).waitFor()
    expect(await dialog.getByText('Outra tabela foi escolhida depois desta').count()).toBe(0)
  }
  await dialog.locator('input[type=file]').setInputFiles(table('nome,numero\nPrimeira Tabela,11985001051\n'))
  await dialog.getByRole('button', { name: 'Importar 1 contato' }).waitFor()
  await replace()
  await dialog.getByRole('button', { name: 'Importar 1 contato' }).click()
  await isGone()
  await replace()
  await dialog.getByLabel('Importar a linha 2', { exact: true }).click({ force: true })
  await admin.shot('import-gone')
  await isGone()
  await dialog.getByRole('button', { name: 'Importar 1 contato' }).click()
  await expect.poll(() => dialog.locator('dd').allInnerTexts()).toEqual(['1', '0', '0', '0'])
})

it('contacts come from the phone of the default connection, or the reason is named (A-IMP-01)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importar contatos' })
  await dialog.getByRole('button', { name: 'Conversas do celular' }).click()
  await page.getByText('ainda não enviou estes contatos').waitFor()
  await admin.shot('import-phone')
  const people = [{ name: 'Tina da Agenda', number: '5511985001031' }]
  expect((await on.ask('POST', '/sandbox/1/people', { source: 'book', people })).status).toBe(202)
  await dialog.getByRole('button', { name: 'Agenda do celular' }).click()
  await dialog.getByText('Importação realizada com sucesso').waitFor()
  await expect.poll(() => dialog.locator('dd').allInnerTexts()).toEqual(['1', '0', '0', '0'])
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await page.getByRole('searchbox').fill('Tina da')
  await page.getByRole('row', { name: /Tina da Agenda/ }).waitFor()
  expect(admin.wrong.filter((one) => !one.includes('409'))).toEqual([])
})

it('the listed contacts are saved as a spreadsheet or as text (R-CONTACT-08)', async () => {
  await on.ask('POST', '/contacts', { name: 'Xisto Exportado', number: '5511985001020' })
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin
  await page.getByRole('searchbox').fill('Xisto Export')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  for (const [format, name] of [
    ['Texto separado (.csv)', 'contatos.csv'],
    ['Planilha Excel (.xlsx)', 'contatos.xlsx'],
  ] as const) {
    await page.getByRole('button', { name: 'Exportar' }).click()
    await admin.shot('contacts-export')
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()])
    expect(saved.suggestedFilename()).toBe(name)
    if (format.includes('csv')) {
      const lines = readFileSync(await saved.path(), 'utf8')
        .trim()
        .split('\r\n')
      expect([lines.length, lines[1]!.split(';')[0]]).toEqual([2, '"Xisto Exportado"'])
    }
  }
  expect(admin.wrong).toEqual([])
})

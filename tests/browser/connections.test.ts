import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/kit/processes.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

it('an admin makes a connection, reads its code, sets it, ends it and takes it away (R-CONN-02 to 05, A-CONN-06)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/connections' })
  const { page } = admin
  await page.locator('[data-part=no-mail]').getByText('Quem opera o servidor pode configurar o e-mail').waitFor()
  await page.getByRole('button', { name: 'Nova conexão' }).click()
  await page.getByRole('menuitem', { name: /^WhatsApp Desligado neste servidor/, disabled: true }).waitFor() // its server is told not to
  await admin.shot('new-connection')
  await page.getByRole('menuitem', { name: /^WhatsApp de testes/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Nova conexão de testes' })
  await dialog.getByLabel('Nome').fill('WhatsApp (simulador)')
  await dialog.getByRole('note').getByText('Outra conexão já tem este nome').waitFor()
  await dialog.getByLabel('Nome').fill('Loja da esquina')
  expect(await dialog.getByRole('note').count()).toBe(0)
  const messages = dialog.getByRole('tab', { name: /Mensagens/ })
  await dialog.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await messages.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Mensagem de saudação').fill('Olá, {nome}!')
  await admin.shot('connection-messages')
  expect(await dialog.getByRole('tab', { name: /Importação/ }).count()).toBe(0) // there is nothing on a practice phone to bring
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const code = page.locator('[data-part=qrcode]')
  await code.waitFor()
  expect(await code.innerText()).toMatch(/^guiche-/)
  await page.getByRole('button', { name: 'Ler com o celular do simulador' }).click()
  await code.waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: 'Loja da esquina' })
  await row.locator('[data-status=CONNECTED]').waitFor()
  await admin.shot('connections')

  await row.getByRole('button', { name: /Editar/ }).click()
  const edited = page.getByRole('dialog', { name: 'Editar conexão' })
  await edited.getByRole('tab', { name: /Avaliações/ }).click()
  await edited.getByLabel('Mensagem de avaliação').fill('De 0 a 10?')
  expect(await edited.getByLabel(/Esperar a avaliação/).inputValue()).toBe('30') // what would be refused is nobody's default
  await edited.getByLabel(/Esperar a avaliação/).fill('0')
  await edited.getByRole('button', { name: 'Salvar' }).click()
  await edited.getByText('Diga por quantos minutos a avaliação é esperada.').waitFor()
  await admin.shot('connection-refused')
  await edited.getByLabel(/Esperar a avaliação/).fill('30')
  await edited.getByRole('button', { name: 'Salvar' }).click()
  await edited.waitFor({ state: 'detached' })

  const { id } = (await on.ask('GET', '/whatsapp')).body.find(({ name }: { name: string }) => name === 'Loja da esquina')
  await on.ask('POST', `/sandbox/${id}/inbound`, { id: 'esquina-1', from: '5511944580001', name: 'Vera Esquina', body: 'Abre domingo?' })
  const found = async () => (await on.ask('GET', '/tickets?status=search&searchParam=Vera%20Esquina')).body.tickets
  const [vera] = await eventually(found, (tickets) => tickets?.length === 1)
  await row.getByRole('button', { name: /Desconectar/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Desconectar' }).click()
  await row.locator('[data-status=DISCONNECTED]').waitFor()
  await page.locator('[data-part=menu-warning]').waitFor()
  await row.getByRole('button', { name: /Tentar de novo/ }).click()
  await row.locator('[data-status=CONNECTED]').waitFor()
  await page.locator('[data-part=menu-warning]').waitFor({ state: 'detached' })

  expect((await on.ask('PUT', `/whatsappsession/${id}`)).body.status).toBe('qrcode')
  expect((await on.ask('POST', `/sandbox/${id}/scan`)).status).toBeLessThan(300)
  await row.locator('[data-part=missed]').getByText('pode faltar aqui').waitFor() // linked anew: what came meanwhile is on the phone alone
  await admin.shot('connection-missed')
  await page.setViewportSize({ width: 390, height: 844 })
  await row.locator('[data-part=missed]').waitFor()
  await admin.shot('connection-missed-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/tickets/${vera.uuid}`)
  await page.getByText(/^O número esteve fora de .* podem faltar/).waitFor()
  await page.goto('/connections')
  const ana = await on.enter('ana@demo.test')
  const { id: userId } = (await on.ask('GET', '/users/list')).body.find(({ name }: { name: string }) => name.startsWith('Ana'))
  const [{ id: queueId }] = (await on.ask('GET', '/queue')).body
  expect((await on.ask('PUT', `/tickets/${vera.id}`, { userId, queueId, isTransfered: true })).status).toBe(200)
  await ana.page.goto(`/tickets/${vera.uuid}`)
  await ana.page.getByRole('textbox', { name: 'Mensagem' }).waitFor()
  await row.getByRole('button', { name: /Excluir/ }).click()
  const asks = page.getByRole('alertdialog')
  await asks.getByRole('button', { name: 'Excluir' }).click()
  const tickets = asks.locator('[data-part=counts] div').filter({ hasText: 'Atendimentos ativos' })
  expect(await tickets.locator('dd').innerText()).toBe('1') // A-QUEUE-01
  await page.setViewportSize({ width: 390, height: 844 })
  await admin.shot('connection-in-use')
  await page.setViewportSize({ width: 1440, height: 900 })
  await asks.getByRole('button', { name: 'Encerrar e excluir' }).click()
  await row.waitFor({ state: 'detached' })
  expect(admin.wrong.filter((one) => !one.includes('409'))).toEqual([])

  await ana.page.getByText('excluiu a conexão: o seu atendimento com Vera Esquina foi encerrado').waitFor()
  await ana.page
    .locator('[data-part=thread]')
    .getByText(/Encerrado: .* excluiu a conexão/)
    .waitFor()
  const asleep = ana.page.locator('[data-part=asleep]')
  await asleep.getByText('A conexão deste atendimento foi excluída').waitFor()
  expect(await ana.page.getByRole('button', { name: /^Reabrir/ }).count()).toBe(0) // it would be refused
  await ana.shot('connection-gone')
  await asleep.getByRole('button', { name: 'Novo atendimento' }).click()
  await ana.page.getByRole('dialog', { name: 'Novo atendimento' }).locator('[data-part=chosen]').getByText('Vera Esquina').waitFor()
  expect(ana.wrong).toEqual([])
}, 90_000)

it('hours are set in the settings and in a queue, a day’s for all of them (R-HOURS-02, R-HOURS-03, R-CONN-15, R-CONN-17, A-HOURS-HOLIDAY)', async () => {
  await on.ask('PUT', '/settings/scheduleType', { value: 'queue' })
  const admin = await on.enter('admin@demo.test', { at: '/settings' })
  const { page } = admin
  const week = page.locator('[data-part=hours]')
  const monday = week.getByLabel('Segunda-feira, Primeiro turno, das')
  await monday.fill('930')
  await monday.press('Tab')
  expect(await monday.inputValue()).toBe('09:30')
  await week.getByRole('button', { name: 'Copiar Segunda-feira para todos os dias' }).click()
  await page.getByText('Clique em salvar para registar as alterações').waitFor() // R-CONN-17
  await page.getByRole('button', { name: 'Salvar horários' }).click()
  await page.getByText('Horários atualizados com sucesso.').first().waitFor()
  const me = (await on.ask('GET', '/auth/me')).body
  const saved = (await on.ask('GET', `/companies/${me.companyId}/schedules`)).body
  expect(saved.schedules.map(({ startTimeA }: { startTimeA: string }) => startTimeA)).toEqual(Array(7).fill('09:30'))
  await week.getByLabel('Domingo, Primeiro turno, às').fill('08:00')
  await week.getByRole('alert').waitFor()
  expect(await page.getByRole('button', { name: 'Salvar horários' }).isDisabled()).toBe(true)
  const holidays = page.locator('[data-part=holidays]')
  await holidays.getByLabel('Data').fill('2027-12-25')
  await holidays.getByLabel('Nome').fill('Natal')
  await holidays.getByRole('button', { name: 'Adicionar feriado' }).click()
  await holidays.getByText('25/12/2027').waitFor()
  await holidays.getByRole('button', { name: 'Propor feriados' }).click()
  const proposed = page.getByRole('dialog')
  await proposed.getByLabel('Estado', { exact: true }).selectOption({ label: 'São Paulo' })
  await proposed.getByLabel('Ano', { exact: true }).selectOption('2027')
  await proposed.getByLabel(/09\/07\/2027/).waitFor()
  expect(await proposed.getByLabel(/Natal/).isDisabled()).toBe(true) // it is there already
  await admin.shot('proposed-holidays')
  await proposed.getByText('Corpo de Deus').click()
  await proposed.getByRole('button', { name: /Adicionar \d+ feriados/ }).click()
  await proposed.waitFor({ state: 'detached' })
  for (const day of ['27/05/2027', '09/07/2027', '20/11/2027']) await holidays.getByText(day).waitFor()
  await holidays.getByRole('button', { name: 'Remover Revolução Constitucionalista' }).click()
  await holidays.getByText('09/07/2027').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await holidays.getByText('09/07/2027').waitFor()
  await admin.shot('company-hours')

  await page.goto('/queues')
  await page
    .getByRole('row')
    .filter({ hasText: 'Vendas' })
    .getByRole('button', { name: /Editar/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tempo do rodízio').selectOption({ label: '15 minutos' })
  await admin.shot('queue-data')
  await dialog.getByRole('tab', { name: /Mensagens/ }).click()
  await dialog.getByLabel('Mensagem fora do horário').fill('Voltamos amanhã.')
  await dialog.getByRole('tab', { name: /Horário/ }).click()
  await dialog.getByRole('button', { name: 'Fechar Domingo' }).click()
  await admin.shot('queue-hours')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  const queue = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Vendas')
  expect(queue).toMatchObject({ tempoRoteador: 15, outOfHoursMessage: 'Voltamos amanhã.' })
  expect(queue.schedules[6]).toMatchObject({ weekdayEn: 'sunday', startTimeA: '', endTimeB: '' })
  for (const value of ['queue', 'connection']) {
    await on.ask('PUT', '/settings/scheduleType', { value })
    await page.goto('/connections')
    await page
      .getByRole('button', { name: /Editar/ })
      .first()
      .click()
    await dialog.getByRole('tab', { name: 'Geral' }).waitFor()
    expect(await dialog.getByRole('tab', { name: /Horários/ }).count()).toBe(value === 'queue' ? 0 : 1)
  }
  await on.ask('PUT', '/settings/scheduleType', { value: 'queue' })
  expect(admin.wrong).toEqual([])
}, 60_000)

it('the options of a queue are written beside a phone that walks through them (R-QUEUE-04, R-BOT-01)', async () => {
  const none = { queueType: 'text', closeTicket: false, optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null }
  const below = ['Internet', 'Telefone'].map((name) => ({ ...none, name, greetingMessage: null, chatbots: [] }))
  const suporte = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Suporte').id
  const asks = { greetingMessage: 'Aqui é o {fila}.', chatbots: below }
  expect((await on.ask('PUT', `/queue/${suporte}`, asks)).status).toBe(200)
  const admin = await on.enter('admin@demo.test', { at: '/queues' })
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Financeiro' })
  await row.getByRole('button', { name: /Editar/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  const add = dialog.getByRole('button', { name: 'Adicionar opção', exact: true })
  const names = () => dialog.getByLabel(/^Nome da opção/).evaluateAll((fields) => fields.map((one) => (one as HTMLInputElement).value))
  async function drag(from: string, to: string, where: 'above' | 'below' | 'inside'): Promise<void> {
    const place = dialog.locator(where === 'inside' ? `[data-below="${to}"]` : `li:has(> div > [data-option="${to}"])`)
    const { height } = (await place.boundingBox())!
    const y = where === 'above' ? 4 : where === 'below' ? height - 4 : height / 2
    await dialog.locator(`[data-option="${from}"] [draggable]`).dragTo(place, { targetPosition: { x: 8, y } })
  }
  await add.click()
  await dialog.getByLabel('Nome da opção 1').fill('Boleto')
  await dialog.getByLabel('Mensagem: Boleto').fill('Aqui está o boleto.')
  await add.click()
  await dialog.getByLabel('Nome da opção 2').fill('boleto')
  await dialog.getByRole('alert').first().waitFor() // two with one name
  await dialog.getByLabel('Nome da opção 2').fill('Suporte técnico')
  await dialog.getByLabel('Tipo: Suporte técnico').selectOption({ label: 'Outra fila' })
  await dialog.getByLabel('Fila: Suporte técnico').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Subir Suporte técnico' }).click()
  await dialog.getByRole('button', { name: 'Descer Suporte técnico' }).and(page.locator(':focus')).waitFor() // at the top there is no other way
  const phone = dialog.locator('[data-part=bot-phone]')
  await phone.getByText('[ 1 ] - Suporte técnico').waitFor() // its bold is drawn
  await phone.getByText('[ 0 ] - Voltar').waitFor() // as where it is chosen among several
  for (const first of ['Boleto', 'Suporte técnico']) {
    await drag('chatbots/0', 'chatbots/1', 'below')
    await phone.getByText(`[ 1 ] - ${first}`).waitFor()
  }
  await dialog.getByRole('button', { name: 'Adicionar opção abaixo de Boleto' }).click()
  await dialog.getByLabel('Nome da opção 1').nth(1).fill('Segunda via')
  await drag('chatbots/1/chatbots/0', 'chatbots/0', 'above') // to another level
  expect(await names()).toEqual(['Segunda via', 'Suporte técnico', 'Boleto'])
  await drag('chatbots/0', 'chatbots/2', 'inside')
  expect(await names()).toEqual(['Suporte técnico', 'Boleto', 'Segunda via'])
  await dialog.getByRole('button', { name: 'Pôr Segunda via um nível acima' }).press('Enter')
  await dialog.locator('[data-option="chatbots/2"] :focus').waitFor()
  await dialog.getByRole('button', { name: 'Pôr Segunda via abaixo da anterior' }).press('Enter')
  await dialog.locator('[data-option="chatbots/1/chatbots/0"] :focus').waitFor()

  /* A type that shows no options below has none, and takes none along out of sight (R-BOT-01). */
  await dialog.getByLabel('Nome da opção 1').nth(1).fill('')
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Atendente' })
  await dialog.getByText('A opção abaixo saiu, pois este tipo não mostra nenhuma.').waitFor()
  expect([await names(), await dialog.getByLabel('Encerrar depois').count()]).toEqual([['Suporte técnico', 'Boleto'], 0]) // nor is either closed
  await admin.shot('queue-bot-taken')
  await dialog.getByLabel('Nome da opção 1').fill('Suporte técnico 2')
  await dialog.getByRole('button', { name: 'Desfazer' }).click()
  expect(await names()).toEqual(['Suporte técnico 2', 'Boleto', ''])
  await dialog.getByLabel('Nome da opção 1').first().fill('Suporte técnico')
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Atendente' })
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Texto e submenu' })
  expect(await names()).toEqual(['Suporte técnico', 'Boleto', '']) // as it was, too
  await dialog.getByRole('button', { name: 'Remover opção 1' }).click()
  await phone.getByLabel('Responder').fill('boleto')
  await phone.getByLabel('Responder').press('Enter')
  await phone.getByText('Aqui está o boleto.').waitFor()
  await phone.getByRole('button', { name: 'Recomeçar' }).click()
  for (const answer of ['suporte técnico', '2']) {
    await phone.getByLabel('Responder').fill(answer)
    await phone.getByLabel('Responder').press('Enter')
    await phone.getByText(answer === '2' ? /→ passa para uma pessoa/ : /Aqui é o Suporte\.[\s\S]*\[ 2 \] - Telefone/).waitFor() // in its own words
  }
  const unseen = () => phone.getByRole('log').evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop)
  await expect.poll(unseen).toBeLessThan(2) // what was said last is seen
  await admin.shot('queue-bot')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { id } = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Financeiro')
  const { chatbots } = (await on.ask('GET', `/queue/${id}`)).body
  expect(chatbots.map(({ name, queueType }: { name: string; queueType: string }) => [name, queueType])).toEqual([
    ['Suporte técnico', 'queue'],
    ['Boleto', 'text'],
  ])
  await row.getByRole('button', { name: /Editar/ }).click()
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  expect(await dialog.getByLabel('Nome da opção 2').inputValue()).toBe('Boleto')
  await dialog.getByRole('tab', { name: 'Dados da fila' }).click()
  await dialog.getByLabel('Encerrar ao escolher esta fila').check({ force: true })
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  await phone.getByText('→ o atendimento é encerrado').waitFor() // A-BOT-06
  expect(admin.wrong).toEqual([])
}, 60_000)

it('a text to customers takes its names from a menu, is shown as a contact reads it, and says which name nobody knows (A-BOT-10)', async () => {
  const { body: list } = await on.ask('POST', '/files', { name: 'Catálogo de inverno', message: 'Segue, {nome}', options: [] })
  const [first, ...others] = (await on.ask('GET', '/contacts')).body.contacts.filter(({ isGroup }: any) => !isGroup)
  const admin = await on.enter('admin@demo.test', { at: '/queues' })
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Suporte' })
  await row.getByRole('button', { name: /Editar/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: /Mensagens/ }).click()
  const panel = dialog.getByRole('tabpanel', { name: /Mensagens/ })
  const text = panel.getByLabel('Mensagem de saudação')
  const preview = panel.locator('[data-part=said-preview]')
  await text.fill('*Olá*, !')
  await text.press('ArrowLeft')
  await panel.getByRole('button', { name: 'Inserir variável' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /Nome do contato/ }).press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300))).toContain('<textarea')
  await page.keyboard.type(', aqui é {{FILA}} de {foo}')
  expect(await text.inputValue()).toBe('*Olá*, {nome}, aqui é {{FILA}} de {foo}!')
  await preview.getByText(`Olá, ${first.name}, aqui é Suporte de {foo}!`, { exact: true }).waitFor()
  expect(await preview.locator('strong').innerText()).toBe('Olá')
  await panel.getByRole('status').filter({ hasText: 'Ninguém conhece {foo}' }).waitFor()
  await admin.shot('said-text')

  await on.ask('POST', '/quick-messages', { shortcode: 'horario', message: 'Abrimos às 9h, {nome}.', geral: true, visao: true })
  await text.press('End')
  await panel.getByRole('button', { name: 'Inserir variável' }).first().click()
  await page.getByRole('menuitem', { name: 'Texto de uma resposta rápida' }).click()
  await page.getByRole('searchbox', { name: 'Buscar resposta rápida' }).fill('hora')
  await page.getByRole('menuitem', { name: /horario/ }).waitFor()
  await admin.shot('said-reply')
  await page.getByRole('menuitem', { name: /horario/ }).click()
  expect(await text.inputValue()).toBe('*Olá*, {nome}, aqui é {{FILA}} de {foo}!Abrimos às 9h, {nome}.') // as it stands: a name is filled in where it is said
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await text.fill('Olá, {nome}, aqui é {{FILA}} de {foo}!')

  const other = others.find(({ name, active }: any) => active && name !== first.name && name.length >= 3)
  await preview.getByRole('button', { name: `Prévia com ${first.name}` }).click()
  await page.getByPlaceholder('Nome ou número, ao menos 3 caracteres').fill(other.name)
  await page.getByRole('button', { name: other.name }).first().click()
  await preview.getByText(`Olá, ${other.name}, aqui é Suporte de {foo}!`, { exact: true }).waitFor()
  await text.fill('Olá, {nome}!')
  expect(await panel.getByRole('status').count()).toBe(0)
  await panel.getByLabel('Lista de arquivos').selectOption({ label: 'Catálogo de inverno' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Editar: Suporte') // not to the menu
  const queue = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Suporte')
  expect(queue).toMatchObject({ fileListId: list.id, greetingMessage: 'Olá, {nome}!' })
  expect(admin.wrong).toEqual([])
}, 60_000)

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, answer, bubble, choose, chooseOf, type Scene, scene, words, write } from './scene.ts'

let on: Scene
let ana: Person
let bruno: Person
/** Sees every ticket, including those of others. */
let helena: Person

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
  bruno = await on.enter('bruno@demo.test')
  helena = await on.enter('admin@demo.test', { theme: 'dark' })
})
afterAll(() => on?.clear())

it('a new demo company has groups with several people each', async () => {
  await ana.page.getByRole('tab', { name: /Grupos/ }).click()
  for (const [name, people] of [
    ['Obra Rua Aurora 120', ['Seu Valdir', 'Dona Marta', 'Téo Pedreiro']],
    ['Condomínio Jardim das Acácias', ['Sílvia Síndica', 'Zé da Portaria', 'Raquel 502']],
  ] as const) {
    await ana.page.getByRole('link', { name }).click()
    for (const one of people)
      await ana.page
        .getByRole('article', { name: `Mensagem de ${one}` })
        .first()
        .waitFor()
    await ana.shot(`demo-${name.split(' ')[0]}`)
  }
  expect(ana.wrong).toEqual([])
})

it('an empty list says whose it is, and shows everyone’s tickets if permitted', async () => {
  await helena.page.getByRole('tab', { name: /Resolvidos/ }).click()
  await helena.page.getByText('Nada resolvido por você ainda').waitFor()
  await helena.shot('nothing')
  await helena.page.getByRole('button', { name: 'Ver de todos' }).click()
  await helena.page.locator('[data-part=card]').nth(5).waitFor()
  await helena.page.getByRole('button', { name: 'Filtros: 1 ativo' }).waitFor()
  await ana.page.getByRole('tab', { name: /Resolvidos/ }).click()
  await ana.page.locator('[data-part=card]').first().waitFor()
  expect([...ana.wrong, ...helena.wrong]).toEqual([])
})

it('two agents answer a group at once, and its people are named', async () => {
  const group = { id: '120363041234567890', name: 'Obra Vila Mariana' }
  const rita = { name: 'Rita Mestre', number: '5511944450001', group }
  const paulo = { name: 'Paulo Elétrica', number: '5511944450002', group }
  await on.says(rita, 'Bom dia, o cimento chega hoje?')
  for (const { page } of [ana, bruno]) {
    await page.getByRole('tab', { name: /Grupos/ }).click()
    await page.getByRole('link', { name: group.name }).click()
    await bubble(page, 'o cimento chega hoje?').waitFor()
  }
  await on.says(paulo, 'Preciso também de 2 rolos de fio 2,5')
  await on.says(rita, 'E de areia')
  for (const { page } of [ana, bruno]) {
    await page
      .getByRole('article', { name: 'Mensagem de Rita Mestre' })
      .filter({ hasText: 'E de areia' })
      .getByText('Rita Mestre')
      .waitFor()
    await page.getByRole('article', { name: 'Mensagem de Paulo Elétrica' }).getByText('Paulo Elétrica', { exact: true }).waitFor()
  }

  await choose(ana.page, '2 rolos de fio', 'Responder')
  await ana.page.getByText('Respondendo a Paulo Elétrica').waitFor()
  await write(ana.page, 'Vai no mesmo caminhão, às 15h.')
  await eventually(
    () => on.got(group.id),
    (got) => got.some(({ body }) => body.includes('no mesmo caminhão')),
  )
  const answer = bubble(bruno.page, 'no mesmo caminhão')
  await answer.getByText('Ana Souza:', { exact: true }).waitFor()
  expect(await answer.getByText('Ana Souza', { exact: true }).count()).toBe(0) // the message names the agent, so no label is above it
  await answer.locator('[data-part=quoted]').getByText('Paulo Elétrica').waitFor()
  const { id: quotedId } = (await on.got(group.id)).find(({ body }) => body.includes('no mesmo caminhão')) as unknown as { id: string }
  for (const { name, number: from } of [rita, paulo])
    expect(
      (await on.ask('POST', '/sandbox/1/inbound', { id: `por-${from}`, from, name, body: '', group, quotedId, reaction: '👍' })).status,
    ).toBe(202)
  const reactions = bubble(ana.page, 'no mesmo caminhão').getByRole('button', { name: 'Reações: 👍 Rita Mestre, 👍 Paulo Elétrica' })
  await reactions.getByText('2').waitFor()
  await reactions.focus()
  await ana.page.keyboard.press('Enter')
  await ana.page.locator('[data-part=reacted]').getByText('Paulo Elétrica').waitFor()
  await ana.shot('group')
  await ana.page.keyboard.press('Escape')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})

it('messages are edited, deleted, reacted to, quoted and forwarded, on phone and screen', async () => {
  const customer = { name: 'Sílvia Conversa', number: '5511944450003' }
  const ticket = await on.says(customer, 'Quanto custa o frete?')
  const friend = { name: 'Otto Segundo', number: '5511944450004' }
  const { id } = await on.says(friend, 'Vocês entregam?')
  expect((await on.ask('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
  const phone = await on.phoneOf(customer)
  await ana.page.goto(`/tickets/${ticket.uuid}`)
  await accept(ana.page)
  await helena.page.goto(`/tickets/${ticket.uuid}`)
  await bubble(helena.page, 'Quanto custa o frete?').waitFor()

  await choose(ana.page, 'Quanto custa o frete?', 'Responder')
  await write(ana.page, 'Sai por R$ 20')
  const onPhone = (text: string) => phone.locator('[data-part=phone-message]').filter({ hasText: text })
  await onPhone('Sai por R$ 20').locator('blockquote').getByText('Quanto custa o frete?').waitFor()
  await bubble(helena.page, 'Sai por R$ 20').locator('[data-part=quoted]').getByText('Quanto custa o frete?').waitFor()

  await choose(ana.page, 'Sai por R$ 20', 'Editar')
  const edit = ana.page.getByRole('dialog')
  await ana.shot('edit')
  expect(await edit.getByLabel('Mensagem').inputValue()).toBe('Sai por R$ 20') // the signature is not part of the edited text
  await edit.getByLabel('Mensagem').fill('Sai por R$ 12')
  await edit.getByLabel('Mensagem').press('Enter') // as in the composer
  await onPhone('Sai por R$ 12').getByText('editada').waitFor()
  expect(await onPhone('Sai por R$ 12').innerText()).toContain('Ana Souza:')
  await bubble(helena.page, 'Sai por R$ 12').getByText('editada').waitFor()
  expect(await phone.getByText('R$ 20').count()).toBe(0)

  await choose(ana.page, 'Quanto custa o frete?', 'Reagir com ❤️')
  await onPhone('Quanto custa o frete?').locator('[data-part=phone-reactions]').getByText('❤️').waitFor()
  await bubble(helena.page, 'Quanto custa o frete?').getByRole('img', { name: 'Nós reagimos com ❤️' }).waitFor()
  await phone.getByRole('textbox', { name: 'Mensagem' }).waitFor()
  const answer = onPhone('Sai por R$ 12')
  await answer.hover()
  await answer.getByLabel('Reagir').click()
  await answer.getByRole('button', { name: '🙏' }).click()
  for (const { page } of [ana, helena]) await bubble(page, 'Sai por R$ 12').getByRole('img', { name: 'O contato reagiu com 🙏' }).waitFor()

  await choose(ana.page, 'Sai por R$ 12', 'Encaminhar')
  const forward = ana.page.getByRole('dialog')
  await forward.getByPlaceholder(/Nome ou número/).fill('Otto')
  await forward.getByRole('button', { name: /Otto Segundo/ }).click()
  const confirms = forward.getByRole('button', { name: 'Encaminhar', exact: true })
  await expect.poll(() => confirms.evaluate((button) => button === document.activeElement)).toBe(true)
  await ana.shot('forward')
  expect((await on.got(friend.number)).some(({ body }) => body.includes('Sai por R$ 12'))).toBe(false) // choosing sends nothing
  await ana.page.keyboard.press('Control+Enter')
  await eventually(
    () => on.got(friend.number),
    (got) => got.some(({ body }) => body.includes('Sai por R$ 12')),
  )

  const again = await on.says(friend, 'Voltei')
  await ana.page.goto(`/tickets/${again.uuid}`) // it is hers since she wrote there
  await choose(ana.page, 'Vocês entregam?', 'Responder') // of the previous ticket
  await write(ana.page, 'Sim, entregamos')
  await bubble(ana.page, 'Sim, entregamos').locator('[data-part=quoted]').getByText('Vocês entregam?').waitFor()
  await ana.page.goto(`/tickets/${ticket.uuid}`)

  await write(ana.page, 'Mensagem para a pessoa errada')
  await onPhone('Mensagem para a pessoa errada').waitFor()
  await choose(ana.page, 'Mensagem para a pessoa errada', 'Apagar')
  const asks = ana.page.getByRole('alertdialog')
  await asks.getByText('Mensagem para a pessoa errada').waitFor()
  await asks.getByRole('button', { name: 'Apagar' }).click()
  await phone.getByText('Mensagem apagada').waitFor()
  for (const { page } of [ana, helena]) await bubble(page, 'Essa mensagem foi apagada').waitFor()
  expect(await helena.page.getByText('Mensagem para a pessoa errada').locator('visible=true').count()).toBe(0)
  await ana.shot('changed')
  expect([...ana.wrong, ...helena.wrong, ...(await on.keeper()).wrong]).toEqual([])
})

it('a ticket is returned, resolved and reopened, keeps its notes, and logs every act', async () => {
  const ticket = await on.says({ name: 'Nair Registro', number: '5511944450005' }, 'Quero trocar o plano')
  await ana.page.goto(`/tickets/${ticket.uuid}`)
  await accept(ana.page)
  await chooseOf(ana.page, 'Observações')
  const notes = ana.page.getByRole('dialog')
  await notes.getByLabel('Nova observação').fill('Prefere falar à tarde')
  await notes.getByRole('button', { name: 'Adicionar observação' }).click()
  await notes.getByRole('listitem').getByText('Prefere falar à tarde').waitFor()
  await ana.shot('notes')
  await ana.page.keyboard.press('Escape')
  await notes.waitFor({ state: 'detached' })

  await chooseOf(ana.page, 'Devolver')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.page.getByRole('tab', { name: /Aguardando/, selected: true }).waitFor()
  await bruno.page.goto(`/tickets/${ticket.uuid}`)
  const head = bruno.page.locator('[data-part=head]')
  await head.getByText('Aguardando').waitFor()
  await head.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await head.getByText('Em atendimento').waitFor()
  await head.getByRole('button', { name: 'Resolver', exact: true }).click()
  await bruno.page.waitForURL(/\/tickets$/)
  await bruno.page.getByRole('tab', { name: /Resolvidos/ }).click()
  await bruno.page.getByRole('link', { name: 'Nair Registro' }).click()
  await bruno.page.getByText('Este atendimento foi resolvido. Reabra para responder.').waitFor()
  await words(bruno.page).fill('isto não sai')
  await words(bruno.page).press('Enter')
  await bruno.page.getByText('Não foi enviado.').waitFor()
  expect(await words(bruno.page).inputValue()).toBe('isto não sai')
  await words(bruno.page).fill('')
  await bruno.shot('asleep')
  await bruno.page.getByRole('button', { name: 'Reabrir para responder' }).click()
  await head.getByText('Em atendimento').waitFor()
  await answer(on, bruno.page, { name: 'Nair Registro', number: '5511944450005' }, 'Voltei ao seu pedido.')
  await bruno.page.getByRole('log').getByRole('button', { name: 'Mostrar mais 4 eventos' }).click()
  for (const line of ['Resolvido por Bruno Lima', 'Bruno Lima reabriu o atendimento'])
    await bruno.page.getByRole('log').getByText(line).waitFor()
  await bruno.page.getByRole('link', { name: 'Nair Registro' }).waitFor()
  await on.says({ name: 'Nair Registro', number: '5511944450005' }, 'Que bom!')
  await bubble(bruno.page, 'Que bom!').waitFor()
  // read on arrival: no badge for a message on screen
  const card = bruno.page.locator('[data-part=card]').filter({ hasText: 'Que bom!' })
  await card.waitFor()
  await card.locator('[data-part=badge]').waitFor({ state: 'detached' })

  await chooseOf(bruno.page, 'Registro do atendimento')
  const log = bruno.page.getByRole('dialog')
  await log.getByText('Bruno Lima reabriu o atendimento').waitFor()
  await bruno.shot('log')
  const told = (await log.getByRole('listitem').allInnerTexts()).join('\n')
  const order = ['Ana Souza aceitou', 'Ana Souza devolveu', 'Bruno Lima aceitou', 'Resolvido por Bruno Lima', 'Bruno Lima reabriu']
  const places = order.map((line) => told.indexOf(line))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(-1)
  await bruno.page.keyboard.press('Escape')
  await log.waitFor({ state: 'detached' })
  await chooseOf(bruno.page, 'Observações')
  await bruno.page.getByRole('dialog').getByText('Prefere falar à tarde').waitFor()
  await bruno.page.keyboard.press('Escape')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})

it('a deleted ticket leaves every list at once, and its viewers are notified', async () => {
  const ticket = await on.says({ name: 'Zulmira Apagada', number: '5511944450006' }, 'Mensagem enviada por engano')
  await helena.page.goto(`/tickets/${ticket.uuid}`)
  await ana.page.goto('/tickets')
  await ana.page.getByRole('tab', { name: /Aguardando/ }).click()
  await ana.page.getByRole('link', { name: 'Zulmira Apagada' }).click()
  await bubble(ana.page, 'Mensagem enviada por engano').waitFor()
  await bruno.page.goto('/tickets')
  await bruno.page.getByRole('tab', { name: /Aguardando/ }).click()
  await bruno.page.getByRole('link', { name: 'Zulmira Apagada' }).waitFor()
  expect(await ana.page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).isVisible()).toBe(true)
  await ana.page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await ana.page.getByRole('menuitem', { name: 'Observações' }).waitFor()
  expect(await ana.page.getByRole('menuitem', { name: 'Excluir' }).count()).toBe(0) // only an admin may delete
  await ana.page.keyboard.press('Escape')

  await chooseOf(helena.page, 'Excluir')
  const asks = helena.page.getByRole('alertdialog')
  await asks.getByText(/Zulmira Apagada/).waitFor()
  await helena.shot('delete')
  await asks.getByRole('button', { name: 'Cancelar' }).click()
  await asks.waitFor({ state: 'detached' })
  await bubble(helena.page, 'Mensagem enviada por engano').waitFor()
  await chooseOf(helena.page, 'Excluir')
  await asks.getByRole('button', { name: 'Excluir' }).click()

  await helena.page.waitForURL(/\/tickets$/)
  await ana.page.waitForURL(/\/tickets$/)
  await ana.page.getByText('O atendimento de Zulmira Apagada não está mais aqui').waitFor()
  await ana.shot('gone')
  for (const { page } of [ana, bruno]) await page.getByRole('link', { name: 'Zulmira Apagada' }).waitFor({ state: 'detached' })
  expect(await helena.page.getByText('não está mais aqui').count()).toBe(0) // the deleting user needs no message
  expect([...ana.wrong, ...bruno.wrong, ...helena.wrong]).toEqual([])
})

it('close-all asks with a count, closes a whole tab, and all lists follow', async () => {
  await bruno.page.goto('/tickets')
  await bruno.page.getByRole('tab', { name: /Aguardando/ }).click()
  await bruno.page.locator('[data-part=card]').first().waitFor()
  const { body } = await on.ask('GET', '/tickets?status=pending&showAll=true&pageSize=1')
  expect(body.count).toBeGreaterThan(10)
  await helena.page.goto('/tickets')
  await helena.page.getByRole('tab', { name: /Aguardando/ }).click()
  await helena.page.getByRole('button', { name: 'Encerrar todos' }).click()
  const asks = helena.page.getByRole('alertdialog')
  const verb = asks.getByRole('button', { name: `Encerrar ${body.count}`, exact: true })
  await verb.waitFor()
  await helena.shot('close-all')
  await verb.click()
  await helena.page.getByText(`${body.count} atendimentos encerrados`).waitFor()
  for (const { page } of [helena, bruno]) {
    await page.getByText('Ninguém está aguardando').or(page.getByText('Nada com estes filtros')).waitFor() // helena’s filter is her own
    await page.getByRole('tab', { name: 'Aguardando', exact: true }).waitFor() // without a count
  }
  await bruno.page.getByRole('tab', { name: /Resolvidos/ }).click()
  await bruno.page.locator('[data-part=card]').first().waitFor()
  await bruno.shot('closed-all')

  await helena.page.getByRole('button', { name: 'Encerrar todos' }).click()
  await asks.getByText('Não há nada para encerrar').waitFor()
  expect(await asks.getByRole('button', { name: 'Encerrar todos' }).isDisabled()).toBe(true)
  expect([...bruno.wrong, ...helena.wrong]).toEqual([])
})

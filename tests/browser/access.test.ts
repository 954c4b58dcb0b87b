import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePasswordLink } from '#app/session/password-link.ts'
import { openStore } from '#projections/postgres.ts'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, answer, bubble, choose, chooseOf, type Scene, scene, words } from './scene.ts'

let on: Scene
const customer = { name: 'Alice Acesso', number: '5511944480001' }
const waiting = { name: 'Espera Acesso', number: '5511944480002' }
let open: { id: number; uuid: string }
let pending: { id: number; uuid: string }

type State = [name: string, reach: (page: Page) => Promise<unknown>]

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last().waitFor()
/** Navigates inside the client, because loading the client again for each state took most of the time. */
const go = async (page: Page, path: string) => {
  if (!page.url().startsWith('http')) return page.goto(path)
  const walk = (to: string) => page.evaluate((there) => history.pushState(null, '', there), to)
  await page.keyboard.press('Escape') // closes what the previous state left open
  await eventually(
    async () => {
      await walk('/nowhere') // repeated, because a closing dialog may step back in the history and undo it
      return page.getByText('Esta página não existe').isVisible()
    },
    (shown) => shown, // nothing of the previous state is left
  )
  await walk(path)
}
const inbox = async (page: Page) => {
  await go(page, '/tickets')
  await page.getByRole('tab', { name: /Atendendo/ }).click() // the tab of the previous state survives a reload
  await page.locator('[data-part=card]').first().waitFor()
}
const chat = async (page: Page, { uuid }: { uuid: string }) => {
  await go(page, `/tickets/${uuid}`)
  await bubble(page, /./).first().waitFor()
}
const ofTicket = (what: string): State => [
  `the dialog “${what}”`,
  async (page) => {
    await chat(page, open)
    await chooseOf(page, what)
    await dialog(page)
  },
]
const ofMessage = (what: string): State => [
  `a message’s “${what}”`,
  async (page) => {
    await chat(page, open)
    await choose(page, 'Respondo já', what)
    if (what !== 'Responder') await dialog(page)
  },
]
async function opened(page: Page, path: string, button: string): Promise<void> {
  await go(page, path)
  await page.getByRole('button', { name: button }).first().click()
  await dialog(page)
}
const table = (path: string): State[] => [
  [
    path,
    async (page) => {
      await go(page, path)
      await page.getByRole('table').first().waitFor()
    },
  ],
  [
    `a new one at ${path}`,
    async (page) => {
      await go(page, path)
      await page
        .getByRole('button', { name: /Adicionar|Nova|Novo/ })
        .first()
        .click()
      await dialog(page)
    },
  ],
]

const outside: State[] = [
  ['signing in', (page) => page.goto('/login').then(() => page.getByLabel('E-mail').waitFor())],
  [
    'a refused sign-in',
    async (page) => {
      await page.goto('/login')
      await page.getByLabel('E-mail').fill('ana@demo.test')
      await page.getByLabel('Senha', { exact: true }).fill('errada')
      await page.getByRole('button', { name: 'Entrar', exact: true }).click()
      await page.getByText('E-mail ou senha não conferem').waitFor()
    },
  ],
  ['a forgotten password', (page) => page.goto('/forgot-password').then(() => page.getByLabel('E-mail').waitFor())],
  ['a password link that is over', (page) => page.goto('/password').then(() => page.getByText('Este link não vale mais').waitFor())],
  [
    'a password link',
    async (page) => {
      const { db } = openStore(on.on.databaseUrl, 1)
      const user = await db.selectFrom('user').select(['id', 'companyId']).where('email', '=', 'carla@demo.test').executeTakeFirstOrThrow()
      await page.goto('/login')
      await page.goto(`/password#${await makePasswordLink(db, user)}`)
      await db.destroy()
      await page.getByLabel('Nova senha').waitFor()
    },
  ],
]
const inside: State[] = [
  ['the list', inbox],
  ['the waiting list', (page) => inbox(page).then(() => page.getByRole('tab', { name: /Aguardando/ }).click())],
  [
    'an empty search',
    async (page) => {
      await inbox(page)
      await page.getByRole('tab', { name: /Busca/ }).click()
      await page.getByRole('searchbox').first().fill('ninguém se chama assim')
      await page.getByText('Nenhum atendimento encontrado').waitFor()
    },
  ],
  [
    'the filters',
    async (page) => {
      await inbox(page)
      await page
        .getByRole('button', { name: /^Filtros/ })
        .first()
        .click()
      await page.getByText('Limpar filtros').or(page.getByText('Só não lidos')).first().waitFor()
    },
  ],
  ['an open chat', (page) => chat(page, open)],
  ['a chat that waits', (page) => chat(page, pending)],
  [
    'a ticket that is not there',
    (page) => go(page, '/tickets/00000000-0000-4000-8000-000000000000').then(() => page.getByText('Atendimento não encontrado').waitFor()),
  ],
  [
    'the drawer',
    async (page) => {
      await chat(page, open)
      await page.locator('[data-part=head-name]').click()
      await page.getByText('Atendimentos anteriores').waitFor()
    },
  ],
  [
    'the menu of a ticket',
    async (page) => {
      await chat(page, open)
      await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  ],
  [
    'the menu of a message',
    async (page) => {
      await chat(page, open)
      const one = bubble(page, 'Respondo já').first()
      await one.hover()
      await one.getByRole('button', { name: 'Ações da mensagem' }).click()
      await page.getByRole('menuitem').first().waitFor()
    },
  ],
  ofMessage('Responder'),
  ofMessage('Encaminhar'),
  ofMessage('Editar'),
  ofTicket('Transferir'),
  ofTicket('Observações'),
  ofTicket('Registro do atendimento'),
  ofTicket('Espiar'),
  [
    'the print-out',
    async (page) => {
      await chat(page, open)
      await chooseOf(page, 'Imprimir ou salvar em PDF')
      await page.locator('button:enabled', { hasText: 'Imprimir ou salvar' }).last().waitFor()
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
    },
  ],
  ofTicket('Excluir'),
  [
    'quick replies',
    async (page) => {
      await chat(page, open)
      await words(page).fill('/')
      await page.getByRole('option').first().waitFor()
    },
  ],
  [
    'the shortcuts',
    async (page) => {
      await inbox(page)
      await page.locator('body').press('?')
      await dialog(page)
    },
  ],
  [
    'the palette',
    async (page) => {
      await inbox(page)
      await page.locator('body').press('Control+k')
      await page.keyboard.type('Acesso')
      await page.getByRole('option').first().waitFor()
    },
  ],
  [
    'the account menu',
    async (page) => {
      await inbox(page)
      await page.getByRole('button', { name: /Helena|Sofia|Conta/ }).click()
      await page.getByText('Sair').first().waitFor()
    },
  ],
  [
    'the own sign-ins',
    async (page) => {
      await inbox(page)
      await page.getByRole('button', { name: /^Sua conta/ }).click()
      await page.getByRole('menuitem', { name: 'Seus acessos' }).click()
      await page.locator('[data-part=sign-ins]').waitFor()
    },
  ],
  ['a new ticket', (page) => opened(page, '/tickets', 'Novo atendimento')],
  [
    'the emojis',
    async (page) => {
      await chat(page, open)
      await page.getByRole('button', { name: 'Emojis' }).click()
      await page.getByRole('group', { name: 'Emojis' }).getByRole('gridcell').first().waitFor()
    },
  ],
  [
    'a search in all messages',
    (page) => go(page, '/search?q=acesso').then(() => page.locator('[data-part=found-message]').first().waitFor()),
  ],
  [
    'a contact’s page',
    async (page) => {
      await go(page, `/contacts/${(await on.ask('GET', `/tickets/u/${open.uuid}`)).body.contactId}`)
      await page.locator('[data-part=contact-tickets]').waitFor()
    },
  ],
  ['an import of contacts', (page) => opened(page, '/contacts', 'Importar')],
  ...table('/contacts'),
  ...table('/tags'),
  ...table('/queues'),
  ...table('/quick-messages'),
  ...table('/users'),
  ['no lanes yet', (page) => go(page, '/TagsKanban').then(() => page.getByText('Nenhuma coluna ainda').waitFor())],
  ['a new lane', (page) => opened(page, '/TagsKanban', 'Nova coluna')],
  ['no file list yet', (page) => go(page, '/files').then(() => page.getByText('Nenhuma lista de arquivos ainda').waitFor())],
  ['a new file list', (page) => opened(page, '/files', 'Nova lista')],
  ['the board', (page) => go(page, '/Kanban').then(() => page.locator('[data-part=board] [data-part=card]').first().waitFor())],
  [
    'the connections',
    (page) =>
      go(page, '/connections').then(() =>
        page
          .getByRole('button', { name: /^Editar/ })
          .first()
          .waitFor(),
      ),
  ],
  [
    'a connection',
    async (page) => {
      await go(page, '/connections')
      await page
        .getByRole('button', { name: /^Editar/ })
        .first()
        .click()
      await dialog(page)
    },
  ],
  ['the list of histories', (page) => go(page, '/history').then(() => page.getByRole('table').first().waitFor())],
  ['the changes', (page) => go(page, '/audit').then(() => page.getByText('Nenhuma alteração ainda').waitFor())],
  [
    'a replay',
    async (page) => {
      await go(page, `/tickets/${open.uuid}/history`)
      await page.getByText('Respondo já').first().waitFor()
    },
  ],
  ['the phones', (page) => go(page, '/sandbox').then(() => page.getByRole('button', { name: 'Adicionar celular' }).first().waitFor())],
  ['a page that is not there', (page) => page.goto('/nowhere').then(() => page.getByRole('heading', { level: 1 }).waitFor())],
]

beforeAll(async () => {
  on = await scene()
  open = await on.says(customer, 'Preciso de ajuda com o acesso')
  pending = await on.says(waiting, 'Ainda espero')
  const ana = await on.enter('admin@demo.test')
  await chat(ana.page, open)
  await accept(ana.page)
  await answer(on, ana.page, customer, 'Respondo já')
  await ana.leave()
})
afterAll(() => on?.clear())

describe.each([
  [1440, ['light', 'dark']],
  [390, []], // colours do not depend on the width
] as const)('at %i px', (width, themes) => {
  let one: Person
  beforeAll(async () => {
    one = await on.on.come({ width, height: width < 500 ? 844 : 900 })
  })
  it.each(outside)('%s', async (name, reach) => {
    await reach(one.page)
    expect(await faultsOf(one.page, name, [...themes])).toEqual([])
  })
  describe('signed in', () => {
    beforeAll(async () => {
      await one.leave()
      one = await on.enter('admin@demo.test', { width, height: width < 500 ? 844 : 900 })
    })
    it.each(inside)('%s', async (name, reach) => {
      await reach(one.page)
      expect(await faultsOf(one.page, name, [...themes])).toEqual([])
      expect(one.wrong).toEqual([])
    })
  })
})

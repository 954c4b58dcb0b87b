import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { enterAs, type Look, type Person } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { type Client, client, signIn } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

export type Scene = {
  on: Stage
  /** An admin at the sandbox, who has the customers' phones. `ask`: a client with the admin's session. */
  keeper: () => Promise<Person>
  ask: Client
  /** `at`: the first address, because loading the client costs a second of processor time. */
  enter: (email: string, look?: Look & { at?: string }) => Promise<Person>
  /** A customer writes, perhaps in a group. Returns the ticket afterwards. */
  says: (from: Customer, body: string, more?: object) => Promise<{ id: number; uuid: string }>
  /** The customer's phone on the admin's sandbox page. */
  phoneOf: (customer: Customer) => Promise<Locator>
  /** The messages that reached the customer, in order. */
  got: (number: string) => Promise<{ body: string; kind: string; mime: string | null }[]>
  clear: () => Promise<void>
}
export type Customer = { name: string; number: string; group?: { id: string; name: string } }

/** A server, a browser and customers' phones. Agents come through `enter`. */
export async function scene(): Promise<Scene> {
  const on = await startBrowserEnv()
  const enter: Scene['enter'] = async (email, { at, ...look } = {}) => {
    const one = await on.come(look)
    await enterAs(one, email, at)
    return one
  }
  let { token } = await signIn(() => on.server.url, 'super@demo.test')
  const ask: Client = async (...asked) => {
    const answer = await client(() => on.server.url, token)(...asked)
    if (answer.status !== 401) return answer
    token = (await signIn(() => on.server.url, 'super@demo.test')).token // an access token is valid for 15 minutes
    return client(() => on.server.url, token)(...asked)
  }
  let kept: Promise<Person> | null = null
  const sit = async () => {
    const one = await enter('super@demo.test')
    token = await one.page.evaluate(() => localStorage.getItem('token')!) // a second sign-in gives the second session
    return one
  }
  const keeper = () => {
    kept ??= sit()
    return kept
  }
  let said = 0
  return {
    ...{ on, keeper, ask, enter, clear: on.clear },
    async says({ name, number, group }, body, more = {}) {
      const from = { id: `said-${said++}`, from: number, name, ...(group && { group }) }
      expect((await ask('POST', '/sandbox/1/inbound', { ...from, body, ...more })).status).toBe(202)
      const sought = encodeURIComponent(group?.name ?? name)
      const isHere = async ({ id, isBot, lastMessage }: { id: number; isBot: boolean; lastMessage: string }) => {
        const start = body.slice(0, 30)
        if (body === '' || isBot || lastMessage.includes(start)) return true
        const { messages } = (await ask('GET', `/messages/${id}`)).body // an agent may have answered meanwhile
        return messages.some((message: { fromMe: boolean; body: string }) => !message.fromMe && message.body.includes(start))
      }
      return eventually(
        async () => {
          const found = (await ask('GET', `/tickets?status=search&searchParam=${sought}`)).body.tickets?.[0]
          return found && (await isHere(found)) ? found : { waitsFor: found }
        },
        (found) => found.id !== undefined,
      ).catch(async (error: Error) => {
        const { body: followers } = await ask('GET', '/health')
        throw new Error(`${error.message}\n${JSON.stringify(followers)}\n${on.server.output().slice(-4000)}`)
      })
    },
    async phoneOf({ name, number }) {
      const { page } = await keeper()
      if (!page.url().endsWith('/sandbox')) await page.goto('/sandbox')
      await page.getByRole('button', { name: 'Adicionar celular' }).first().click()
      await page.getByLabel('Nome', { exact: true }).fill(name)
      await page.getByLabel('Número', { exact: true }).fill(number)
      await page.getByRole('button', { name: 'Pegar o celular' }).click()
      return page.getByRole('region', { name })
    },
    got: async (number) => (await ask('GET', `/sandbox/1/outbox?to=${number}`)).body,
  }
}

/** Accepts the open ticket into a queue. */
export async function accept(page: Page, queue = 'Suporte'): Promise<void> {
  await page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: queue })
  await dialog.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
}
export const words = (page: Page): Locator => page.getByRole('textbox', { name: 'Mensagem' })
export async function write(page: Page, text: string): Promise<void> {
  await words(page).fill(text)
  await words(page).press('Enter')
}
/** Sends a text and waits until it reaches the customer, because the bubble appears before the server knows of it. */
export async function answer(on: Scene, page: Page, { number }: Customer, text: string): Promise<void> {
  await write(page, text)
  await bubble(page, text).waitFor()
  await eventually(
    () => on.got(number),
    (got) => got.some(({ body }) => body.includes(text)),
  )
}
/** The bubble with this text in the chat. */
export const bubble = (page: Page, text: string | RegExp): Locator => page.getByRole('log').getByRole('article').filter({ hasText: text })
/** Writes on this phone, and waits until it shows the answer. */
export const typing = (phone: Locator) => async (text: string, told: RegExp) => {
  await phone.getByRole('textbox', { name: 'Mensagem' }).fill(text)
  await phone.getByRole('button', { name: 'Enviar', exact: true }).click()
  await phone.getByText(told).last().waitFor()
}
/** Opens the menu of a bubble and chooses an item. */
export async function choose(page: Page, text: string, what: string): Promise<void> {
  const one = bubble(page, text).first()
  await one.hover()
  await one.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page
    .getByRole('menuitem', { name: what, exact: true })
    .or(page.getByRole('button', { name: what, exact: true }))
    .click()
}
/** Opens the menu of the ticket and chooses an item. */
export async function chooseOf(page: Page, what: string): Promise<void> {
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${what}`) }).click() // its shortcut may follow the text
}
/**
 * Presses a dialog's button by its key. It is refused, the dialog gives the reason, and the button keeps the
 * focus.
 */
export async function refused(dialog: Locator, verb: string, why: string): Promise<void> {
  const button = dialog.getByRole('button', { name: verb, exact: true })
  await button.focus()
  await button.press('Enter')
  await dialog.getByRole('alert').getByText(why).waitFor()
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
}

/**
 * Clicks the label of a checkbox or switch. Playwright waits until the label no longer moves. It cannot click the input,
 * which the drawn box covers.
 */
export const tick = (box: Locator): Promise<void> => box.locator('xpath=ancestor::label[1]').click()

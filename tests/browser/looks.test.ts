import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { languages } from '#domain/user/rules.ts'
import type { Person } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

/*
 * The screens in four languages, two themes and two widths, without loading the client again. Pictures are saved
 * with GUICHE_SHOTS.
 */
let on: Scene
let root: Person
let ticket: { id: number; uuid: string }
/** Every text from the server: names and messages are the same in each language. */
const reported = new Set<string>()
function gather(value: unknown): void {
  if (typeof value === 'string') reported.add(value)
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) gather(one)
}

beforeAll(async () => {
  on = await scene()
  const { ask } = on
  const queues = (await ask('GET', '/queue')).body as { id: number; name: string }[]
  const queueId = queues[0]!.id
  const option = { queueId, greetingMessage: 'Qual deles?', queueType: 'text', closeTicket: false }
  const { id: chatBotId } = (await ask('POST', '/chatbot', { ...option, name: 'Orçamento de instalação' })).body
  expect((await ask('POST', '/chatbot', { ...option, chatBotId, name: 'Instalação residencial' })).status).toBe(200)
  for (const name of ['Proposta enviada', 'Negociação em andamento'])
    expect((await ask('POST', '/tags', { name, color: '#7c3aed', kanban: 1 })).status).toBe(200)
  await ask('POST', '/files', { name: 'Catálogo de inverno', message: 'Segue, {nome}', options: [{ name: 'Tabela de preços' }] })
  const greets = { greetingMessage: 'Olá, {nome}! Com quem quer falar?', queueIds: queues.map(({ id }) => id) }
  expect((await ask('PUT', '/whatsapp/1', greets)).status).toBe(200)
  await ask('PUT', '/settings/scheduleType', { value: 'company' })
  ticket = await on.says({ name: 'Rechnungsadressänderungswunsch Öğretmenoğlu', number: '5511944481234' }, 'Quero um orçamento')
  root = await on.enter('super@demo.test', { at: '/queues' })
  root.page.on('response', (response) => {
    if (response.url().includes('/api/')) void response.json().then(gather, () => {})
  })
})
afterAll(() => on?.clear())

const table = (page: Page) => page.locator('[data-part=table]').first().waitFor()
/** The drawer remembers that it is open, and appears a moment after the chat. */
async function why(page: Page): Promise<void> {
  const section = page.locator('#drawer-automation')
  await page.locator('[data-part=thread] article').first().waitFor()
  const opens = async () => {
    if (await section.isVisible()) return true
    await page.locator('[data-part=head-who]').click()
    return section.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(opens).toBe(true)
  await section.scrollIntoViewIfNeeded()
}
/** On a phone it is a separate pane, which is closed at first. */
async function whyNarrow(page: Page): Promise<void> {
  await page.locator('#drawer-automation').waitFor({ state: 'detached' })
  await why(page)
}
const firstRow = (page: Page) => page.locator('[data-part=table] tbody tr').first().locator('td').first().click()
type Shown = { at: string; reach: (page: Page) => Promise<unknown>; narrow?: (page: Page) => Promise<unknown> }
const screens: Record<string, Shown> = {
  queues: { at: '/queues', reach: table },
  bot: {
    at: '/queues',
    async reach(page) {
      await table(page)
      await firstRow(page)
      await page.getByRole('dialog').getByRole('tab').nth(2).click()
      await page.locator('[data-option="chatbots/0/chatbots/0"]').waitFor()
    },
  },
  settings: { at: '/settings', reach: (page) => page.locator('section[aria-labelledby^=settings-]').nth(3).waitFor() },
  users: { at: '/users', reach: table },
  'user-form': {
    at: '/users',
    async reach(page) {
      await table(page)
      await firstRow(page)
      await page.getByRole('dialog').getByRole('tab').nth(1).click()
    },
  },
  tags: { at: '/tags', reach: table },
  lanes: { at: '/TagsKanban', reach: table },
  board: { at: '/Kanban', reach: (page) => page.locator('[data-part=board] [data-part=card]').first().waitFor() },
  files: { at: '/files', reach: table },
  replies: { at: '/quick-messages', reach: table },
  connections: { at: '/connections', reach: (page) => page.locator('main h1').waitFor() },
  'all-connections': { at: '/allConnections', reach: table },
  contacts: { at: '/contacts', reach: table },
  'contact-import': {
    at: '/contacts',
    async reach(page) {
      await table(page)
      await page.locator('main button:has(.bp6-icon-import)').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  contact: {
    at: '/contacts/1',
    reach: (page) => page.locator('[data-part=contact-tickets]').waitFor(),
  },
  search: { at: '/search?q=obrigada', reach: (page) => page.locator('[data-part=found-message]').first().waitFor() },
  why: {
    at: '', // the ticket's address
    async reach(page) {
      await page.locator('[data-part=head-who]').waitFor()
      await why(page)
    },
    narrow: whyNarrow,
  },
}

async function walk(page: Page, to: string): Promise<void> {
  await page.keyboard.press('Escape') // closes what the previous screen left open
  const go = (there: string) => page.evaluate((one) => history.pushState(null, '', one), there)
  const before = page.locator(
    '[data-part=table], [data-part=board], [data-part=head], section[aria-labelledby^=settings-], [data-part=contact-page], [data-part=found-message]',
  )
  const left = async () => {
    await go('/nowhere') // once more, if closing a dialog went a step back in between
    return before.count()
  }
  await expect.poll(left).toBe(0)
  await go(to)
}
/** Switches the theme like its button, which a phone's chat does not show. Waits for transitions to end. */
const paint = (page: Page, theme: string) =>
  page.evaluate(async (one) => {
    document.documentElement.dataset.theme = one
    document.documentElement.classList.toggle('bp6-dark', one === 'dark')
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.all(document.getAnimations().map((moves) => moves.finished.catch(() => undefined)))
  }, theme)
/** How far the page extends beyond its sides, and buttons that do not hold their text. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - window.innerWidth
    const burst = [...document.querySelectorAll<HTMLElement>('button, [role=tab], th')]
      .filter((one) => one.checkVisibility() && one.innerText.trim() !== '' && one.scrollWidth > one.clientWidth + 2)
      .filter((one) => getComputedStyle(one).overflowX === 'visible') // a cut name has an ellipsis
      .map((one) => one.innerText)
    return [...(wide > 0 ? [`${wide} px`] : []), ...burst]
  })
/** The visible texts, and the names of icons. */
const said = (page: Page) =>
  page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement?.checkVisibility() && !node.parentElement.closest('textarea, style, script'))
        texts.add(node.textContent!.trim())
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) texts.add(one.getAttribute(name)?.trim() ?? '')
    return [...texts].filter((text) => /\p{L}{3}/u.test(text))
  })

/** Texts that are the same in any language: names and keys. */
const neutral = /^(Guichê|Ctrl K|https:\/\/)$/
const pressed = / \((?:Alt|Ctrl|Shift)\+.*\)$/

/**
 * The languages in which the client's translation tables contain a text, with any value for its placeholders. An
 * unknown text has none.
 */
async function spoken(): Promise<(text: string) => ReadonlySet<number>> {
  const web = fileURLToPath(new URL('../../web', import.meta.url))
  const plain = new Map<string, Set<number>>()
  const filled: [RegExp, number][] = []
  const pattern = (text: string) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.*')}$`, 's')
  const learn = (text: string, column: number) => {
    if (/\{\w+\}/.test(text)) filled.push([pattern(text), column])
    else plain.set(text, (plain.get(text) ?? new Set()).add(column))
  }
  for (const file of globSync('**/*words.ts', { cwd: web }))
    for (const one of Object.values(await import(path.join(web, file))))
      if (typeof one === 'object' && one !== null)
        for (const row of Object.values(one)) if (Array.isArray(row) && row.length === 4) row.forEach(learn)
  const asked = new Map<string, ReadonlySet<number>>()
  return (text) => {
    const found =
      asked.get(text) ?? new Set(plain.get(text)).union(new Set(filled.flatMap(([reads, column]) => (reads.test(text) ? [column] : []))))
    asked.set(text, found)
    return found
  }
}

it('every screen fits and uses one language only, in every language, theme and width', async () => {
  const { page } = root
  const faults: string[] = []
  const read = Object.fromEntries(Object.keys(screens).map((name) => [name, languages.map(() => new Set<string>())]))
  for (const language of languages) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await walk(page, '/queues')
    await page.locator('[data-part=topbar] button', { has: page.locator('.bp6-icon-translate') }).click()
    await page.locator(`[role=menuitem][lang="${language}"], [role=menuitem] [lang="${language}"]`).first().click()
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
    for (const [name, { at, reach, narrow }] of Object.entries(screens)) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await walk(page, at || `/tickets/${ticket.uuid}`)
      await reach(page)
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        if (width === 390) await narrow?.(page)
        /* The width does not depend on colours, so without pictures each width uses one theme. */
        for (const theme of process.env.GUICHE_SHOTS ? ['light', 'dark'] : [width === 390 ? 'dark' : 'light']) {
          await paint(page, theme)
          for (const what of await beyond(page)) faults.push(`${language} ${name} ${width} ${theme}: ${what}`)
          await root.shot(`look-${name}-${language}-${width}-${theme}`)
        }
        for (const text of await said(page)) read[name]![languages.indexOf(language)]!.add(text)
        if (width === 390 && narrow) await page.goBack() // closes the pane that the test opened
      }
    }
  }
  const columns = await spoken()
  const data = [...reported]
  const ofData = (text: string) => data.some((one) => one.includes(text) || (one.length > 2 && text.includes(one)))
  for (const [name, each] of Object.entries(read))
    for (const [column, texts] of each.entries())
      for (const shown of texts) {
        const text = shown.replace(pressed, '')
        if (neutral.test(text)) continue
        const of = columns(text)
        if (of.size > 0 && !of.has(column) && !ofData(text)) faults.push(`${languages[column]} ${name}: “${text}” is of another language`)
        const always = each.every((one) => one.has(shown))
        if (column === 0 && of.size === 0 && always && !ofData(text)) faults.push(`${name}: “${text}” is in no table of words`)
        if (/^[a-z]+[A-Z][A-Za-z]+$/.test(text) && !ofData(text))
          faults.push(`${languages[column]} ${name}: “${text}” is the key of a word`)
      }
  expect(faults).toEqual([])
  expect(root.wrong).toEqual([])
})

import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core'
import { demoPassword } from '#app/demo/accounts.ts'
import { stallMs } from './wait.ts'

let shared: Promise<Browser> | undefined

/**
 * A real Chromium: the one that CHROMIUM names, or the one of its npm package. All files of a process share it,
 * and it ends with the process.
 */
export const openBrowser = (): Promise<Browser> => (shared ??= launch())

/** Two people need two processes, and a zygote starts each of them faster. */
const unwanted = ['--single-process', '--no-zygote']

async function launch(): Promise<Browser> {
  const quiet = [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
    '--disable-gpu', // emulating an absent graphics card costs a quarter of the run
  ]
  const fake = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
  const own = process.env.CHROMIUM
  return playwright.launch({
    executablePath: own ?? (await chromium.executablePath()),
    args: [...(own ? [] : chromium.args.filter((one) => !unwanted.includes(one))), ...quiet, ...fake],
    headless: true,
  })
}

export type Look = {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  language?: string
  touch?: boolean
  /** The time zone of the device. */
  zone?: string
  /** With the service worker, which stores the whole client on the device. It costs a quarter of a run. */
  kept?: boolean
  /** With the half second in which new elements ignore clicks. Without it each click in a dialog waits for almost a second less. */
  clickGuard?: boolean
}
export type Person = {
  page: Page
  context: BrowserContext
  wrong: string[]
  shot: (name: string) => Promise<void>
  leave: () => Promise<void>
}

function withoutClickGuard(): void {
  const style = new CSSStyleSheet()
  style.replaceSync(':root { --click-guard: 0 !important; }')
  document.adoptedStyleSheets.push(style)
}

/** A person with a browser context of their own. `wrong` collects the errors that the page throws or logs. */
export async function person(
  browser: Browser,
  url: string,
  { theme = 'light', width = 1440, height = 900, language = 'pt-BR', touch = false, zone, kept = false, clickGuard = false }: Look = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language,
    baseURL: url,
    serviceWorkers: kept ? 'allow' : 'block',
    ...(zone && { timezoneId: zone }),
    ...(touch && { hasTouch: true, isMobile: true }),
    permissions: ['clipboard-write', 'clipboard-read', 'microphone', 'camera'],
  })
  await context.addInitScript(
    ([chosen, spoken]) => {
      localStorage.setItem('preferredTheme', chosen!)
      localStorage.setItem('i18nextLng', spoken!)
    },
    [theme, language],
  )
  if (!clickGuard) await context.addInitScript(withoutClickGuard)
  const page = await context.newPage()
  page.setDefaultTimeout(stallMs)
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4\d\d|503)|HTTP Authentication failed/.test(message.text())) wrong.push(message.text())
  })
  return {
    ...{ page, context, wrong },
    async shot(name) {
      const folder = process.env.GUICHE_SHOTS
      if (!folder) return
      await mkdir(folder, { recursive: true })
      await page.screenshot({ path: path.join(folder, `${name}.png`) })
    },
    leave: () => context.close(),
  }
}

export async function signInAs({ page }: Person, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
}

/** Signs in without the sign-in page, which would cost a fifth of a file. `browser/login` tests that page. */
export async function enterAs({ context, page }: Person, email: string, at = '/tickets'): Promise<void> {
  const answer = await context.request.post('/api/auth/login', { data: { email, password: demoPassword } })
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${await answer.text()}`)
  const { token } = await answer.json()
  await page.addInitScript((given) => {
    if (sessionStorage.getItem('entered')) return
    sessionStorage.setItem('entered', 'yes')
    localStorage.setItem('token', given)
  }, token)
  await page.goto(at)
}

import type { Page } from 'playwright-core'
import { openBrowser, person } from '#tests/support/browser.ts'
import type { Figure } from './bench.ts'
import { round, spread } from './measure.ts'

const wanted = 2000
const scrolls = 300

/**
 * An agent's screen with two thousand loaded messages of one ticket, scrolled from the newest to the oldest and
 * back.
 */
export const threadScroll: Figure = async (bench) => {
  const { activeTickets, pool, token } = bench
  const { rows } = await pool.query<{ uuid: string; userId: number }>(`select uuid, user_id as "userId" from ticket where id = $1`, [
    activeTickets.size.tickets + 2,
  ])
  const { uuid, userId } = rows[0]!
  const agent = activeTickets.agents.find((one) => one.userId === userId)!
  const { url } = await bench.server()
  const { page, context, leave } = await person(await openBrowser(), url)
  try {
    await context.addInitScript(([kept]) => localStorage.setItem('token', kept!), [token(agent)])
    await page.goto(`/tickets/${uuid}`)
    await page.locator('[data-thread] [data-message]').first().waitFor({ timeout: 60_000 })
    const loaded = await grow(page)
    const frames = await page.evaluate(scrolled, scrolls)
    const rows = await page.locator('[data-thread] [data-message]').count()
    const { p50, p95, max, n } = spread(frames, 1)
    return [
      {
        figure: 'Thread',
        what: `${loaded} loaded messages of one ticket, scrolled up and down: main thread time a frame`,
        ours: `p50 ${p50}, p95 ${p95}, longest ${max} ms of ${n} frames; ${rows} of its rows in the page`,
        floor: `page ${round(await page.evaluate(() => document.querySelectorAll('*').length))} elements`,
        goal: 'p95 ≤ 8 ms',
        reference: '–',
        held: p95 <= 8,
        raw: { loaded, rows, frames },
      },
    ]
  } finally {
    await leave()
  }
}

/** Scrolls to the top to load older messages, and returns the final count. */
async function grow(page: Page): Promise<number> {
  const count = () => page.locator('[data-thread] [data-message]').count()
  for (let had = await count(); had < wanted; ) {
    await page.evaluate(() => {
      const box = document.querySelector('[data-thread]')!
      box.scrollTop = -box.scrollHeight
    })
    await page.waitForFunction((n) => document.querySelectorAll('[data-thread] [data-message]').length > n, had, { timeout: 60_000 })
    had = await count()
  }
  return count()
}

/** Milliseconds from a frame’s scroll event until it is laid out and painted. Runs in the page. */
async function scrolled(times: number): Promise<number[]> {
  const box = document.querySelector('[data-thread]')!
  const all: number[] = []
  const step = box.scrollHeight / times
  for (let n = 0; n < 2 * times; n++) {
    let began = 0
    const told = () => {
      began = performance.now()
    }
    document.addEventListener('scroll', told, { capture: true, once: true }) // before any other listener
    box.scrollTop += n >= times ? step : -step
    await new Promise<void>((next) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          if (began > 0) all.push(performance.now() - began)
          next()
        }
        port2.postMessage(null)
      }),
    )
    document.removeEventListener('scroll', told, { capture: true })
  }
  return all
}

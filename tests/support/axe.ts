import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const allRules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const withoutColours = Object.fromEntries(colours.values.map((id) => [id, { enabled: false }]))

type Found = { id: string; impact: string; help: string; nodes: { target: string[]; failureSummary: string }[] }

/**
 * The problems that axe finds on the page, one line each. `themes`: the themes whose colours are checked; without
 * any, colours are skipped.
 */
export async function faultsOf(page: Page, state: string, themes = ['light', 'dark']): Promise<string[]> {
  // Half a megabyte: sent once per document, because each transfer costs a fifth of a second.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${source}; 0`)
  const faults: string[] = []
  // Without transitions, because the processor would draw each frame of every colour change.
  const wear = (theme: string) =>
    page.evaluate((chosen) => {
      const still = document.createElement('style')
      still.textContent = '* { transition: none !important }'
      document.head.append(still)
      document.documentElement.dataset.theme = chosen
      document.documentElement.classList.toggle('bp6-dark', chosen === 'dark')
      document.body.getBoundingClientRect() // applies the new colours before transitions are enabled again
      still.remove()
    }, theme)
  for (const theme of themes.length === 0 ? ['light'] : themes) {
    await wear(theme)
    // a colour or a sheet that is still moving is not a final state
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame) // an element that has just appeared begins to move a frame later
      await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))
    })
    // elements below an open menu are no targets, and their own states are checked without it
    const found = await page.evaluate(
      async ([runOnly, rules]) =>
        (
          await (window as any).axe.run(
            { exclude: document.querySelector('.bp6-portal [role=menu]') ? ['#root'] : [] },
            { runOnly, resultTypes: ['violations'], rules },
          )
        ).violations,
      [theme === 'light' ? allRules : colours, themes.length === 0 ? withoutColours : {}] as const,
    )
    for (const { id, impact, nodes } of found as Found[])
      for (const { target, failureSummary } of nodes)
        faults.push(`${state}, ${theme}: ${id} (${impact}) at ${target.join(' ')} — ${failureSummary.split('\n')[1]?.trim() ?? ''}`)
  }
  if (themes.length > 1) await wear('light')
  return faults
}

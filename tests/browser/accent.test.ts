import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openBrowser } from '#tests/support/browser.ts'

/* The steps of the accent are computed by the browser from any colour of a company. */
const tokens = readFileSync(new URL('../../web/ui/theme.css', import.meta.url), 'utf8')
const hues = Array.from({ length: 12 }, (_, i) => `hsl(${30 * i} 100% 50%)`)
const pale = Array.from({ length: 6 }, (_, i) => `hsl(${60 * i} 60% 90%)`)
const companyColours = [...hues, ...pale, '#0000ff', '#39ace7', '#000000', '#ffffff', '#808080', '#1b1b2f']

const surfaces = ['--surface', '--ground', '--raised']
const quiet = [...surfaces, '--accent-soft', '--hover']
/** The lowest contrast allowed between two tokens: 4.5 for text, 3 for focus rings and marks (WCAG 1.4.3, 1.4.11). */
const pairs: [string, string, number][] = [
  ...['--accent', '--accent-strong'].map((ground): [string, string, number] => ['--on-accent', ground, 4.5]),
  ...[...quiet, '--bubble-us'].map((ground): [string, string, number] => ['--accent-text', ground, 4.5]),
  ...surfaces.map((ground): [string, string, number] => ['--accent-mid', ground, 3]),
  ...['--text', '--text-2'].flatMap((text) =>
    ['--bubble-us', '--accent-soft'].map((ground): [string, string, number] => [text, ground, 4.5]),
  ),
]

it('every colour of a company gives an accent that is readable in both themes', async () => {
  const page = await (await openBrowser()).newPage()
  await page.setContent(`<style>${tokens}</style><i></i>`)
  const poor = await page.evaluate(
    ({ companyColours, pairs }) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
      const mark = document.querySelector('i')!
      /** The relative luminance of a token over another one, which shows through if the first one is translucent. */
      const luminance = (token: string, ground = token) => {
        for (const one of [ground, token]) {
          mark.style.backgroundColor = `var(${one})`
          context.fillStyle = getComputedStyle(mark).backgroundColor
          context.fillRect(0, 0, 1, 1)
        }
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
      }
      const found: string[] = []
      for (const theme of ['light', 'dark'])
        for (const colour of companyColours) {
          document.documentElement.dataset.theme = theme
          document.documentElement.style.setProperty('--accent-light', colour)
          for (const [one, other, least] of pairs) {
            const [high, low] = [luminance(one, other), luminance(other)].toSorted((a, b) => b - a)
            const contrast = (high! + 0.05) / (low! + 0.05)
            if (contrast < least) found.push(`${theme} ${colour}: ${one} on ${other} ${contrast.toFixed(2)}`)
          }
        }
      return found
    },
    { companyColours, pairs },
  )
  expect(poor).toEqual([])
  await page.close()
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, it } from 'vitest'
import { purge } from '#web/ui/purge.ts'

const css = readFileSync(createRequire(import.meta.url).resolve('@blueprintjs/core/lib/css/blueprint.css'), 'utf8')
const left = await purge(css, path.resolve(import.meta.dirname, '../../web'))
const selectors = (text: string) =>
  new Set([...text.matchAll(/([^{}]+)\{/g)].flatMap(([, some]) => some!.split(/,(?![^(]*\))/).map((one) => one.trim())))
const classes = (selector: string) => selector.match(/\.bp6-[\w-]+/g) ?? []

it('drops components that no screen shows, and none that one shows', () => {
  expect(['button', 'dialog', 'menu-item', 'html-select', 'popover'].filter((name) => !left.includes(`.bp6-${name}`))).toEqual([])
  expect(['tree-node', 'navbar', 'slider', 'card-list'].filter((name) => left.includes(`.bp6-${name}`))).toEqual([])
})

it('leaves every rule that speaks only of what is left', () => {
  const kept = selectors(left)
  const known = new Set([...kept].flatMap(classes))
  const lost = [...selectors(css)].filter(
    (one) =>
      !kept.has(one) && classes(one).length > 0 && classes(one).every((name) => known.has(name)) && !one.includes('[data-bp-color-scheme'),
  )
  expect(lost).toEqual([])
})

it('keeps the rules of what is imported under a name of our own', () => {
  expect(left).toMatch(/\.bp6-dialog-header\s*\{[^}]*display:\s*flex/)
})

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

it('the purge removes unused components and keeps used ones', () => {
  expect(['button', 'dialog', 'menu-item', 'html-select', 'popover'].filter((name) => !left.includes(`.bp6-${name}`))).toEqual([])
  expect(['tree-node', 'navbar', 'slider', 'card-list'].filter((name) => left.includes(`.bp6-${name}`))).toEqual([])
})

it('the purge keeps every rule that concerns only kept classes', () => {
  const kept = selectors(left)
  const known = new Set([...kept].flatMap(classes))
  const lost = [...selectors(css)].filter(
    (one) =>
      !kept.has(one) && classes(one).length > 0 && classes(one).every((name) => known.has(name)) && !one.includes('[data-bp-color-scheme'),
  )
  expect(lost).toEqual([])
})

it('the purge keeps components that are imported under another name', () => {
  expect(left).toMatch(/\.bp6-dialog-header\s*\{[^}]*display:\s*flex/)
})

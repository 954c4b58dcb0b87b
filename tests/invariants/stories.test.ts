import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/* Each rule and decision about a company's setup has a test that names it in parentheses at the end of its name. */
const root = fileURLToPath(new URL('..', import.meta.url))
const two = (n: number | string) => String(n).padStart(2, '0')
const through = (rule: string, from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `${rule}-${two(from + n)}`)

const rules = [
  ...[through('R-QUEUE', 1, 8), through('R-BOT', 1, 5), through('R-HOURS', 1, 4), through('R-TAG', 1, 3)],
  ...[through('R-KANBAN', 1, 5), through('R-FILE', 1, 3), through('R-LGPD', 1, 3), through('R-CONN', 1, 19), through('R-QUICK', 1, 2)],
  ...[through('A-BOT', 1, 11), through('A-HOURS', 1, 5), through('A-EXP', 1, 6), through('A-NPS', 1, 2), through('A-LGPD', 1, 6)],
  ...[through('A-LANE', 1, 3), through('A-USER', 1, 4)],
  ...['A-HOURS-HOLIDAY', 'A-VAC-01', 'A-ROT-01', 'A-WALLET-01', 'A-RANDOM-01', 'A-POS-01', 'A-AUDIO-01', 'A-QUICK-01', 'A-PLAN-01'],
  ...['A-QUEUE-01', 'A-CONN-01', 'A-CONN-06', 'A-CONN-08', 'A-CONN-09'],
].flat()

const one = /([RA]-[A-Z]+)-(\w+)(?: to (?:[RA]-[A-Z]+-)?(\d\d))?/g
const bracketed = /\(((?:[RA]-[A-Z]+-\w+|\d\d|, | to | and )+)\)/g
const named = new Set<string>()
for (const file of globSync('**/*.test.ts', { cwd: root })) {
  const told = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  for (const [, ids] of told.matchAll(bracketed))
    for (const [, rule, n, last] of ids!.matchAll(one))
      for (const id of last ? through(rule!, Number(n), Number(last)) : [`${rule}-${n}`]) named.add(id)
}

it('every rule about a company’s setup has a test', () => {
  expect(new Set(rules).size).toBe(rules.length)
  expect(rules.filter((id) => !named.has(id))).toEqual([])
})

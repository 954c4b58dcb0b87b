import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { errors } from '#domain/errors.ts'
import '#web/area-errors.ts'
import { errorWords } from '#web/errors.ts'
import { languages } from '#web/i18n.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const codes = new Set(Object.keys(errors).map((one) => one.split('/')[0]!))
const used = new Map<string, string>()
for (const file of globSync(['app/**/*.ts', 'domain/**/*.ts', 'projections/**/*.ts'], { cwd: root }).filter(
  (one) => !/errors\.ts$|error-texts\.ts$/.test(one),
))
  for (const [, code] of readFileSync(path.join(root, file), 'utf8').matchAll(/'(ERR_[A-Z_]+)(?:\/\w+)?'/g)) used.set(code!, file)

describe('the error catalogue', () => {
  it('contains every code in use', () => {
    expect(used.size).toBeGreaterThan(25)
    expect([...used].filter(([code]) => !codes.has(code))).toEqual([])
  })
  it('has a text for each code in four languages', () => {
    expect(languages).toHaveLength(4)
    expect(Object.keys(errorWords).sort()).toEqual([...codes].sort())
    for (const [code, row] of Object.entries(errorWords)) {
      expect(row, code).toHaveLength(4)
      for (const words of row) expect(words.trim().length, code).toBeGreaterThan(5)
      expect(new Set(row).size, `${code} is translated`).toBeGreaterThan(2)
    }
  })
  it('uses only error statuses, and 5xx only for server errors', () => {
    for (const [code, status] of Object.entries(errors)) expect(status, code).toBeGreaterThanOrEqual(400)
    expect(
      Object.keys(errors)
        .filter((code) => errors[code as keyof typeof errors] >= 500)
        .sort(),
    ).toEqual(['ERR_BUSY', 'ERR_DISK_FULL', 'ERR_INTERNAL', 'ERR_UNAVAILABLE'])
  })
})

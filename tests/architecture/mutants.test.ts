import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mutants } from '#tests/mutation/mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('every mutant changes a line that exists exactly once', () => {
  const occurrences = ({ file, from }: { file: string; from: string }) => readFileSync(path.join(root, file), 'utf8').split(from).length - 1
  expect(mutants.filter((mutant) => occurrences(mutant) !== 1).map(({ rule }) => rule)).toEqual([])
  expect(mutants.length).toBeGreaterThanOrEqual(60)
})

/**
 * `npm run test:mutation`: breaks one rule at a time in copies of the last commit, runs the tests that should notice it, and
 * counts how many did. `-- --rule TEXT` (repeated) runs only the mutants whose rule contains one of the texts.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArguments } from '#app/commands/tools.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copyCount = 2
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })

function createCopy(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'guiche-mutation-'))
  git('worktree', 'add', '--detach', '--force', folder, 'HEAD')
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

function removeCopy(folder: string): void {
  rmSync(path.join(folder, 'node_modules'))
  git('worktree', 'remove', '--force', folder)
}

/** Whether the tests of these folders or files pass in a copy. */
function passes(copy: string, tests: string[]): Promise<boolean> {
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--config', path.join('tests', 'vitest.config.ts'), '--bail', '1', ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore' })
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', (code) => resolve(code === 0)))
}

async function isNoticed(copy: string, { file, from, to, tests }: Mutant): Promise<boolean> {
  const whole = path.join(copy, file)
  const text = readFileSync(whole, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain the text of this mutant exactly once: ${from}`)
  writeFileSync(
    whole,
    text.replace(from, () => to),
  )
  try {
    return !(await passes(copy, tests))
  } finally {
    writeFileSync(whole, text)
  }
}

const { values } = parseArguments({ options: { rule: { type: 'string', multiple: true, default: [] } } })
const texts = values.rule
const chosen = mutants.filter(({ rule }) => texts.length === 0 || texts.some((text) => rule.includes(text)))
if (chosen.length === 0) {
  console.error(`No mutant's rule contains: ${texts.join(', ')}`)
  process.exit(2)
}
const copies = Array.from({ length: copyCount }, createCopy)
const unnoticed: Mutant[] = []
try {
  if (!(await passes(copies[0]!, [...new Set(chosen.flatMap(({ tests }) => tests))]))) throw new Error('The tests fail without a mutant.')
  const queue = [...chosen]
  const work = async (copy: string) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const noticed = await isNoticed(copy, mutant)
      if (!noticed) unnoticed.push(mutant)
      console.log(`${noticed ? 'noticed    ' : 'NOT NOTICED'}  ${mutant.rule}  (${mutant.file})`)
    }
  }
  await Promise.all(copies.map(work))
} finally {
  copies.forEach(removeCopy)
}
console.log(`\n${chosen.length - unnoticed.length} of ${chosen.length} mutants were noticed`)
process.exit(unnoticed.length === 0 ? 0 : 1)

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { begin, command } from '#tests/support/command.ts'

const root = new URL('../../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: Record<string, string> }
const fileOf = (script: string) => /^node app\/setup\.mjs (?:app\/)?(\S+\.ts)$/.exec(script)?.[1]

/** These take file names. */
const others = ['test', 'test:soak', 'format']
const ours = Object.keys(scripts).filter((name) => !others.includes(name))

it('every command of package.json is known to this test', () => {
  expect(ours.length).toBeGreaterThan(10)
  for (const name of ours) expect([name, fileOf(scripts[name]!)]).toEqual([name, expect.any(String)])
})

it.each(ours)('npm run %s refuses unknown flags and words with exit code 2 and does nothing', async (name) => {
  const file = fileOf(scripts[name]!)!
  // The folder does not exist, so a command that continues prints another error or creates it.
  for (const args of [['--everthing'], ['one', 'word', 'too', 'many']]) {
    const { code, out, err } = await command(file.startsWith('tests/') ? `../${file}` : file, args, { DATA_DIR: '/nowhere/at/all' })
    expect({ args, code, out: name === 'bench' ? '' : out }).toEqual({ args, code: 2, out: '' })
    expect(`${out}${err}`).not.toMatch(/\n\s+at |nowhere/)
    expect(`${out}${err}`.trim()).not.toBe('')
  }
})

it.each(['verify', 'rebuild', 'parked', 'backup', 'restore', 'log-account'])(
  'npm run %s ends without a stack trace when the reader of its output has gone',
  async (name) => {
    const { child, told } = begin(fileOf(scripts[name]!)!, ['--help'], {})
    child.stdout!.destroy()
    expect(await told).toEqual({ code: 141, out: '', err: '' })
  },
)

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const list = 'domain/requirements.md'
const folders = ['app', 'domain', 'projections', 'web', 'migrations', 'tests']

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const lines = read(list).split('\n').filter(Boolean)
const listed = lines.flatMap((line) => /^- \*\*([AR]-[A-Z]+-\w+)\*\* /.exec(line)?.[1] ?? [])

const reference = /\b([AR]-[A-Z]+-)(\d\d|[A-Z]{3,})\b(?: to (?:[AR]-[A-Z]+-)?(\d\d)\b)?/g
/** The ids in a text, with those inside a range such as "R-CONN-02 to 05". */
function idsIn(text: string): string[] {
  return [...text.matchAll(reference)].flatMap(([, prefix, first, last = first]) => {
    const numbers = Array.from({ length: Number(last) - Number(first) + 1 || 1 }, (_, step) => Number(first) + step)
    return /\d/.test(first!) ? numbers.map((number) => `${prefix}${String(number).padStart(2, '0')}`) : [`${prefix}${first}`]
  })
}
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
const sources = tracked.split('\n').filter((file) => /\.(ts|tsx|css|html|jsonl)$/.test(file))
const used = new Set(sources.flatMap((file) => idsIn(read(file))))

describe('the requirements', () => {
  it('have one line for each id that the code names', () => {
    expect([...used].filter((id) => !listed.includes(id)).sort()).toEqual([])
    expect(listed.filter((id, index) => listed.indexOf(id) !== index)).toEqual([])
  })
  it('contain no id that the code does not name', () => expect(listed.filter((id) => !used.has(id))).toEqual([]))
  it('are sorted, below the heading of their prefix', () => {
    expect(listed).toEqual(listed.toSorted())
    const groups = lines.flatMap((line) => /^## ([AR]-[A-Z]+)\b/.exec(line)?.[1] ?? [])
    expect(groups).toEqual(groups.toSorted())
    let group = ''
    const misplaced = lines.filter((line) => {
      group = /^## ([AR]-[A-Z]+)\b/.exec(line)?.[1] ?? group
      return line.startsWith('- ') && !line.startsWith(`- **${group}-`)
    })
    expect(misplaced).toEqual([])
  })
  it('take one sentence of at most 25 words each', () => {
    const sentences = lines.flatMap((line) => /^- \*\*\S+\*\* (.*)$/.exec(line)?.[1] ?? [])
    expect(sentences.filter((text) => text.split(/\s+/).length > 25 || !/^[A-Z`"'].*\.$/.test(text))).toEqual([])
  })
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The content of a template literal after its opening backtick, without its substitutions. */
function template(from: string): string {
  let said = ''
  for (let i = 0; i < from.length; i++) {
    if (from[i] === '`') return said
    if (!from.startsWith('${', i)) said += from[i]
    else for (let open = 0; ; i++) if ((from[i] === '{' && ++open === 0) || (from[i] === '}' && --open === 0)) break
  }
  return said
}
/** Removes everything in parentheses. */
function outermost(said: string): string {
  for (let before = ''; before !== said; ) [before, said] = [said, said.replace(/\([^()]*\)/g, '')]
  return said
}
/** Conditions that change their meaning beside another one, because a query joins its conditions with `and`. */
const loose = (text: string): string[] =>
  text
    .split('sql<boolean>`')
    .slice(1)
    .map(template)
    .filter((said) => /\sor\s/i.test(outermost(said)))

const example = (said: string) => loose(said.replaceAll('#{', '${'))

it('a condition with “or” is in parentheses', () => {
  expect(example('where(sql<boolean>`a < #{f({ b })} or c = #{d} and e`)')).toHaveLength(1)
  expect(example('where(sql<boolean>`(a < #{f({ b })} or (c) = #{d})`) sql<boolean>`x in (select 1 or 2)`')).toEqual([])
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'app', 'projections'], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = files
    .split('\n')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => loose(readFileSync(path.join(root, file), 'utf8')).map((said) => `${file}: ${said}`))
  expect(found).toEqual([])
})

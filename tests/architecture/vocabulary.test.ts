import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const longest = 90
/** Words of an earlier private vocabulary. */
const retired = /\b(house|heard|told|ears|anew|whoever|seats?|bells?|rung|knocks?|porch|switchboard)\b/i
/** Folders whose test names follow the rules. */
const folders = ['architecture', 'browser', 'faults', 'http', 'invariants', 'start', 'support']

type Node = {
  type: string
  name?: string
  value?: unknown
  quasis?: { value: { raw: string } }[]
  arguments?: Node[]
  callee?: Node
  object?: Node
}
/** `it` of `it(…)`, `it.each(…)(…)` and `it.skipIf(…)(…)`. */
function calleeOf({ name, callee, object }: Node): string {
  const inner = callee ?? object
  return inner ? calleeOf(inner) : (name ?? '')
}

/** The names of tests in a source, with `…` for each substitution. */
function namesIn(code: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const call = node as Node
    if (call.type === 'CallExpression' && ['it', 'test', 'describe'].includes(calleeOf(call))) {
      const [name] = call.arguments!
      if (typeof name?.value === 'string') found.push(name.value)
      if (name?.quasis) found.push(name.quasis.map(({ value }) => value.raw).join('…'))
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return found
}

const named = globSync(`tests/{${folders.join(',')}}/**/*.ts`, { cwd: root }).flatMap((file) =>
  namesIn(readFileSync(path.join(root, file), 'utf8')).map((name) => ({ file, name })),
)

it('a test name has at most 90 characters', () => {
  expect(named.length).toBeGreaterThan(700)
  expect(named.filter(({ name }) => name.length > longest)).toEqual([])
})

it('a test name uses the standard terms', () => expect(named.filter(({ name }) => retired.test(name))).toEqual([]))

/** Exported type names that say nothing without their file. */
const vague = /^(Of|Row|Found|Entry|Known|Kept|Given|Said|Told|Line|Part|Place|Way|Wait|Bad|Next|Left|It|Thing|Item|Data|Info)$/
const product = globSync('{app,domain,projections,web,tests}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.startsWith('web/dist/'))
const declared = product.flatMap((file) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/^(export )?(?:async )?(type|interface|class|function|const) (\w+)/gm)].map(
    ([, exported, kind, name]) => ({
      file,
      name: name!,
      exportsType: exported !== undefined && ['type', 'interface', 'class'].includes(kind!),
    }),
  ),
)

it('an exported type has a name that says what it is', () => {
  expect(declared.length).toBeGreaterThan(5000)
  expect(declared.filter(({ name, exportsType }) => exportsType && vague.test(name))).toEqual([])
})

/** The retired words as parts of an identifier: `toldOf`, `HouseClock`. */
const retiredPart =
  /(^|[a-z])(House|Heard|Told|Ears|Anew|Whoever|Seats|Knock|Porch|Switchboard)(?![a-z])|^(house|heard|told|ears|anew|whoever|seats|knock|porch|switchboard)(?![a-z])/

it('a declaration at the top of a file uses no retired word', () =>
  expect(declared.filter(({ name }) => retiredPart.test(name))).toEqual([]))

it('the check reads plain, templated, skipped and parameterised names', () => {
  const code = "it('a', f); describe(`b $" + "{n}`, f); it.skipIf(x)('c', f); it.each([['no']])('d %s', f); expect('e')"
  expect(namesIn(code)).toEqual(['a', 'b …', 'c', 'd %s'])
})

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mostLines = 80

type Node = { type: string; start: number; end: number; id?: Node | null; key?: Node; name?: string; init?: Node; value?: Node }
const isFunction = ({ type }: Node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

/** Every function of a source with its number of lines, blank lines and comments included. */
function functionsIn(code: string, lang: 'ts' | 'tsx'): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = []
  const visit = (node: unknown, named: string): void => {
    if (typeof node !== 'object' || node === null) return
    const one = node as Node
    if (typeof one.type === 'string' && isFunction(one))
      found.push({ name: one.id?.name ?? named, lines: code.slice(one.start, one.end).split('\n').length })
    const own = one.id?.name ?? one.key?.name ?? named
    for (const child of Object.values(node)) visit(child, own)
  }
  visit(parseAst(code, { lang }), '')
  return found
}

const long = globSync('{app,domain,projections,web}/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'dist' }).flatMap((file) =>
  functionsIn(readFileSync(path.join(root, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts')
    .filter(({ lines }) => lines > mostLines)
    .map(({ name, lines }) => [`${file} ${name}`, lines] as const),
)

it('a function has at most 80 lines', () => expect(Object.fromEntries(long)).toEqual({}))

it('the check counts nested functions, arrow functions and methods', () => {
  const code = 'function a() {\n  const b = () => {\n  }\n}\nconst c = { d() {\n} }\nconst e = f(() => 1)'
  expect(functionsIn(code, 'ts')).toEqual([
    { name: 'a', lines: 4 },
    { name: 'b', lines: 2 },
    { name: 'd', lines: 2 },
    { name: 'e', lines: 1 },
  ])
})

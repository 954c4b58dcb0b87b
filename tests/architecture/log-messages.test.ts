import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const longest = 60
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

type Node = { type: string; start: number; end: number; name?: string; value?: unknown; [child: string]: unknown }
const nameOf = (node: Node | undefined): string => node?.name ?? (node?.property as Node | undefined)?.name ?? ''

/** The calls of a logger whose message is not a constant text that begins with a capital and has at most 60 characters. */
function unlike(code: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    const callee = node.callee as Node | undefined
    if (
      node.type === 'CallExpression' &&
      callee?.type === 'MemberExpression' &&
      levels.includes(nameOf(callee.property as Node)) &&
      /^log(ger)?$/.test(nameOf(callee.object as Node))
    ) {
      const given = node.arguments as Node[]
      const message = given.find(({ type }) => type === 'Literal' || type === 'TemplateLiteral') ?? given[1]
      const text = message?.type === 'Literal' ? String(message.value) : ''
      const isPassedOn = message?.type === 'Identifier' && message.name === 'message' // a constant of the caller
      if (!isPassedOn && (text.length > longest || !/^[A-Z]/.test(text))) found.push(code.slice(node.start, node.end).slice(0, 120))
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return found
}

it('a log message is a constant text that starts with its object and has at most 60 characters', () => {
  const files = globSync('{app,domain,projections}/**/*.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) => unlike(readFileSync(path.join(root, file), 'utf8')).map((call) => `${file}: ${call}`))
  expect(found).toEqual([])
})

it('the check reads constants, templates, variables and missing messages', () => {
  const long = 'M'.repeat(longest + 1)
  const code = [
    "log.info('Ready')",
    "ctx.logger.warn({ a }, 'Store away')",
    'log.info(`Ready`)',
    'logger.warn({ a }, what)',
    "log.error('lower case')",
    `log.warn({}, '${long}')`,
    'logger.warn(line)',
  ]
  expect(unlike(code.join('\n'))).toHaveLength(5)
})

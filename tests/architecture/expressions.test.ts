import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { analyse } from 'scslre'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Expressions with more than linear time. Their text comes from no stranger, or its length is bounded. */
const trusted: Record<string, string> = {
  'projections/postgres.ts ^(\\S+) (\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d+))?(.+)$': 'a time that Postgres writes',
  'app/config.ts \\/+$': 'configuration of the operator',
  'app/bootstrap/databases.ts \\s*\\n\\s*': 'an error message of a store',
  'app/session/password.ts =+$': 'base64 that the app made',
  'app/meta/environment.ts \\/+$': 'configuration of the operator',
  'app/http/server.ts \\s*,\\s*': 'configuration of the operator',
  'app/security/log.ts ^(.).*?(@.)?[^@]*?(\\.[a-z]{2,6})?$': 'at most 250 characters',
  'app/http/error-handler.ts \\s*;\\s*q=': 'at most 200 characters',
  'app/commands/company.ts ^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$': 'an argument of the operator',
}

type Literal = { pattern: string; flags: string }
function literalsOf(file: string): Literal[] {
  const found: Literal[] = []
  const code = readFileSync(path.join(root, file), 'utf8')
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex } = node as { type?: string; regex?: Literal }
    if (type === 'Literal' && regex) found.push(regex)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

/** The analysis does not support sets of strings such as \p{RGI_Emoji}; each is replaced by a single character. */
const readable = ({ pattern, flags }: Literal) => ({
  source: pattern.replaceAll('\\p{RGI_Emoji}', '\\p{Emoji}'),
  flags: flags.replace('v', 'u'),
})
const isSlow = (literal: Literal): boolean =>
  analyse(readable(literal), { reportTypes: { Move: true, Self: true, Trade: true } }).reports.length > 0

it('regular expressions for outside text take linear time', () => {
  const files = globSync(['app/**/*.ts', 'domain/**/*.ts', 'projections/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['web/dist'],
  })
  const slow = files.flatMap((file) =>
    literalsOf(file)
      .filter(isSlow)
      .map(({ pattern }) => `${file} ${pattern}`),
  )
  expect([...new Set(slow)].toSorted()).toEqual(Object.keys(trusted).toSorted())
})

it('the check detects quadratic and exponential time', () => {
  for (const pattern of ['\\s+$', '^(a+)+$', '\\s*,\\s*', '^[.\\s]+|[.\\s]+$']) expect(isSlow({ pattern, flags: '' }), pattern).toBe(true)
  for (const pattern of ['^\\s+', '[a-z]+', '^\\d{1,3}$']) expect(isSlow({ pattern, flags: '' }), pattern).toBe(false)
})

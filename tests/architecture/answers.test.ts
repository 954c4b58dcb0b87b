import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { forbidUnknownProperties, rowOf, type Shape, withoutReadOnly } from '#app/http/body-parser.ts'
import type { Call } from '#domain/contract.ts'

/* A value that a body accepts must also pass the answer. Otherwise one stored value makes whole lists fail. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const calls = new Map<string, Call>()
for (const file of globSync('domain/*/contract.ts', { cwd: root })) {
  const exported = Object.values(await import(path.join(root, file)))
  for (const calling of exported.filter((one) => typeof one === 'object' && one !== null))
    for (const call of Object.values(calling as object)) if (call?.method && call.path) calls.set(`${call.method} ${call.path}`, call)
}
const ajv = formats.default(new Ajv({ strict: false }), ['date', 'date-time', 'email', 'uuid'])
ajv.addFormat('wellformed', (text: string) => !text.includes('\0') && text.isWellFormed())

/** Values at the edges of a schema and some beyond them. The body's schema decides which are valid. */
function tries(shape: Shape, depth = 0): unknown[] {
  if (shape.anyOf) return shape.anyOf.flatMap((one) => tries(one, depth))
  const { enum: listed, const: only, minLength = 0, maxLength = 40, minimum = -1, maximum = 1e6 } = shape as Record<string, any>
  const wild = [
    '',
    ' ',
    'abc',
    '1',
    'true',
    '#abc',
    '#abcdef',
    '+55 (11) 98765-4321',
    'a@b.co',
    '2026-02-30',
    '2026-01-05T12:00:00Z',
    'A1'.repeat(15),
    '2026-01-05',
    '2026-01-05T09:30:00Z',
    '09:30',
    '[01]',
    '[1]',
  ]
  const plain = [...wild, -1, 0, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 1e308, true, false, null, [], {}]
  if (listed) return [...listed, ...plain]
  if (only !== undefined) return [only, ...plain]
  if (shape.type === 'string') return ['x'.repeat(minLength), '👩'.repeat(maxLength / 2), 'x'.repeat(maxLength), ...plain]
  if (shape.type === 'integer' || shape.type === 'number') return [minimum, maximum, ...plain]
  if (shape.items && depth < 4) return [...tries(shape.items, depth + 1).map((one) => [one]), ...plain]
  if (!shape.properties || depth >= 4) return plain
  const fields = Object.entries(shape.properties).map(([name, of]) => [name, tries(of, depth + 1)] as const)
  const good = Object.fromEntries(fields.map(([name, all]) => [name, all.find((one) => takes(shape.properties![name]!)(one))]))
  const each = fields.flatMap(([name, all]) => all.map((value) => ({ ...good, [name]: value })))
  const foreign = ['id', 'name', 'companyId', 'anything'].map((name) => ({ ...good, [name]: { not: ['this'] } }))
  return [good, ...each, ...foreign, ...plain]
}
const compiled = new WeakMap<Shape, (value: unknown) => boolean>()
function takes(shape: Shape): (value: unknown) => boolean {
  const known = compiled.get(shape) ?? (ajv.compile(shape) as (value: unknown) => boolean)
  compiled.set(shape, known)
  return known
}
/** A value without the fields that the server adds. */
function given(shape: Shape): Shape {
  const { required: _, properties, items, anyOf, ...rest } = shape
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, given(of)])) }),
    ...(items && { items: given(items) }),
    ...(anyOf && { anyOf: anyOf.map(given) }),
  }
}

const withRows = [...calls].filter(([, call]) => call.body && rowOf(call))
/** Fields that describe a part of the row, not the row. */
const ofAnother = new Set(['POST /files/uploadList/:id name', 'POST /contactsImport tags'])
describe.each(withRows)('%s', (asked, call) => {
  const row = rowOf(call)!
  const fields = Object.entries(forbidUnknownProperties(call.body as Shape).properties ?? {}).filter(
    ([name]) => row.properties![name] && !ofAnother.has(`${asked} ${name}`),
  )

  it('answers with every value that its body accepts', () => {
    for (const [name, shape] of fields) {
      const taken = tries(shape).filter((value) => value !== null && takes(shape)(value)) // null means no value; the server then keeps its own
      expect(taken.length, name).toBeGreaterThan(0)
      const shown = takes(given(row.properties![name]!))
      expect(
        taken.filter((value) => !shown(value)),
        name,
      ).toEqual([])
    }
  })
  it('accepts its own row back, and no unknown field', () => {
    const body = forbidUnknownProperties(call.body as Shape)
    const shownOnly = Object.keys(row.properties!).filter((name) => !body.properties?.[name])
    const sent = Object.fromEntries(shownOnly.map((name) => [name, null]))
    expect(withoutReadOnly({ ...sent, id: 1, anything: 1 }, body, row)).toEqual(
      body.properties?.id ? { id: 1, anything: 1 } : { anything: 1 },
    )
    expect(body.additionalProperties).toBe(false)
  })
})

it('the check covers many calls', () => {
  expect(withRows.length).toBeGreaterThan(12)
  expect(calls.size).toBeGreaterThan(40)
})

describe('a list of ids in a query', () => {
  const lists = [...calls].flatMap(([name, { query }]) =>
    Object.entries((query?.properties ?? {}) as Record<string, Shape>).flatMap(([field, shape]) =>
      (typeof shape.pattern === 'string' ? shape.pattern : '').startsWith('^\\[') ? [[`${name} ${field}`, shape] as const] : [],
    ),
  )
  it.each(lists)('of %s accepts exactly what can be parsed', (_, shape) => {
    const texts = [
      '[]',
      '[1]',
      '[01]',
      '[1,02]',
      '[00]',
      '[-1]',
      '[1.5]',
      '[1e9]',
      '[9999999999]',
      '[1,]',
      '[,1]',
      '[null]',
      '["open"]',
      '["open",]',
    ]
    const taken = texts.filter((text) => takes(shape)(text))
    expect(taken).toContain('[]')
    for (const text of taken) for (const one of JSON.parse(text)) if (typeof one === 'number') expect(one).toBeLessThanOrEqual(2147483647)
  })
})

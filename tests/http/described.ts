import type { TestApp } from '#tests/support/server.ts'

export type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
} & Record<string, any>
/** A call as /docs/json describes it. `path` has its parameters in braces. */
export type Described = { method: string; path: string; params: string[]; query: Record<string, Schema>; body: Schema | null }

export async function described(app: TestApp): Promise<Described[]> {
  const { body } = await app.stranger('GET', '/docs/json')
  const whole = (shape: any): any => {
    if (Array.isArray(shape)) return shape.map(whole)
    if (typeof shape !== 'object' || shape === null) return shape
    const name = typeof shape.$ref === 'string' && /\w+$/.exec(shape.$ref)![0]
    return name
      ? whole(body.components.schemas[name])
      : Object.fromEntries(Object.entries(shape).map(([key, of]) => [key, key === 'enum' ? of : whole(of)]))
  }
  return Object.entries(body.paths as Record<string, Record<string, any>>).flatMap(([path, of]) =>
    Object.entries(of).map(([method, call]) => {
      const parameters: { name: string; in: string; schema: Schema }[] = call.parameters ?? []
      return {
        ...{ method: method.toUpperCase(), path, params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!) },
        query: Object.fromEntries(parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema])),
        body: whole(call.requestBody?.content?.['application/json']?.schema ?? null),
      }
    }),
  )
}

/** The path with these values for its parameters; the values are already URL-encoded. */
export const at = ({ path }: Described, values: Record<string, string | number>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Ids that name nothing. */
export const nowhere = ({ params }: Described): Record<string, string | number> =>
  Object.fromEntries(
    params.map((name) => [name, name === 'uuid' ? '00000000-0000-4000-8000-000000000000' : name === 'number' ? '0' : 2147483647]),
  )

/** A value that the schema accepts. */
export function sample(schema: Schema): unknown {
  if (schema.anyOf) return sample(schema.anyOf.find((one) => one.type !== 'null') ?? schema.anyOf[0]!)
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, of]) => [name, sample(of)]),
    )
  if (schema.type === 'array') return schema.items && schema.minItems ? [sample(schema.items)] : []
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (/\[0-9a-fA-F\]/.test(schema.pattern ?? '')) return '#abcdef'
  if (/d/.test(schema.pattern ?? '')) return '5511900001234'
  return 'texto'.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength ?? 100)
}

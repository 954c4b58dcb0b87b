import { createHash } from 'node:crypto'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fastJson, { type AnySchema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

const wellformed = (text: string) => !text.includes('\0') && text.isWellFormed()
const checker = (coerceTypes: boolean) => {
  const ajv = new Ajv({ coerceTypes: coerceTypes && 'array', useDefaults: true, allErrors: false, strict: false })
  formats.default(ajv, ['date', 'date-time', 'email', 'uuid'])
  return ajv.addFormat('wellformed', wellformed)
}

/** Compiles on first use: compiling hundreds of calls cost the start more than a second of CPU time. */
function lazy<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Params = { properties: Record<string, { type: string }> }
/** Accepts one spelling of a number in a path. `Number` would also accept others, such as 0x10. */
function hasCanonicalNumbers({ properties }: Params) {
  const numbers = Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
  return (params: Record<string, string>) => numbers.every((name) => /^[1-9]\d*$/.test(params[name] ?? ''))
}

type Check = ReturnType<Ajv['compile']>
const compilers = { lenient: lazy(() => checker(true)), strict: lazy(() => checker(false)) }
const compiled = new Map<string, Check>()
/** Equal schemas compile once per process, even for several servers. */
function compile(kind: keyof typeof compilers, schema: object): Check {
  const key = `${kind} ${createHash('sha256').update(JSON.stringify(schema)).digest('base64')}`
  const known = compiled.get(key) ?? compilers[kind]().compile(schema)
  compiled.set(key, known)
  return known
}

/**
 * Validates requests. Queries, parameters and form fields are text and are coerced. JSON bodies are already
 * typed.
 */
export function createValidatorCompiler(isForm: (url: string) => boolean): FastifySchemaCompiler<unknown> {
  return ({ schema, httpPart, url }) => {
    const check = lazy(() => compile(httpPart === 'body' && !isForm(String(url)) ? 'strict' : 'lenient', schema as object))
    const numbered = httpPart === 'params' ? hasCanonicalNumbers(schema as Params) : () => true
    return (given) => {
      const checks = check()
      return checks(numbered(given) ? given : {})
        ? { value: given }
        : { error: Object.assign(new Error('Schema validation failed'), { validation: checks.errors }) }
    }
  }
}

const serializers = new Map<string, ReturnType<typeof fastJson>>()
function serializer(schema: AnySchema): ReturnType<typeof fastJson> {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
  const known = serializers.get(key) ?? fastJson(schema, { ajv: { formats: { wellformed: true } } })
  serializers.set(key, known)
  return known
}

/** Serialises responses. Their data was validated as input. */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const write = lazy(() => serializer(schema as AnySchema))
  return (answer) => write()(answer)
}

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

/** Made where it is first asked for: to make all of hundreds of calls took a start more than a second of processor. */
function atFirst<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

type Params = { properties: Record<string, { type: string }> }
/** A number in an address is written in one way: what `Number` would take beside it, such as 0x10, names nothing. */
function inOneWay({ properties }: Params) {
  const numbers = Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
  return (params: Record<string, string>) => numbers.every((name) => /^[1-9]\d*$/.test(params[name] ?? ''))
}

/**
 * What checks what comes in. Queries, parameters and form fields are text and are read as what they stand for; JSON already says
 * what it is.
 */
export function inbound(isForm: (url: string) => boolean): FastifySchemaCompiler<unknown> {
  const lenient = checker(true)
  const strict = checker(false)
  return ({ schema, httpPart, url }) => {
    const check = atFirst(() => (httpPart === 'body' && !isForm(String(url)) ? strict : lenient).compile(schema as object))
    const numbered = httpPart === 'params' ? inOneWay(schema as Params) : () => true
    return (given) => {
      const checks = check()
      return checks(numbered(given) ? given : {})
        ? { value: given }
        : { error: Object.assign(new Error('not its shape'), { validation: checks.errors }) }
    }
  }
}

/** What writes what goes out; it came in through the check. */
export const outbound: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const write = atFirst(() => fastJson(schema as AnySchema, { ajv: { formats: { wellformed: true } } }))
  return (answer) => write()(answer)
}

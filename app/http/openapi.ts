import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { AcceptedResponse, type Call } from '#domain/contract.ts'
import { type Case, errors } from '#domain/errors.ts'
import { emits } from '#domain/live/contract.ts'
import { label } from '#domain/version/label.ts'
import { closed, type Shape } from './body-parser.ts'
import { responses } from './serve.ts'

type Operation = {
  operationId?: string
  parameters?: { name: string; in: string; schema: Shape; explode?: boolean }[]
  requestBody?: { content: Record<string, { schema: Shape }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Shape }> }>
  security?: object[]
  'x-refuses'?: Case[]
}
type Described = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Shape> } }

const transport = `Everything is asked below \`/api\`, in JSON, with \`Authorization: Bearer <token>\`; the token comes from \`POST /api/auth/login\`.

A refusal is an \`Error\`: its \`error\` is a code that stays, its \`message\` a sentence in the language of \`Accept-Language\`, else in that of the account.

A list in a query is written as in \`tags=1&tags=2\`, or as a JSON text as in \`tags=[1,2]\`.

**The socket.** A WebSocket at \`/api/live\` with the subprotocols \`guiche.v1\` and \`bearer.<token>\`. Frames up are \`{ emit, data }\`, frames down \`{ channel, action, … }\`; every 30 seconds come a ping and, for who cannot hear one, \`{ channel: "live", action: "beat" }\`, which also answers the emit \`beat\`. An emit that this server does not know is answered with \`{ channel: "live", action: "unknown", emit }\` and ignored.

Up: ${emits.map((emit) => `\`${emit}\``).join(', ')}; lists with \`{ status }\`, chats with \`{ ticketId }\`, histories with \`{ uuid }\`; \`typing\` with \`{ ticketId }\` of a chat that is joined shows its customer that somebody writes.

Down, each as \`company-<id>-<name>\` with the action \`create\`, \`update\` or \`delete\`: \`ticket\`, \`appMessage\` (in a list \`create\` alone, in a chat that is joined all of them: marks, edits, reactions and what was seen are an \`update\`), \`contact\`, \`tag\`, \`quickmessage\`, \`fileList\`, \`queue\`, \`user\` (also who is online), \`whatsapp\`, and behind each of its rows \`whatsappSession\` with how its session stands (the code that links a phone is read by \`GET /whatsapp/{id}\`); \`auth\` when a session ended elsewhere; \`live\` with \`ready\`. A \`ticket\` that was read has the frame \`updateUnread\` behind its row. Beyond those: \`ticketNote\`, the private notes of a chat that is joined, and \`ticketHistory\`, the facts added to a history that is joined, \`setting\`, what the company has set and the caller may read, \`typing\`, whose customer writes just now, and \`work\`, the progress of one's own long work. \`failedMessage\` has the action \`refresh\` alone, for whoever sent a message that did not leave and whoever serves its ticket. The action \`refresh\` says that everything of the channel is to be read anew.`

/** What rows and bodies are called. */
export type Shapes = Record<string, unknown>

/** The calls, as OpenAPI at /docs/json and to be read at /docs. */
export async function describe(server: FastifyInstance, shapes: Shapes): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Guichê', version: label, description: transport },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform({ schema, url, route }) {
      const { call } = (route as { config?: { call?: Call } }).config ?? {}
      if (!call) return { schema, url }
      const { response, ...rest } = schema as Record<string, unknown>
      const open = call.may(null) === null
      return {
        url,
        schema: {
          ...rest,
          response: response ?? responses(call),
          ...(call.method !== 'GET' && { headers: { type: 'object', properties: { 'x-command-id': commandId } } }),
          ...(open && { security: [] }),
          ...((call.errors || call.idempotent) && {
            'x-refuses': [...(call.errors ?? []), ...(call.idempotent ? ['ERR_COMMAND_REUSED'] : [])],
          }),
        } as never,
      }
    },
    transformObject: (document) => {
      const { openapiObject } = document as never as { openapiObject: Described }
      return withNames(openapiObject, { Stored: AcceptedResponse, ...shapes } as Shapes as Record<string, Shape>) as never
    },
  })
  await server.register(swaggerUi, { routePrefix: '/docs' })
}

const commandId = {
  type: 'string',
  pattern: '^[\\w-]{8,64}$',
  description: 'The client’s name for this act: sent again with the same name it is done once.',
}

const refusal: Shape = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: [...new Set(Object.keys(errors).map((code) => code.split('/')[0]!))] },
    message: { type: 'string' },
    field: { type: 'string', description: 'What of the question was not good.' },
    rule: { type: 'string', description: 'Which rule of its schema it broke.' },
    limit: { type: 'number', description: 'How many, or how many megabytes, there may be.' },
    retryAfter: { type: 'number', description: 'Seconds until it may be tried again.' },
  },
  required: ['error', 'message'],
  additionalProperties: true,
}
const meanings: Record<number, string> = {
  400: 'Something in the question is not good.',
  401: 'The session has ended, or there was none.',
  402: 'The company’s subscription has expired.',
  403: 'The token has run out, or the caller may not.',
  404: 'It does not exist, or not for the caller.',
  408: 'The body took too long to come.',
  409: 'Somebody else was first.',
  413: 'Too large.',
  415: 'A body of a kind that is not taken.',
  429: 'Too many questions, or tries, in this time.',
  503: 'Something behind the server is away; worth another try.',
}

/** Which refusals a call can meet: by what it is asked with, by who may, and by the codes it names itself. */
function statuses(method: string, { parameters = [], requestBody, security, ...call }: Operation): number[] {
  const own = (call['x-refuses'] ?? []).map((code): number => errors[code])
  const asked = parameters.some((one) => one.in !== 'header') || requestBody
  return [
    ...new Set([
      ...own,
      ...(asked ? [400] : []),
      ...(security ? [] : [402, 403]),
      ...(parameters.some((one) => one.in === 'path') || (requestBody && !security) ? [404] : []),
      ...(method !== 'get' && !security ? [409] : []),
      ...(requestBody ? [408, 413, 415] : []),
      ...[429, 503],
    ]),
  ].sort((a, b) => a - b)
}

/** Each row and body once, by its name; each call with the refusals it can meet. */
function withNames(document: Described, rows: Record<string, Shape>): Described {
  const { paths, components } = document
  const names = new Map(Object.entries(rows).flatMap(([name, shape]) => [shape, closed(shape)].map((of) => [written(of), name])))
  const schemas: Record<string, Shape> = { Error: refusal }
  const named = (shape: Shape, wanted: string | null): Shape => {
    const known = names.get(written(shape)) ?? wanted
    if (!known) return inside(shape)
    names.set(written(shape), known)
    schemas[known] ??= inside(shape)
    return { $ref: `#/components/schemas/${known}` }
  }
  const inside = ({ default: _, ...shape }: Shape): Shape => ({
    ...shape,
    ...(shape.properties && {
      properties: Object.fromEntries(Object.entries(shape.properties).map(([name, of]) => [name, named(of, null)])),
    }),
    ...(shape.items && { items: named(shape.items, null) }),
    ...(shape.anyOf && { anyOf: shape.anyOf.map((of) => named(of, null)) }),
  })
  for (const [method, call] of Object.values(paths).flatMap((of) => Object.entries(of))) {
    const name = (call.operationId ?? '').replace(/(^|\.)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
    for (const one of call.parameters ?? []) if (one.schema.list) Object.assign(one, { schema: list(one.schema), explode: true })
    for (const [kind, content] of Object.entries(call.requestBody?.content ?? {})) {
      const body = content.schema
      content.schema = kind.startsWith('multipart') ? inside(withFiles(body)) : named(body, `${name}Body`)
    }
    for (const answer of Object.values(call.responses))
      for (const content of Object.values(answer.content ?? {}))
        content.schema = named(content.schema, content.schema.type === 'object' ? `${name}Answer` : null)
    const refusals = statuses(method, call).map((status) => {
      const codes = (call['x-refuses'] ?? []).filter((code) => errors[code] === status).map((code) => code.split('/')[0])
      const description = [meanings[status] ?? 'Refused.', ...(codes.length > 0 ? [`(${codes.join(', ')})`] : [])].join(' ')
      return [status, { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }]
    })
    Object.assign(call.responses, Object.fromEntries(refusals))
    delete call['x-refuses']
  }
  components.schemas = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return document
}

const list = ({ list: items }: Shape): Shape => ({ type: 'array', items: items as Shape, maxItems: 200 })
const withFiles = (body: Shape): Shape => ({
  ...body,
  properties: { ...body.properties, medias: { type: 'array', items: { type: 'string', format: 'binary' } } },
})
/** One text for one shape, in whatever order it was put down. */
function written(shape: unknown): string {
  if (Array.isArray(shape)) return `[${shape.map(written)}]`
  if (typeof shape !== 'object' || shape === null) return JSON.stringify(shape) ?? ''
  const kept = Object.entries(shape).filter(([, of]) => of !== undefined)
  return `{${kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => `${name}:${written(of)}`)}}`
}

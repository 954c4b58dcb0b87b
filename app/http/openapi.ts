import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { AcceptedResponse, type Call } from '#domain/contract.ts'
import { type Case, errors } from '#domain/errors.ts'
import { emits } from '#domain/live/contract.ts'
import { label } from '#domain/version/label.ts'
import { forbidUnknownProperties, type Shape } from './body-parser.ts'
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

const transport = `All calls are below \`/api\`, in JSON, with \`Authorization: Bearer <token>\`; the token comes from \`POST /api/auth/login\`.

A refusal is an \`Error\`: its \`error\` is a stable code, its \`message\` a text in the language of \`Accept-Language\`, otherwise in the account's language.

A list in a query is written as \`tags=1&tags=2\` or as JSON, \`tags=[1,2]\`.

**The socket.** A WebSocket at \`/api/live\` with the subprotocols \`guiche.v1\` and \`bearer.<token>\`. Frames up are \`{ emit, data }\`, frames down \`{ channel, action, … }\`; every 30 seconds the server sends a ping and, for clients that cannot receive one, \`{ channel: "live", action: "beat" }\`, which also answers the emit \`beat\`. \`joinTickets { status }\` joins the list of one status and receives tickets that have it or leave it; without a status, or with \`all\`, it receives every ticket in sight. An unknown emit is answered with \`{ channel: "live", action: "unknown", emit }\` and ignored.

Up: ${emits.map((emit) => `\`${emit}\``).join(', ')}; lists with \`{ status }\`, chats with \`{ ticketId }\`, histories with \`{ uuid }\`; \`typing\` with the \`{ ticketId }\` of a joined chat shows its customer that an agent is typing.

Down, each as \`company-<id>-<name>\` with the action \`create\`, \`update\` or \`delete\`: \`ticket\`, \`appMessage\` (lists receive only \`create\`, a joined chat all of them: delivery receipts, edits, reactions and reads are an \`update\`), \`contact\`, \`tag\`, \`quickmessage\`, \`fileList\`, \`queue\`, \`user\` (also who is online), \`whatsapp\`, and after each of its rows \`whatsappSession\` with the session's state (the linking code is read by \`GET /whatsapp/{id}\`) and, while its history is imported, \`importMessages-<id>\` with \`status.this\` of \`status.all\` conversations; \`auth\` when a session ended elsewhere; \`live\` with \`ready\`. A \`ticket\` that was read is followed by the frame \`updateUnread\`. Also: \`ticketNote\`, the private notes of a joined chat; \`ticketHistory\`, the events added to a joined history; \`setting\`, the company settings that the caller may read; \`typing\`, whether a customer is typing; and \`work\`, the progress of the caller's own bulk operations. \`failedMessage\` has only the action \`refresh\`, for the sender of an undelivered message and the ticket's agent. The action \`refresh\` means that the client must reload everything of the channel.`

/** Schema names for rows and bodies. */
export type Shapes = Record<string, unknown>

/** Serves the OpenAPI document at /docs/json and its viewer at /docs. */
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
  description: 'Id chosen by the client. A repeated request with the same id is executed once.',
}

const refusal: Shape = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: [...new Set(Object.keys(errors).map((code) => code.split('/')[0]!))] },
    message: { type: 'string' },
    field: { type: 'string', description: 'The field that was refused.' },
    rule: { type: 'string', description: 'The schema rule that it broke.' },
    limit: { type: 'number', description: 'The limit, as a number or in megabytes.' },
    retryAfter: { type: 'number', description: 'Seconds until the next attempt is allowed.' },
  },
  required: ['error', 'message'],
  additionalProperties: true,
}
const meanings: Record<number, string> = {
  400: 'The request is invalid.',
  401: 'The session has ended or is missing.',
  402: 'The company’s subscription has expired.',
  403: 'The token has expired, or the caller lacks permission.',
  404: 'Not found, or not visible to the caller.',
  408: 'The body took too long to arrive.',
  409: 'Conflict with another change.',
  413: 'Too large.',
  415: 'Unsupported content type.',
  429: 'Too many requests or attempts.',
  503: 'A store is unavailable; try again.',
}

/** Returns the error statuses of a call: from its parameters, its gate and its own codes. */
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

/** Moves each row and body to a named schema, and adds the error statuses to each call. */
function withNames(document: Described, rows: Record<string, Shape>): Described {
  const { paths, components } = document
  const names = new Map(
    Object.entries(rows).flatMap(([name, shape]) => [shape, forbidUnknownProperties(shape)].map((of) => [canonicalJson(of), name])),
  )
  const schemas: Record<string, Shape> = { Error: refusal }
  const named = (shape: Shape, wanted: string | null): Shape => {
    const known = names.get(canonicalJson(shape)) ?? wanted
    if (!known) return inside(shape)
    names.set(canonicalJson(shape), known)
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
/** Serialises a schema independently of its key order. */
function canonicalJson(shape: unknown): string {
  if (Array.isArray(shape)) return `[${shape.map(canonicalJson)}]`
  if (typeof shape !== 'object' || shape === null) return JSON.stringify(shape) ?? ''
  const kept = Object.entries(shape).filter(([, of]) => of !== undefined)
  return `{${kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => `${name}:${canonicalJson(of)}`)}}`
}

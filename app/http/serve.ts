import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '#domain/access.ts'
import { AcceptedResponse, type Answer, type Ask, type Call, type Calls, type Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { ReadModelLagging } from '../projection/wait-for-projection.ts'
import { forbidUnknownProperties, rowOf, type Shape, withoutReadOnly } from './body-parser.ts'
import type { UploadLimits } from './uploads.ts'

/** What each handler receives beside the inputs of the contract. */
export type HandlerContext = {
  viewer: Viewer
  /** The `x-command-id` of the client, the same on a retry; generated if the header is missing. */
  commandId: string
  wire: HttpExchange
}
/** The identity of an idempotent call. `asked` is a digest of its input. */
export type Command = { id: string; call: string; asked: string }
/** The few parts of HTTP that signing in needs. */
export type HttpExchange = {
  ip: string
  sessionId: string | null
  userAgent: string | undefined
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, maxAgeSeconds: number | null): void
  clearCookie(name: string): void
  header(name: string, value: string): void
}
export type Handlers<K extends Calls> = {
  [N in keyof K]: (
    ask: Ask<K[N]> & HandlerContext & (K[N] extends { idempotent: unknown } ? { command: Command } : {}),
  ) => Promise<Answer<K[N]>>
}

export const base = '/api'
const kilobyte = 1024
/**
 * Maximum body sizes in bytes. Anonymous callers get little. `stale`: an upload whose sender must receive the
 * answer that the token has expired.
 */
export const bodies = { stranger: 16 * kilobyte, usual: 256 * kilobyte, stale: 96 * kilobyte * kilobyte }

/** Runs before the files of a call are read: checks that the target exists and that the quota has room. */
type Asked = (ask: { viewer: Viewer; params: Record<string, number>; commandId: string }) => Promise<UploadLimits>
export type WithFiles<K extends Calls> = { [N in keyof K]: K[N] extends { upload: true } ? N : never }[keyof K]
export type UploadGuard<K extends Calls> = Record<WithFiles<K>, Asked>

/** Mounts a contract below /api. A call without a handler, a gate or an upload guard does not compile. */
export function serve<K extends Calls>(
  server: FastifyInstance,
  area: string,
  calls: K,
  handlers: Handlers<K>,
  ...[first]: WithFiles<K> extends never ? [] : [first: UploadGuard<K>]
): void {
  for (const name of Object.keys(calls) as (keyof K & string)[]) {
    const call: Call = calls[name]!
    const body = call.body && forbidUnknownProperties(call.body as Shape)
    const row = rowOf(call)
    const listed = Object.entries(call.query?.properties ?? {}).flatMap(([one, shape]) => ('list' in shape ? [one] : []))
    const handle = handlers[name] as (ask: object) => Promise<unknown>
    server.route({
      method: call.method,
      url: base + call.path,
      config: { call, ...(call.upload && { first: (first as Record<string, Asked>)[name]! }) },
      bodyLimit: call.bodyLimitKb ? call.bodyLimitKb * kilobyte : call.may(null) === null ? bodies.stranger : bodies.usual,
      schema: {
        tags: [area],
        operationId: `${area}.${name}`,
        summary: call.summary,
        ...(/:/.test(call.path) && { params: paramsSchema(call.path) }),
        ...(call.query && { querystring: call.query }),
        ...(body && { body }),
        ...(call.upload && { consumes: ['application/json', 'multipart/form-data'] }),
        ...((call.answer || call.eventuallyConsistent) && { response: responses(call) }),
      },
      onRequest: async ({ viewer }) => {
        const code = call.may(viewer) // before the body is read
        if (code) refuse(code)
      },
      ...((body || listed.length > 0) && {
        preValidation: async (request: FastifyRequest) => {
          if (body) request.body = withoutReadOnly(without(request.body, call.ignores), body, row)
          for (const one of listed) asText(request.query as Record<string, unknown>, one)
        },
      }),
      handler: async (request, reply) => {
        const { params, query, body, viewer, uploads, commandId } = request
        const asked = { params, query, body, viewer, files: uploads, commandId, wire: wire(request, reply) }
        const answer = await handle(asked).catch((error: unknown) =>
          call.eventuallyConsistent && error instanceof ReadModelLagging ? error : Promise.reject(error),
        )
        if (answer instanceof ReadModelLagging) return reply.code(202).send(answer.stored)
        reply.code(call.status ?? (call.answer ? 200 : 204))
        if (answer instanceof Readable && call.file)
          return reply.header('content-disposition', `attachment; filename="${call.file.name}"`).type(call.file.mediaType).send(answer)
        if (answer instanceof Readable) return reply.type('application/json; charset=utf-8').send(answer)
        return typeof answer === 'string' ? reply.type('application/json').send(JSON.stringify(answer)) : reply.send(answer)
      },
    })
  }
}

const done = { type: 'null', description: 'Done.' }
export const responses = ({ answer, status, eventuallyConsistent }: Call): object => ({
  [status ?? (answer ? 200 : 204)]: answer ?? done,
  ...(eventuallyConsistent && { 202: AcceptedResponse }),
})

function without(given: unknown, names: string[] = []): unknown {
  if (names.length === 0 || typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

/** `tags=1&tags=2`, or one value alone, means the same list as `tags=[1,2]`. */
function asText(query: Record<string, unknown>, name: string): void {
  const given = query[name]
  const items = Array.isArray(given) ? given : typeof given === 'string' && /^\w+$/.test(given) ? [given] : null
  if (items) query[name] = `[${items.map((one) => (/^\d+$/.test(one) ? one : JSON.stringify(one)))}]`
}

function wire(request: FastifyRequest, reply: FastifyReply): HttpExchange {
  /**
   * The `__Host-` prefix stops other hosts of the domain and plain HTTP pages from setting this cookie. It
   * requires path `/`.
   */
  const secure = request.protocol === 'https'
  const kept = { path: secure ? '/' : `${base}/auth`, httpOnly: true, sameSite: 'lax' as const, secure }
  const named = (name: string) => (secure ? `__Host-${name}` : name)
  return {
    ip: request.ip,
    sessionId: request.sessionId,
    userAgent: request.headers['user-agent'],
    cookie: (name) => request.cookies[named(name)],
    setCookie: (name, value, maxAge) => void reply.setCookie(named(name), value, { ...kept, ...(maxAge !== null && { maxAge }) }),
    clearCookie: (name) => void reply.clearCookie(named(name), kept),
    header: (name, value) => void reply.header(name, value),
  }
}

function paramsSchema(path: string): object {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const kind = (name: string) => {
    if (/^(id|\w+Id)$/.test(name)) return { type: 'integer', minimum: 1, maximum: 2147483647 }
    return name === 'uuid' ? { type: 'string', format: 'uuid' } : { type: 'string', maxLength: 200, format: 'wellformed' }
  }
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, kind(name)])), required: names }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks a connection as signed in, so that it no longer counts as anonymous. */
    known: (socket: Socket) => void
    /** Counts an anonymous request by address, and refuses it beyond the limit. */
    limitStranger: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
  interface FastifyRequest {
    viewer: Viewer | null
    sessionId: string | null
    /** The caller's company's language; empty for an anonymous caller. */
    language: string
    uploads: Upload[]
    commandId: string
  }
  interface FastifyContextConfig {
    call?: Call
    first?: Asked
  }
}

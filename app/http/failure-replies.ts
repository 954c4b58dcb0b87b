import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#domain/errors.ts'
import { closeWithError } from './connections.ts'
import { refusalFor, refusalText } from './error-handler.ts'
import { bearer } from './request-headers.ts'
import { bodies } from './serve.ts'

/** Answers failed requests with the error of the catalogue, and logs those that are our fault. */
export function answerFailures(server: FastifyInstance): void {
  server.setErrorHandler((error: Error & { code?: string; statusCode?: number; validation?: unknown[] }, request, reply) => {
    const refusal = isAborted(request) ? new Refusal('ERR_INVALID_INPUT') : refusalFor(error, request.routeOptions.config.call)
    logFailure(request, refusal, error)
    discardBody(request, isStale(server, request) ? bodies.stale : bodies.usual)
    return sendRefusal(request, reply, refusal)
  })
  server.setNotFoundHandler((request, reply) => {
    discardBody(request, bodies.usual)
    return sendRefusal(request, reply, new Refusal('ERR_NOT_FOUND'))
  })
}

function logFailure({ log, routeOptions, method }: FastifyRequest, { code, status }: Refusal, error: Error): void {
  const of = { err: error, route: routeOptions.url, method }
  if (code === 'ERR_BUSY') log.warn(of, 'Request timed out waiting for a database lock')
  else if (code === 'ERR_DISK_FULL') log.warn({ ...of, err: undefined }, 'File refused; the disk is full')
  else if (code === 'ERR_UNAVAILABLE')
    // the store monitor logs the error itself
    log.warn({ ...of, err: undefined, why: error.message }, 'Request failed; a store is unavailable')
  else if (status >= 500) log.error(of, 'Request failed')
}

export const sendRefusal = ({ headers, language }: FastifyRequest, reply: FastifyReply, { which, status, code, detail }: Refusal) =>
  reply.code(status).send({ ...detail, error: code, message: refusalText(which, headers['accept-language'], language, detail) })

/** Malformed, oversized or slow input never becomes a request. */
export function onClientError({ code = '' }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET') socket.destroy()
  else if (code === 'HPE_HEADER_OVERFLOW') closeWithError(socket, 431, 'ERR_TOO_LARGE')
  else if (code.endsWith('REQUEST_TIMEOUT')) closeWithError(socket, 408, 'ERR_TOO_SLOW')
  else closeWithError(socket, 400, 'ERR_INVALID_INPUT')
}

/**
 * Discards the rest of a refused body, so that the sender can read the response. Beyond `most` bytes the
 * connection is closed.
 */
function discardBody({ raw }: FastifyRequest, most: number): void {
  if (raw.complete || raw.readableDidRead) return
  let discarded = 0
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > most) raw.socket.destroy()
  })
}

/** A caller who disconnects during a request is not a server error. */
const isAborted = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/**
 * Returns whether the token is valid but expired. The client repeats the request with a new token after the
 * response.
 */
function isStale(server: FastifyInstance, { headers }: FastifyRequest): boolean {
  const token = bearer(headers.authorization)
  if (!token) return false
  try {
    return Boolean(server.jwt.verify(token, { ignoreExpiration: true }))
  } catch {
    return false
  }
}

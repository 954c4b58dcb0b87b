import type { Server } from 'node:http'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '#domain/errors.ts'
import { ConfigError } from '../config.ts'
import { refusalText } from './error-handler.ts'
import { isOperator } from './operator-access.ts'
import { base } from './serve.ts'

type Of = { host: string; port: number; metricsToken: string | null; logger: Logger }
/** The phases of a start, in order. */
export type StartupPhase = 'stores' | 'migrations' | 'log' | 'demo' | 'roles'

/** The other process may end, so the next start may succeed. */
export const portInUse = (host: string, port: number): ConfigError =>
  new ConfigError([`PORT: ${port} on ${host} is in use by another process`], { isTemporary: true })

/**
 * Answers while the app context is created: `/api/health` reports a live process, `/api/ready` reports not
 * ready. An operator also sees the current phase. Any other call is refused with `retry-after`.
 */
export async function openStartupServer({ host, port, metricsToken, logger }: Of) {
  const server = Fastify({ loggerInstance: logger, logController: new LogController({ disableRequestLogging: true }), keepAliveTimeout: 1 })
  let phase: StartupPhase = 'stores'
  let isHandedOver = false
  server.addHook('onRequest', async (_, reply) => void reply.header('connection', 'close').header('cache-control', 'no-store'))
  server.get(`${base}/health`, async () => ({ alive: true }))
  server.get(`${base}/ready`, async (request, reply) =>
    reply.code(503).send({ ready: false, ...(isOperator(request as never, metricsToken) && { waits: phase }) }),
  )
  server.setNotFoundHandler((request, reply) => {
    const message = refusalText('ERR_UNAVAILABLE', request.headers['accept-language'])
    return reply
      .code(503)
      .header('retry-after', 1)
      .send({ error: 'ERR_UNAVAILABLE' satisfies ErrorCode, message })
  })
  await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw portInUse(host, port)
  })
  return {
    waitsFor: (what: StartupPhase) => {
      phase = what
    },
    /** Passes the listening socket to the real server, so that no connection is refused in between. */
    async handOver(to: FastifyInstance): Promise<void> {
      await to.ready()
      isHandedOver = true
      await new Promise<void>((resolve, reject) => {
        const target: Server = to.server
        target.once('error', reject)
        target.listen(server.server, () => {
          target.off('error', reject)
          resolve()
        })
      })
    },
    /** After the handover the socket belongs to the real server. */
    close: async () => void (isHandedOver || (await server.close())),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import formBody from '@fastify/multipart'
import Fastify, { type FastifyRequest } from 'fastify'
import { login } from './login.ts'
import { mediaHost } from './media.ts'
import { messenger } from './messenger.ts'
import { whatsapp } from './whatsapp.ts'
import { appSecret, type Called, type Fault, No, openWorld } from './world.ts'

export type Meta = Awaited<ReturnType<typeof startMeta>>

/** The planned fault of this call. Typing and read calls come by themselves and use up none. */
function meets(faults: Fault[], { method, path, body }: Called): Fault | undefined {
  if (['typing_on', 'mark_seen'].includes(body?.sender_action)) return undefined
  const at = faults.findIndex(({ on = '', method: only = method }) => path.includes(on) && only === method)
  const fault = faults[at]
  if (!fault) return undefined
  fault.times = (fault.times ?? 1) - 1
  if (fault.times === 0) faults.splice(at, 1)
  return fault
}

/**
 * A Graph API double with webhooks for Messenger, Instagram and the WhatsApp Cloud API: an HTTP server on this
 * machine.
 */
export async function startMeta() {
  const world = openWorld()
  const media = mediaHost(world)
  const parts = [whatsapp(world, media), messenger(world, media), login(world), media]
  const server = Fastify({ bodyLimit: 100 * 1024 * 1024, forceCloseConnections: true })
  await server.register(formBody, { attachFieldsToBody: 'keyValues', limits: { fileSize: 100 * 1024 * 1024, fieldSize: 1e6 } })

  server.all('/*', async (request, reply) => {
    const called = calledBy(request)
    world.calls.push(called)
    const fault = meets(world.faults, called)
    if (fault?.untold) called.untold = true
    if (fault?.delayMs) await sleep(fault.delayMs)
    if (fault?.headers) reply.headers(fault.headers)
    try {
      if (fault?.lost === 'all') return void request.raw.socket.destroy()
      if (fault?.code !== undefined) throw new No(fault.code, fault.subcode, fault.status)
      for (const part of parts) {
        const answer = await part.answer(called, reply)
        if (answer === undefined) continue
        if (fault?.lateMs) await sleep(fault.lateMs)
        if (fault?.lost === 'answer') return void request.raw.socket.destroy()
        return reply.send(answer)
      }
      throw new No(100, 33, 400, 'Unsupported request: no such object')
    } catch (error) {
      if (!(error instanceof No)) throw error
      const { code, subcode, message, status } = error
      const details = { message, type: 'OAuthException', code, ...(subcode && { error_subcode: subcode }), fbtrace_id: world.newId('A') }
      return reply.code(status).send({ error: details })
    }
  })

  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = server.listeningOrigin
  media.at(url)
  const [cloud, page] = parts as [ReturnType<typeof whatsapp>, ReturnType<typeof messenger>, ...unknown[]]
  return {
    ...{ world, url, hooks: world.hooks, whatsapp: cloud.phone, ...page.sides, media },
    /**
     * Subscribes the app to events of pages and Instagram accounts. Returns whether the app verified its
     * addresses.
     */
    async tells(at: string, verifyToken: string): Promise<boolean> {
      const hook = (object: string, channel: string) =>
        world.hooks.subscribe({ object, url: `${at}/api/webhooks/${channel}`, secret: appSecret, verifyToken })
      return (await hook('page', 'facebook')) && (await hook('instagram', 'instagram'))
    },
    async stop(): Promise<void> {
      world.hooks.stop()
      await server.close()
    },
  }
}

/** `/v25.0/me/accounts` → `me/accounts`; the version is ignored. */
function calledBy(request: FastifyRequest): Called {
  const { pathname, searchParams } = new URL(request.url, 'http://double')
  const query = Object.fromEntries(searchParams)
  const [, bearer] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const path = pathname.replace(/^\/v\d+\.\d+\//, '').replace(/^\//, '')
  return { method: request.method, path, query, body: request.body ?? {}, token: bearer ?? query.access_token ?? null }
}

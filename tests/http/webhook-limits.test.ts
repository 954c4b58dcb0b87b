import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { refusalText } from '#app/http/error-handler.ts'
import { webhookLimits } from '#app/http/webhooks.ts'
import { Refusal } from '#domain/errors.ts'

/** Two webhook endpoints. A call with `good` is accepted. */
function doors(most = { burst: 5, perSecond: 1, wrongPerMinute: 3 }) {
  const limits = webhookLimits(most)
  const server = Fastify({ trustProxy: true })
  server.addHook('onRequest', async (request, reply) => {
    if (limits.isWebhook(request)) limits.before(request, reply)
  })
  server.addHook('onResponse', async (request, reply) => limits.after(request, reply, () => undefined))
  server.setErrorHandler((error, _, reply) => reply.code(error instanceof Refusal ? error.status : 500).send(refusalText))
  server.post('/api/webhooks/:channel', async (request, reply) => {
    const { channel } = request.params as { channel: string }
    const good = channel === 'instagram' || (request.query as { good?: string }).good
    return reply.code(good ? 200 : 403).send()
  })
  return async (n: number, url: string, ip = '1.2.3.4') => {
    const codes: number[] = []
    for (let i = 0; i < n; i++)
      codes.push((await server.inject({ method: 'POST', url: `/api/webhooks/${url}`, headers: { 'x-forwarded-for': ip } })).statusCode)
    return codes
  }
}

it('accepts a burst, and limits a flood per endpoint and address only', async () => {
  const call = doors()
  expect(await call(5, 'instagram')).toEqual([200, 200, 200, 200, 200])
  expect(await call(1, 'instagram')).toEqual([429])
  expect(await call(1, 'instagram', '5.6.7.8')).toEqual([200])
  expect(await call(2, 'facebook?good=1')).toEqual([200, 200])
})

it('limits repeated wrong calls to one endpoint only', async () => {
  const call = doors({ burst: 100, perSecond: 100, wrongPerMinute: 3 })
  expect(await call(5, 'facebook')).toEqual([403, 403, 403, 429, 429])
  expect(await call(1, 'facebook?good=1', '5.6.7.8')).toEqual([200])
  expect(await call(1, 'instagram')).toEqual([200])
})

it('counts an endpoint under every spelling of its path', async () => {
  const call = doors({ burst: 100, perSecond: 100, wrongPerMinute: 3 })
  const codes: number[] = []
  for (const spelling of ['facebook', '%66acebook', 'f%61cebook', 'facebook?a=1', 'fac%65book']) codes.push(...(await call(1, spelling)))
  expect(codes).toEqual([403, 403, 403, 429, 429])
})

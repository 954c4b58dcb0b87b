import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import { base } from '../http/serve.ts'
import { bounded, type NewJournalEntry, recordInbound } from '../inbound/inbound-journal.ts'
import { unread } from '../inbound/unparsed-payloads.ts'
import { webhookEvents } from '../observability/metrics.ts'
import type { Account, Product } from './accounts.ts'
import { openSends } from './echoes.ts'
import { type Json, list, object, text } from './json.ts'
import type { InboundEntry } from './parse-cloud-change.ts'
import { parseWebhookEvent } from './parse-webhook-event.ts'
import { productByChannel, productByWebhookObject } from './products.ts'
import { limitBodyMemory, limitUnknownPaths } from './webhook-limits.ts'

/** Meta sends at most 3 MB; a larger body is not from Meta. */
const mostBytes = 4 * 1024 * 1024

type Deps = Pick<
  AppContext,
  'db' | 'caches' | 'wakeWorker' | 'meta' | 'messageIds' | 'config' | 'logger' | 'clock' | 'waitForProjection' | 'readHeadPosition'
>
type Asked = FastifyRequest<{ Params: { channel: string; token?: string }; Querystring: Record<string, string>; Body: Buffer | undefined }>
/** The receiver of a webhook URL: the platform's app for all companies, or one connection's own app. */
type Caller = { secret: string | null; verifyToken: string | null; own: Account | null }

/**
 * Mounts the webhooks. Meta calls once to verify the URL, and then with events. A call is answered after its
 * events are recorded, because Meta repeats unanswered calls. The anonymous limit does not apply, because the
 * signature identifies the caller. A caller without a possible signature is refused before the body is read.
 */
export function mountWebhooks(server: FastifyInstance, deps: Deps): void {
  void server.register(async (scope) => {
    const { db } = deps
    const hooks = async () => (await db.selectFrom('metaAccount').select('hook').execute()).map(({ hook }) => hook)
    const callers = new WeakMap<FastifyRequest, Caller>()
    const reserveMemory = limitBodyMemory(mostBytes)
    scope.addHook('onRequest', limitUnknownPaths(productByChannel, hooks))
    scope.addHook('onRequest', async (request, reply) => {
      const caller = await callerOf(request as Asked, deps)
      callers.set(request, caller)
      if (request.method !== 'POST') return
      if (!caller.secret || !isSignature(request.headers['x-hub-signature-256'])) refuse('ERR_WEBHOOK_SIGNATURE')
      reserveMemory(request, reply)
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) => done(null, body))
    for (const path of ['/webhooks/:channel', '/webhooks/:channel/:token'])
      scope
        .get(base + path, { schema: { hide: true } }, async (request: Asked, reply) => {
          const { verifyToken, own } = callers.get(request)!
          const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = request.query
          if (mode !== 'subscribe' || !verifyToken || !same(token, verifyToken)) refuse('ERR_NO_PERMISSION')
          if (own) await deps.meta.hookProven(db, own, deps.clock.iso())
          return reply.type('text/plain').send(String(challenge).slice(0, 200))
        })
        .post(base + path, { schema: { hide: true }, bodyLimit: mostBytes }, async (request: Asked, reply) => {
          const caller = callers.get(request)!
          const body = request.body ?? Buffer.alloc(0)
          if (!caller.secret || !signed(body, caller.secret, request.headers['x-hub-signature-256'])) refuse('ERR_WEBHOOK_SIGNATURE')
          await recordEnvelope(envelopeOf(body), request.params.channel, caller, deps)
          return reply.code(200).send({})
        })
  })
}

async function callerOf({ params: { channel, token } }: Asked, { db, meta, config }: Deps): Promise<Caller> {
  const product = productByChannel.get(channel) ?? refuse('ERR_NOT_FOUND')
  if (token === undefined) return { secret: config.meta.appSecret, verifyToken: config.meta.verifyToken, own: null }
  const own = await meta.byHook(db, token)
  return own?.product === product ? { secret: own.appSecret, verifyToken: own.verifyToken, own } : refuse('ERR_NOT_FOUND')
}

const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
const isSignature = (header: unknown): boolean => typeof header === 'string' && /^sha256=[\da-f]{64}$/.test(header)
/** Checks the signature over the raw bytes, because re-serialised JSON would differ. */
export const signed = (body: Buffer, secret: string, header: unknown): boolean =>
  typeof header === 'string' && same(header, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)

function envelopeOf(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && Array.isArray((value as Json).entry)) return value as Json
  } catch {}
  return refuse('ERR_INVALID_INPUT')
}

/** Records all events of an envelope in one transaction, because Meta repeats it as a whole. */
async function recordEnvelope(envelope: Json, channel: string, { own }: Caller, deps: Deps): Promise<void> {
  const { db, meta, logger } = deps
  const product = productByWebhookObject.get(text(envelope.object))
  const count = (outcome: string, n = 1) => webhookEvents.inc({ channel, outcome }, n)
  if (!product || product !== productByChannel.get(channel)) return count('unknown')
  const entries: NewJournalEntry[] = []
  for (const [accountId, event] of splitByAccount(product, list(envelope.entry))) {
    const account: Account | null = own ?? (await meta.byAccount(db, product, accountId))
    if (account?.accountId !== accountId || account.product !== product) {
      count('unknown account')
      continue
    }
    await meta.hookProven(db, account, deps.clock.iso())
    const { companyId, connectionId } = account
    try {
      const payload = await withoutKnownAnswers(db, connectionId, await parseWebhookEvent(event, account, deps))
      if (payload.length === 0) count('nothing to hear')
      entries.push(...payload.map((one) => ({ companyId, connectionId, ...one })))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error // a store is unavailable, so Meta repeats the call
      logger.warn({ err: error, channel, connectionId }, 'Webhook event could not be parsed; stored as received')
      count('not understood')
      entries.push({ companyId, connectionId, ...unread(event) })
    }
  }
  const fit = bounded(entries, logger)
  if (fit.length < entries.length) count('not understood', entries.length - fit.length)
  const fresh = await recordInbound(db, fit)
  count('taken', fresh.size)
  for (const id of new Set(entries.map(({ connectionId }) => connectionId))) deps.wakeWorker(id)
}

/** Drops "accepted" events of messages whose answer has already arrived. */
async function withoutKnownAnswers(db: Deps['db'], connectionId: number, all: InboundEntry[]): Promise<InboundEntry[]> {
  const ids = all.flatMap(({ payload }) => (payload.type === 'accepted' ? payload.externalIds : []))
  if (ids.length === 0) return all
  const open = await openSends(db, connectionId).where(sql<boolean>`external_id = any(${ids}::text[])`).select('externalId').execute()
  const asked = new Set(open.map(({ externalId }) => externalId))
  return all.filter(({ payload }) => payload.type !== 'accepted' || payload.externalIds.some((id) => asked.has(id)))
}

/** Splits an envelope by account: for WhatsApp into changes, otherwise into events. */
function splitByAccount(product: Product, entries: Json[]): [accountId: string, event: Json][] {
  if (product === 'whatsapp')
    return entries.flatMap(({ changes }) =>
      list(changes).map(({ value }): [string, Json] => [text(object(object(value).metadata).phone_number_id), object(value)]),
    )
  return entries.flatMap(({ id, messaging, standby }) =>
    [...list(messaging), ...list(standby)].map((event): [string, Json] => [text(id), event]),
  )
}

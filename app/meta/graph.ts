import { createHmac } from 'node:crypto'
import { minuteMs } from '#domain/duration/rules.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { uploadMs } from '../outbound/limits.ts'
import { type Fault, faultOf, type Outcome } from './faults.ts'

/** The credentials of a call. With the app secret, Graph can verify that the token was not stolen. */
export type Access = { token: string; appSecret?: string | null }
/**
 * `signal`: aborts the call. `goesOn`: continues an operation already begun, so it is sent although the
 * account is paused.
 */
type RequestOptions = { query?: Record<string, string>; json?: object; form?: FormData; signal?: AbortSignal; goesOn?: boolean }
export type Until = Pick<RequestOptions, 'signal' | 'goesOn'>
export type Graph = ReturnType<typeof createGraphClient>

/** Graph refused or did not answer. The message leaves out Graph's text, because that may quote the request. */
export class GraphApiError extends Error {
  readonly outcome: Outcome
  readonly code: ErrorCode
  /** Milliseconds until a retry, if Graph said so. */
  readonly afterMs: number | undefined
  /** The secret does not belong to the token’s app. */
  readonly ofSecret: boolean
  constructor({ outcome, code, afterMs }: Fault, detail: string, ofSecret = false) {
    super(`Graph: ${detail}`)
    this.ofSecret = ofSecret
    this.outcome = outcome
    this.code = code
    this.afterMs = afterMs
  }
}

/** Error codes which prove that nothing was sent. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
const usualTimeoutMs = 15_000
/** Percent of the hourly limit of an app or account; above it, calls pause. */
const pauseAtPercent = 95
const pauseMs = minuteMs

/** The only client of Meta’s Graph API. It knows no product: paths in, JSON out, faults by their meaning. */
export function createGraphClient({
  url,
  version,
  timeoutMs = usualTimeoutMs,
  now = Date.now,
}: {
  url: string
  version: string
  timeoutMs?: number | undefined
  now?: () => number
}) {
  /** When the pause of an account or app ends. */
  const pausedUntil = new Map<string, number>()

  function pauseOf(name: string, ms: number): void {
    if (ms > 0) pausedUntil.set(name, Math.max(pausedUntil.get(name) ?? 0, now() + ms))
  }
  function heed(headers: Headers, by: string): void {
    const app = parsed(headers.get('x-app-usage'))
    if (app && mostOf(app) >= pauseAtPercent) pauseOf(by, pauseMs)
    for (const [account, uses] of Object.entries(parsed(headers.get('x-business-use-case-usage')) ?? {}))
      for (const use of Array.isArray(uses) ? uses : []) {
        const minutes = Number(use.estimated_time_to_regain_access) || 0
        pauseOf(account, minutes > 0 ? minutes * minuteMs : mostOf(use) >= pauseAtPercent ? pauseMs : 0)
      }
  }
  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { token, appSecret }: Access,
    options: RequestOptions = {},
  ): Promise<any> {
    const [account = ''] = path.split('/')
    const by = `app ${appSecret ?? token}` // if the app is unknown, its token identifies it
    const until = Math.max(pausedUntil.get(by) ?? 0, pausedUntil.get(account) ?? 0)
    if (until > now() && !options.goesOn) throw new GraphApiError({ ...faultOf(4), afterMs: until - now() }, 'resting')
    const at = new URL(`${url}/${version}/${path}`)
    for (const [name, value] of Object.entries(options.query ?? {})) at.searchParams.set(name, value)
    if (appSecret && token) at.searchParams.set('appsecret_proof', createHmac('sha256', appSecret).update(token).digest('hex'))
    // an aborted multipart stream throws an uncatchable error in fetch, so the form is read first
    const file = options.form && (await new Response(options.form).blob())
    const body = file ?? (options.json && JSON.stringify(options.json))
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(options.json && { 'content-type': 'application/json' }) }
    const late = AbortSignal.timeout(timeoutMs + uploadMs(file?.size ?? 0))
    const signal = options.signal ? AbortSignal.any([late, options.signal]) : late
    const answer = await fetch(at, { method, headers, ...(body && { body }), redirect: 'error', signal }).catch((error: unknown) => {
      const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
      const outcome = unsent.has(code) ? 'later' : 'unknown'
      throw new GraphApiError({ outcome, code: 'ERR_CHANNEL_AWAY' }, code || (error as Error).name)
    })
    heed(answer.headers, by)
    const text = await answer.text().catch(() => '')
    const reply = parsed(text)
    if (answer.ok && reply && !reply.error) return reply
    const {
      code = 0,
      error_subcode: subcode,
      message,
    } = (reply?.error ?? {}) as { code?: number; error_subcode?: number; message?: unknown }
    if (answer.ok || !reply?.error) throw new GraphApiError({ outcome: 'unknown', code: 'ERR_CHANNEL_AWAY' }, `status ${answer.status}`)
    const ofSecret = code === 100 && String(message).includes('appsecret_proof') // this case has no code of its own
    throw new GraphApiError(faultOf(code, subcode, answer.status), `error ${code}/${subcode ?? ''}`, ofSecret)
  }
  return { call, origin: new URL(url).origin }
}

function parsed(text: string | null): Record<string, any> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
const mostOf = (use: Record<string, unknown>) =>
  Math.max(...['call_count', 'total_time', 'total_cputime'].map((name) => Number(use[name]) || 0))

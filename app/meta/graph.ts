import { createHmac } from 'node:crypto'
import type { ErrorCode } from '#domain/errors.ts'
import { uploadMs } from '../outbound/limits.ts'
import { type Fault, faultOf, type Outcome } from './faults.ts'

/** Who asks: a token, and the secret of its app where that is known, by which Graph knows that the token was not stolen. */
export type Access = { token: string; appSecret?: string | null }
/** `signal`: nobody waits for it any more. `goesOn`: it is the rest of what was begun, and is asked for though the account rests. */
type Asked = { query?: Record<string, string>; json?: object; form?: FormData; signal?: AbortSignal; goesOn?: boolean }
export type Until = Pick<Asked, 'signal' | 'goesOn'>
export type Graph = ReturnType<typeof graphAt>

/** Graph said no, or said nothing. Its own words stay out of it: they may quote what was asked. */
export class GraphFault extends Error {
  readonly outcome: Outcome
  readonly code: ErrorCode
  /** Milliseconds until it is worth asking again, where somebody said so. */
  readonly afterMs: number | undefined
  /** The secret is not that of the token’s app. */
  readonly ofSecret: boolean
  constructor({ outcome, code, afterMs }: Fault, detail: string, ofSecret = false) {
    super(`Graph: ${detail}`)
    this.ofSecret = ofSecret
    this.outcome = outcome
    this.code = code
    this.afterMs = afterMs
  }
}

/** What says that nothing was sent yet. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
const usualTimeoutMs = 15_000
/** Per cent of what an app or an account may use in an hour: from here on it rests. */
const nearlyAll = 95
const restMs = 60_000

/** The one way to Meta’s Graph API. It knows no product: paths in, JSON out, faults by what they mean. */
export function graphAt({
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
  /** Until when an account rests, or an app with all that is asked by it. */
  const resting = new Map<string, number>()

  function rests(name: string, ms: number): void {
    if (ms > 0) resting.set(name, Math.max(resting.get(name) ?? 0, now() + ms))
  }
  function heed(headers: Headers, by: string): void {
    const app = parsed(headers.get('x-app-usage'))
    if (app && mostOf(app) >= nearlyAll) rests(by, restMs)
    for (const [account, uses] of Object.entries(parsed(headers.get('x-business-use-case-usage')) ?? {}))
      for (const use of Array.isArray(uses) ? uses : []) {
        const minutes = Number(use.estimated_time_to_regain_access) || 0
        rests(account, minutes > 0 ? minutes * 60_000 : mostOf(use) >= nearlyAll ? restMs : 0)
      }
  }
  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, { token, appSecret }: Access, asked: Asked = {}): Promise<any> {
    const [account = ''] = path.split('/')
    const by = `app ${appSecret ?? token}` // where nobody knows the app, its token stands for it
    const until = Math.max(resting.get(by) ?? 0, resting.get(account) ?? 0)
    if (until > now() && !asked.goesOn) throw new GraphFault({ ...faultOf(4), afterMs: until - now() }, 'resting')
    const at = new URL(`${url}/${version}/${path}`)
    for (const [name, value] of Object.entries(asked.query ?? {})) at.searchParams.set(name, value)
    if (appSecret && token) at.searchParams.set('appsecret_proof', createHmac('sha256', appSecret).update(token).digest('hex'))
    const file = asked.form && (await new Response(asked.form).blob()) // a form as it is, given up on its way, breaks in fetch where nobody can catch it
    const body = file ?? (asked.json && JSON.stringify(asked.json))
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(asked.json && { 'content-type': 'application/json' }) }
    const late = AbortSignal.timeout(timeoutMs + uploadMs(file?.size ?? 0))
    const signal = asked.signal ? AbortSignal.any([late, asked.signal]) : late
    const answer = await fetch(at, { method, headers, ...(body && { body }), redirect: 'error', signal }).catch((error: unknown) => {
      const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
      const outcome = unsent.has(code) ? 'later' : 'unknown'
      throw new GraphFault({ outcome, code: 'ERR_CHANNEL_AWAY' }, code || (error as Error).name)
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
    if (answer.ok || !reply?.error) throw new GraphFault({ outcome: 'unknown', code: 'ERR_CHANNEL_AWAY' }, `status ${answer.status}`)
    const ofSecret = code === 100 && String(message).includes('appsecret_proof') // no code of its own tells it
    throw new GraphFault(faultOf(code, subcode, answer.status), `error ${code}/${subcode ?? ''}`, ofSecret)
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

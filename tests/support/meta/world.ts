import { createHmac, randomBytes } from 'node:crypto'
import { type Deliveries, deliveries } from './webhooks.ts'

export const appId = '5550001'
export const appSecret = 'the-secret-of-the-app'
export const hour = 3_600_000
/** The app's own token, for queries about itself. */
const appToken = `${appId}|${appSecret}`

export type Product = 'whatsapp' | 'page' | 'instagram'
/** A phone number of a WhatsApp business, a page, or an Instagram account. */
export type Account = {
  product: Product
  id: string
  name: string
  /** WhatsApp: the displayed number, and the business account it belongs to. */
  number?: string
  business?: string
  /** WhatsApp: the number is not registered with the Cloud API and cannot send. */
  unregistered?: boolean
  /** WhatsApp: the PIN of its two-step verification, if it has one. */
  pin?: string
  /** Instagram: the linked page, whose token sends. */
  page?: string
}
export type Person = { id: string; name: string; phone?: string; picture?: string; unknown?: boolean; away?: boolean }
/** A message that reached a person, in its current state. */
export type Arrived = {
  id: string
  account: string
  to: string
  type: string
  body: string
  content: Record<string, any>
  at: number
  quoted: string | null
  reaction: string | null
  tag: string | null
}
/** `secret`: of the app that got the token. */
type Token = { token: string; of: string; app: string; secret: string; expiresAt: number | null; dead?: number; scopes: string[] }
/**
 * The fault of the next calls. `on`: part of the path. `lost`: no answer comes; with `answer` the call still takes
 * effect. `delayMs`: takes effect late. `lateMs`: takes effect at once and is answered late. `untold`: no webhook
 * reports what it sent.
 */
export type Fault = {
  on?: string
  method?: string
  code?: number
  subcode?: number
  status?: number
  headers?: Record<string, string>
  lost?: 'answer' | 'all'
  delayMs?: number
  lateMs?: number
  untold?: boolean
  times?: number
}
export type Called = { method: string; path: string; query: Record<string, string>; body: any; token: string | null; untold?: boolean }

/** An error as Graph answers it. */
export class No extends Error {
  readonly code: number
  readonly subcode: number | undefined
  readonly status: number
  constructor(code: number, subcode?: number, status = 400, message = `(#${code}) said the double`) {
    super(message)
    this.code = code
    this.subcode = subcode
    this.status = status
  }
}

export type World = ReturnType<typeof openWorld>
/**
 * The state of the double: its clock, accounts, tokens, who wrote to whom and when, and the faults of the next
 * calls.
 */
export function openWorld() {
  const accounts = new Map<string, Account>()
  const people = new Map<string, Person>()
  const tokens = new Map<string, Token>()
  const heard = new Map<string, number>()
  const arrived: Arrived[] = []
  const faults: Fault[] = []
  const calls: Called[] = []
  const hooks: Deliveries = deliveries()
  /** Pages and businesses that the app subscribed to, each with its fields. */
  const subscribed = new Map<string, string[]>()
  let ahead = 0
  let counted = 0
  const now = () => Date.now() + ahead

  return {
    ...{ accounts, people, tokens, heard, arrived, faults, calls, hooks, subscribed },
    /** A permission of the app: a person may answer through it for seven days. */
    humanAgent: true,
    /** If set, each send is echoed before its answer, and answered when this promise resolves. */
    echoesFirst: null as (() => Promise<unknown>) | null,
    /**
     * Conversations that another app of the page owns, by account and person. `mayTake`: whether the app may take
     * them.
     */
    elsewhere: new Set<string>(),
    mayTake: true,
    /** How often an account exceeded its rate limit. */
    limited: 0,
    now,
    advance: (ms: number) => {
      ahead += ms
    },
    newId: (prefix: string) => `${prefix}${randomBytes(9).toString('base64url')}${++counted}`,
    grant(of: string, scopes: string[], lastsMs: number | null = null, secret = appSecret): string {
      const token = `EAA${randomBytes(24).toString('base64url')}`
      tokens.set(token, { token, of, app: appId, secret, expiresAt: lastsMs === null ? null : now() + lastsMs, scopes })
      return token
    },
    /** Returns the token's data, or throws Graph's error. */
    bearer(token: string | null, proof: string | undefined): Token {
      const found =
        token === appToken ? { token, of: 'app', app: appId, secret: appSecret, expiresAt: null, scopes: [] } : tokens.get(token ?? '')
      if (!found) throw new No(190, undefined, 401, 'Invalid OAuth access token.')
      if (found.dead) throw new No(190, found.dead, 401, 'Error validating access token.')
      if (found.expiresAt !== null && found.expiresAt < now()) throw new No(190, 463, 401, 'Session has expired.')
      if (proof !== undefined && proof !== createHmac('sha256', found.secret).update(found.token).digest('hex'))
        throw new No(100, undefined, 400, 'Invalid appsecret_proof provided in the API argument')
      return found
    },
    /** The person wrote to the account. That opens the window for answers: a day, or a week for a human agent. */
    wrote: (account: string, person: string) => void heard.set(`${account}/${person}`, now()),
    sinceHeard: (account: string, person: string) => now() - (heard.get(`${account}/${person}`) ?? 0),
    reached: (to: string) => arrived.filter((one) => one.to === to),
  }
}

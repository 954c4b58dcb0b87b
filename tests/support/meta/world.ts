import { createHmac, randomBytes } from 'node:crypto'
import { type Deliveries, deliveries } from './webhooks.ts'

export const appId = '5550001'
export const appSecret = 'the-secret-of-the-app'
export const hour = 3_600_000
/** The app's own, by which it asks about itself. */
const appToken = `${appId}|${appSecret}`

export type Product = 'whatsapp' | 'page' | 'instagram'
/** A phone number of a WhatsApp business, a page, or an Instagram account. */
export type Account = {
  product: Product
  id: string
  name: string
  /** Of WhatsApp: the number as people read it, and the business account it belongs to. */
  number?: string
  business?: string
  /** Of WhatsApp: nobody registered it with the Cloud API, so that it says nothing. */
  unregistered?: boolean
  /** Of its two-step verification, where it has one. */
  pin?: string
  /** Of Instagram: the page it is linked to, whose token it is written by. */
  page?: string
}
export type Person = { id: string; name: string; phone?: string; picture?: string; unknown?: boolean; away?: boolean }
/** What reached somebody, as it stands there by now. */
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
/** `secret`: of the app it was given to. */
type Token = { token: string; of: string; app: string; secret: string; expiresAt: number | null; dead?: number; scopes: string[] }
/**
 * What the next calls meet, by an error or otherwise: `on` is a part of the path; `lost`: no answer comes, and with `answer` it is done all the
 * same; `delayMs`: it is done so late; `lateMs`: it is done at once and answered so late; `untold`: nothing is told of what it sent.
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

/** Graph’s own way to say no. */
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
/** All that the double knows: its clock, who has an account and a token, who wrote to whom and when, and what the next calls meet. */
export function openWorld() {
  const accounts = new Map<string, Account>()
  const people = new Map<string, Person>()
  const tokens = new Map<string, Token>()
  const heard = new Map<string, number>()
  const arrived: Arrived[] = []
  const faults: Fault[] = []
  const calls: Called[] = []
  const hooks: Deliveries = deliveries()
  /** Pages and businesses that our app asked to be told of, each with its fields. */
  const subscribed = new Map<string, string[]>()
  let ahead = 0
  let counted = 0
  const now = () => Date.now() + ahead

  return {
    ...{ accounts, people, tokens, heard, arrived, faults, calls, hooks, subscribed },
    /** A switch of the app: it may answer by a person for seven days. */
    humanAgent: true,
    /** Each send is told of before it is answered, and answered when this is over. */
    echoesFirst: null as (() => Promise<unknown>) | null,
    /** Conversations that another app of the page has, by account and person; whether ours may take them. */
    elsewhere: new Set<string>(),
    mayTake: true,
    /** How often an account said more at once than it may. */
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
    /** Whose token it is, or the no that one gets. */
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
    /** The person wrote to the account: from then on a day, and for a person’s answer a week, is open. */
    wrote: (account: string, person: string) => void heard.set(`${account}/${person}`, now()),
    sinceHeard: (account: string, person: string) => now() - (heard.get(`${account}/${person}`) ?? 0),
    reached: (to: string) => arrived.filter((one) => one.to === to),
  }
}

import { anyone } from '#domain/access.ts'
import type { AcceptedResponse, Answer, Ask, Call, Calls } from '#domain/contract.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { arrivedFilesField, wholeBytes } from '#domain/upload/rules.ts'
import { groups } from './calls.ts'
import { base, browserTransport, type HttpTransport, Offline } from './http-transport.ts'
import { language } from './i18n.ts'
import { type ArrivedFile, type FileToSend, nameOf, PartsLostError, type SendPart, uploadInParts } from './upload-in-parts.ts'

/** A refusal of the server. The texts are in errors.ts. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail: Record<string, unknown>
  readonly status: number
  constructor(code: ErrorCode, detail: Record<string, unknown>, status: number) {
    super(code)
    this.code = code
    this.detail = detail
    this.status = status
  }
}

/**
 * Options of a call beside its input: files (multipart), upload progress from 0 to 1, abort signal and command id.
 */
export type CallOptions = {
  files?: FileToSend[]
  /** The files that the server has already, in parts. */
  arrived?: ArrivedFile[]
  progress?: (share: number) => void
  signal?: AbortSignal
  /** The answer is a file, which becomes a Blob; called with the bytes that have arrived. */
  received?: (bytes: number) => void
  /** Give the same id when a click is retried; the server then runs the command once. */
  commandId?: string
}
type UntypedInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
type CallInput<C extends Call> = Omit<Ask<C>, 'files'>
/** The server answers with AcceptedResponse while the read models lag behind a stored command. */
export type CallResult<C extends Call> = Answer<C> | (C extends { eventuallyConsistent: true } ? AcceptedResponse : never)
type Client<K extends Calls> = {
  [N in keyof K]: (
    ...of: {} extends CallInput<K[N]> ? [ask?: CallInput<K[N]>, how?: CallOptions] : [ask: CallInput<K[N]>, how?: CallOptions]
  ) => Promise<CallResult<K[N]>>
}

export type Token = { get: () => string | null; keep: (token: string | null, userId?: number) => void }
export type SignedIn = { token: string; user: { id: number } }

/**
 * Creates the client of the API. A 403 is retried once after one shared token refresh; a 401 ends the session
 * (A-AUTH-02).
 */
export function createApiClient(of: {
  wire: HttpTransport
  token: Token
  ended: () => void
  unpaid?: () => void
  entered?: (entered: SignedIn) => void
  /** Language of the error texts. */
  language?: () => string
}) {
  let refreshing: Promise<string> | null = null

  async function refresh(): Promise<string> {
    const { status, answer } = await of.wire({ method: 'POST', path: '/auth/refresh_token', headers: {} })
    if (status >= 400) {
      if (status === 401 || status === 403) of.ended()
      throw toApiError(status, answer)
    }
    const entered = answer as SignedIn
    of.entered?.(entered) // throws if another user is signed in by now
    of.token.keep(entered.token, entered.user.id)
    return entered.token
  }
  const renew = (): Promise<string> => {
    refreshing ??= refresh().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  /** Large files arrive first, in parts, so that an upload goes on where the connection was lost. */
  async function send(call: Call, ask: UntypedInput = {}, options: CallOptions = {}): Promise<unknown> {
    const how = { ...options, commandId: options.commandId ?? crypto.randomUUID() }
    if (!how.files?.some(({ file }) => file.size > wholeBytes)) return sendWhole(call, ask, how)
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        return await sendWhole(call, ask, await uploadInParts(sendPart, how))
      } catch (error) {
        if (!(error instanceof PartsLostError || (error instanceof ApiError && error.code === 'ERR_UPLOAD_INCOMPLETE'))) throw error
      }
    }
    return sendWhole(call, ask, how) // the servers behind this address do not share their disk
  }

  const sendPart: SendPart = (ask, how) => sendWhole(groups.uploads.part, ask, { ...how, commandId: crypto.randomUUID() })

  async function sendWhole(call: Call, ask: UntypedInput, how: CallOptions & { commandId: string }): Promise<unknown> {
    const guarded = call.may !== anyone
    const request = { method: call.method, path: address(call, ask), ...payload(ask.body, how), ...how }
    const spoken: Record<string, string> = of.language ? { 'accept-language': of.language() } : {}
    const command: Record<string, string> = call.method === 'GET' ? {} : { 'x-command-id': how.commandId }
    const once = (token: string | null) =>
      of.wire({
        ...request,
        headers: { ...request.headers, ...spoken, ...command, ...(guarded && token ? { authorization: `Bearer ${token}` } : {}) },
      })

    const token = of.token.get()
    let { status, answer } = await once(token)
    if (status === 403 && guarded) {
      const now = of.token.get()
      const next = now && now !== token ? now : await renew() // another call may have refreshed the token meanwhile
      ;({ status, answer } = await once(next))
    }
    if (status === 401 && guarded) of.ended()
    if (status === 402) of.unpaid?.()
    if (status >= 400) throw toApiError(status, answer)
    return answer
  }

  const client = <K extends Calls>(calls: K): Client<K> =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, (ask?: UntypedInput, how?: CallOptions) => send(call, ask, how)]),
    ) as unknown as Client<K>

  return { client, renew, send }
}

function address(call: Call, { params = {}, query = {} }: UntypedInput): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}

/** Text parts come first, because the server reads the body before it takes the files. */
function payload(body: unknown, { files, arrived }: CallOptions): { headers: Record<string, string>; body?: string | FormData } {
  if (arrived || (files && files.length > 0)) {
    const form = new FormData()
    for (const [key, value] of Object.entries(body ?? {}))
      if (value !== undefined && value !== null) form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
    if (arrived) form.append(arrivedFilesField, JSON.stringify(arrived))
    for (const file of files ?? []) form.append(file.field, file.file, nameOf(file))
    return { headers: {}, body: form }
  }
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function toApiError(status: number, answer: unknown): ApiError {
  const { error, ...detail } = (typeof answer === 'object' && answer !== null ? answer : {}) as { error?: ErrorCode }
  return new ApiError(error ?? (status === 413 ? 'ERR_TOO_LARGE' : status >= 502 ? 'ERR_UNAVAILABLE' : 'ERR_INTERNAL'), detail, status)
}

/** Storage key of the token's owner. It stays when the session expires and is removed on sign-out. */
export const tokenOwnerKey = 'tokenOf'
/**
 * Keeps the token in memory for this tab and in storage for new tabs. Other tabs update it; a token of another
 * user ends this page.
 */
function createStoredToken(): Token {
  const storage = typeof localStorage === 'undefined' ? null : localStorage
  const kept = (name: string) => storage?.getItem(name) ?? null
  let now = kept('token')
  let owner = now && kept(tokenOwnerKey)
  if (typeof window !== 'undefined')
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key !== 'token') return
      const next = kept(tokenOwnerKey)
      const anothers = newValue !== null && owner !== null && next !== null && next !== owner
      now = anothers ? null : newValue
      if (anothers) onSession.replaced()
      else owner = newValue && next
    })
  return {
    get: () => now,
    keep: (token, userId) => {
      const mine = kept('token') === now
      now = token
      owner = userId === undefined ? token && owner : String(userId)
      if (owner) storage?.setItem(tokenOwnerKey, owner) // before the token, whose storage event makes other tabs read the owner
      if (token) storage?.setItem('token', token)
      else if (mine) storage?.removeItem('token')
    },
  }
}

export const token = createStoredToken()
/**
 * Session.ts sets these: the server ended the session, the company has not paid, or another user signed in in this
 * browser.
 */
export const onSession: { ended: () => void; unpaid: () => void; entered: (entered: SignedIn) => void; replaced: () => void } = {
  ...{ ended: () => {}, unpaid: () => {}, entered: () => {}, replaced: () => {} },
}

const { client, renew, send } = createApiClient({
  wire: browserTransport,
  token,
  ended: () => onSession.ended(),
  unpaid: () => onSession.unpaid(),
  entered: (entered) => onSession.entered(entered),
  language,
})

export { base, Offline, renew, send }

export const api = Object.fromEntries(Object.entries(groups).map(([name, calls]) => [name, client(calls)])) as {
  [G in keyof typeof groups]: Client<(typeof groups)[G]>
}

import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import ipaddr from 'ipaddr.js'
import { minuteMs } from '#domain/duration/rules.ts'
import { isDiskFull } from '../event-store/transient-errors.ts'

/** Why a fetch failed. `kept`: a retry fails the same way. `away`: the server could not be reached. */
export class ExternalFetchError extends Error {
  readonly permanent: boolean
  readonly unreachable: boolean
  /** The HTTP status that came instead of the file. */
  readonly status: number | null
  constructor(why: string, kept: boolean, away = false, status: number | null = null) {
    super(why)
    this.permanent = kept
    this.unreachable = away
    this.status = status
  }
}
type FetchOptions = {
  headers?: Record<string, string>
  /** Maximum size in bytes. */
  maxBytes: number
  /** Origins named by an operator, which may be private. */
  trusted: string[]
  folder: string
  timeoutMs?: number
  /** Maximum number of redirects. */
  redirects?: number
  /** Replaces the DNS lookup. */
  resolve?: Resolve
}
type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void
const mostRedirects = 5

/** Time limit for a file: 30 s plus 1 s per 250 kB, at most ten minutes more. */
export const downloadTimeoutMs = (bytes: number): number => 30_000 + Math.ceil(Math.min(Math.max(bytes, 0) / 250 || 0, 10 * minuteMs))

/** Returns whether the address is on the public internet, so not local or private. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !(parsed instanceof ipaddr.IPv6 && parsed.match(compatible))
}
/** IPv4-compatible IPv6 addresses (deprecated), which some systems still map to IPv4. */
const compatible = ipaddr.IPv6.parseCIDR('::/96')

/**
 * Checks the addresses of the lookup that the connection itself uses, so a changed DNS answer gains nothing.
 * Every address must be public.
 */
const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
        return done(Object.assign(new Error('Private address'), { code: 'PRIVATE' }), '', 0)
      if (options.all) return (done as unknown as (none: null, all: typeof found) => void)(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })

/** Downloads a file from an address that a third party named. Each redirect is checked like the first address. */
export async function fetchExternal(address: string, fetchOptions: FetchOptions): Promise<{ path: string; size: number; mime: string }> {
  const signal = AbortSignal.timeout(fetchOptions.timeoutMs ?? minuteMs)
  let at = urlOf(address)
  for (let hop = 0; hop <= (fetchOptions.redirects ?? mostRedirects); hop++) {
    const answer = await get(at, hop === 0 ? (fetchOptions.headers ?? {}) : {}, fetchOptions, signal)
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400 && answer.headers.location) {
      answer.resume()
      at = urlOf(answer.headers.location, at)
      continue
    }
    if (status !== 200) {
      answer.resume()
      throw new ExternalFetchError(`Unexpected status ${status}`, status === 404 || status === 410, status >= 500 || status === 429, status)
    }
    return saveFile(answer, fetchOptions, signal)
  }
  throw new ExternalFetchError('Too many redirects', true)
}

function urlOf(address: string, from?: URL): URL {
  const url = URL.canParse(address, from) ? new URL(address, from) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') throw new ExternalFetchError('Invalid URL', true)
  return url
}

function get(
  url: URL,
  headers: Record<string, string>,
  { trusted, resolve: where = lookup }: FetchOptions,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const isTrusted = trusted.includes(url.origin)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // an IP address needs no lookup, so `guarded` does not check it
  if (!isTrusted && isIP(host) !== 0 && !isPublic(host)) throw new ExternalFetchError('Private address', true)
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, signal, agent: false, ...(!isTrusted && { lookup: guardedLookup(where) }) }, resolve)
    asking.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new ExternalFetchError(code ?? message, code === 'PRIVATE', code !== 'PRIVATE' && !signal.aborted)),
    )
    asking.end()
  })
}

async function saveFile(answer: http.IncomingMessage, { folder, maxBytes }: FetchOptions, signal: AbortSignal) {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, crypto.randomUUID())
  let size = 0
  try {
    await pipeline(
      answer,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          size += chunk.length
          if (size > maxBytes) throw new ExternalFetchError('File too large', true)
          yield chunk
        }
      },
      createWriteStream(file),
    )
  } catch (error) {
    await rm(file, { force: true })
    throw error instanceof ExternalFetchError || isDiskFull(error as Error)
      ? error
      : new ExternalFetchError((error as Error).message, false, !signal.aborted)
  }
  return { path: file, size, mime: answer.headers['content-type'] ?? '' }
}

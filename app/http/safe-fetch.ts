import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import ipaddr from 'ipaddr.js'

/** Why an address was not fetched, or not to its end. `kept`: it will be so the next time too; `away`: nobody is there to say. */
export class NotFetched extends Error {
  readonly kept: boolean
  readonly away: boolean
  /** What was answered in place of the file. */
  readonly status: number | null
  constructor(why: string, kept: boolean, away = false, status: number | null = null) {
    super(why)
    this.kept = kept
    this.away = away
    this.status = status
  }
}
type Asked = {
  headers?: Record<string, string>
  /** Bytes, beyond which it is given up. */
  most: number
  /** Origins that an operator named, which may be anywhere. */
  trusted: string[]
  folder: string
  timeoutMs?: number
  /** How many redirects are followed. */
  redirects?: number
  /** Who says where a name is. */
  resolve?: Resolve
}
type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void
const mostRedirects = 5

/** So long a file of so many bytes may take, on a line that is slow and no slower; at most ten minutes. */
export const timeFor = (bytes: number): number => 30_000 + Math.ceil(Math.min(Math.max(bytes, 0) / 250 || 0, 10 * 60_000))

/** Whether an address is one of the internet: not of this machine, its network, or none at all. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !(parsed instanceof ipaddr.IPv6 && parsed.match(compatible))
}
/** IPv4 addresses as IPv6 wrote them once, which some systems still take for those. */
const compatible = ipaddr.IPv6.parseCIDR('::/96')

/**
 * Looks a name up for the very connection that is made: a name that changes between two looks gains nothing. Every address of it has to be
 * public.
 */
const guarded =
  (resolve: Resolve): LookupFunction =>
  (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
        return done(Object.assign(new Error('a private address'), { code: 'PRIVATE' }), '', 0)
      if (options.all) return (done as unknown as (none: null, all: typeof found) => void)(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })

/** Fetches what lies at an address that somebody outside named, into a file of our own. Each redirect is looked at like the first. */
export async function fetchExternal(address: string, asked: Asked): Promise<{ path: string; size: number; mime: string }> {
  const signal = AbortSignal.timeout(asked.timeoutMs ?? 60_000)
  let at = urlOf(address)
  for (let hop = 0; hop <= (asked.redirects ?? mostRedirects); hop++) {
    const answer = await get(at, hop === 0 ? (asked.headers ?? {}) : {}, asked, signal)
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400 && answer.headers.location) {
      answer.resume()
      at = urlOf(answer.headers.location, at)
      continue
    }
    if (status !== 200) {
      answer.resume()
      throw new NotFetched(`status ${status}`, status === 404 || status === 410, status >= 500 || status === 429, status)
    }
    return kept(answer, asked, signal)
  }
  throw new NotFetched('too many redirects', true)
}

function urlOf(address: string, from?: URL): URL {
  const url = URL.canParse(address, from) ? new URL(address, from) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') throw new NotFetched('no address', true)
  return url
}

function get(
  url: URL,
  headers: Record<string, string>,
  { trusted, resolve: where = lookup }: Asked,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const ours = trusted.includes(url.origin)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!ours && isIP(host) !== 0 && !isPublic(host)) throw new NotFetched('a private address', true) // no name is looked up for it
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, signal, agent: false, ...(!ours && { lookup: guarded(where) }) }, resolve)
    asking.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new NotFetched(code ?? message, code === 'PRIVATE', code !== 'PRIVATE' && !signal.aborted)),
    )
    asking.end()
  })
}

async function kept(answer: http.IncomingMessage, { folder, most }: Asked, signal: AbortSignal) {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, crypto.randomUUID())
  let size = 0
  try {
    await pipeline(
      answer,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const some of source) {
          size += some.length
          if (size > most) throw new NotFetched('too large', true)
          yield some
        }
      },
      createWriteStream(file),
    )
  } catch (error) {
    await rm(file, { force: true })
    throw error instanceof NotFetched ? error : new NotFetched((error as Error).message, false, !signal.aborted)
  }
  return { path: file, size, mime: answer.headers['content-type'] ?? '' }
}

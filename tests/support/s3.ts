import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3 } from '#app/config.ts'

/** Faults of the next calls, one after another, instead of an answer. */
type Fault =
  | { status: number; code: string; of?: 'GET' }
  /** No answer comes. */
  | 'silence'
  /** The connection is cut after a part was received or sent. */
  | 'cut'
  /** A part is sent, and then nothing more. */
  | 'stall'
export type S3Double = Awaited<ReturnType<typeof s3Double>>

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const strict = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
const pageSize = 2

/**
 * An S3 server over HTTP with one account. It verifies each signature by its own calculation (Signature Version
 * 4).
 */
export async function s3Double(buckets: string[] = ['files']) {
  const account = { accessKeyId: 'AKIDOUBLE', secretAccessKey: 'a-secret/of+the=double', region: 'eu-test-1' }
  const objects = new Map<string, { content: Buffer; type: string }>()
  const faults: Fault[] = []
  const denies = new Set<string>()
  const asked: string[] = []
  const known = new Set(buckets)

  /** The error for a call that is refused, or null. */
  function refusal({ method = '', url = '', headers }: IncomingMessage, content: Buffer): [status: number, code: string] | null {
    const form =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/
    const [, id, day, region, names = '', signature] = form.exec(headers.authorization ?? '') ?? []
    if (id === undefined) return [403, 'AccessDenied']
    if (id !== account.accessKeyId) return [403, 'InvalidAccessKeyId']
    if (region !== account.region) return [400, 'AuthorizationHeaderMalformed']
    const date = String(headers['x-amz-date'])
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!date.startsWith(day!) || !(Math.abs(at - Date.now()) < 15 * 60_000)) return [403, 'RequestTimeTooSkewed']
    const signed = names.split(';')
    const must = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
    if (must.some((name) => !signed.includes(name))) return [403, 'AccessDenied']
    const { pathname, searchParams } = new URL(url, 'http://double')
    // biome-ignore format: one line a part, as the standard lists them
    const canonical = [
      method,
      pathname.split('/').map((part) => strict(decodeURIComponent(part))).join('/'),
      [...searchParams].map(([name, value]) => `${strict(name)}=${strict(value)}`).toSorted().join('&'),
      ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
      '',
      names,
      String(headers['x-amz-content-sha256']),
    ].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const key = [day!, region!, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${account.secretAccessKey}`)
    const fits = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
    if (fits !== signature) return [403, 'SignatureDoesNotMatch']
    if (headers['x-amz-content-sha256'] !== sha256(content)) return [400, 'XAmzContentSHA256Mismatch']
    return denies.has(method) ? [403, 'AccessDenied'] : null
  }

  function say(to: ServerResponse, status: number, code: string): void {
    to.writeHead(status, { 'content-type': 'application/xml' })
    to.end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><AWSAccessKeyId>${account.accessKeyId}</AWSAccessKeyId></Error>`,
    )
  }

  function list(bucket: string, query: URLSearchParams): string {
    const begins = `${bucket}/${query.get('prefix') ?? ''}`
    const keys = [...objects.keys()].filter((key) => key.startsWith(begins)).toSorted()
    const from = Number(Buffer.from(query.get('continuation-token') ?? '', 'base64').toString() || 0)
    const page = keys.slice(from, from + pageSize)
    const one = (key: string) =>
      `<Contents><Key>${escaped(key.slice(bucket.length + 1))}</Key><Size>${objects.get(key)!.content.length}</Size></Contents>`
    const next = from + pageSize < keys.length ? Buffer.from(String(from + pageSize)).toString('base64') : null
    return `<ListBucketResult>${page.map(one).join('')}${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`
  }

  async function answer(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(from.url!, 'http://double')
    const [bucket = '', ...rest] = decodeURIComponent(pathname).slice(1).split('/')
    const key = rest.join('/')
    asked.push(`${from.method} ${key}`)
    const [next] = faults
    const fault = typeof next === 'object' && next.of && next.of !== from.method ? undefined : faults.shift()
    if (fault === 'silence') return void from.resume()
    if (fault === 'cut' && from.method === 'PUT') return void from.once('data', () => from.destroy())
    const content = await buffer(from)
    if (typeof fault === 'object') return say(to, fault.status, fault.code)
    const no = refusal(from, content)
    if (no) return say(to, ...no)
    if (!known.has(bucket)) return say(to, 404, 'NoSuchBucket')
    if (rest.length === 0 || key === '') return void to.writeHead(200).end(list(bucket, searchParams))
    if (from.method === 'PUT') {
      objects.set(`${bucket}/${key}`, { content, type: from.headers['content-type'] ?? '' })
      return void to.writeHead(200).end()
    }
    if (from.method === 'DELETE') {
      objects.delete(`${bucket}/${key}`)
      return void to.writeHead(204).end()
    }
    const found = objects.get(`${bucket}/${key}`)
    if (!found) return denies.has('list') ? say(to, 403, 'AccessDenied') : say(to, 404, 'NoSuchKey') // S3 hides that an object is missing from callers who may not list
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(from.headers.range ?? '') ?? []
    const part = first === undefined ? found.content : found.content.subarray(Number(first), Number(last) + 1)
    to.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length, 'content-type': found.type })
    if (fault !== 'cut' && fault !== 'stall') return void to.end(part)
    to.write(part.subarray(0, 1), () => fault === 'cut' && setTimeout(() => to.destroy(), 100)) // the client has that part by then; after an earlier cut it would retry
  }

  const server = createServer((from, to) => void answer(from, to).catch(() => to.destroy()))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ endpoint, account, buckets: known, objects, faults, denies, asked },
    settings: (more: Partial<S3> = {}): S3 => ({ endpoint, bucket: 'files', ...account, prefix: '', ...more }),
    /** The environment of a server that uses this store. */
    env: {
      ...{ MEDIA: 's3', S3_ENDPOINT: endpoint, S3_BUCKET: 'files', S3_REGION: account.region },
      ...{ S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey },
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

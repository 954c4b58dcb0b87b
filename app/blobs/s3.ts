import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { retryTransient, withTimeout } from '../concurrency/retry.ts'
import { ConfigError, type S3 } from '../config.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { Blobs } from './blobs.ts'

/** Timeout of one attempt without any data, and the total time for retries of transient errors. */
type Timeouts = { silentMs: number; giveUpMs: number }
type RequestOptions = { query?: Record<string, string>; headers?: Record<string, string>; body?: Blob; unsigned?: Record<string, string> }

const slowestBytesPerMs = 100
const sha256OfNothing = createHash('sha256').digest('hex')

/** Stores files in an S3 bucket. */
export function s3Blobs(s3: S3, timeouts: Timeouts = { silentMs: 5000, giveUpMs: 10_000 }): Blobs {
  const { prefix } = s3
  const { silentMs } = timeouts
  const at = (key: string) => `/${`${prefix}${key}`.split('/').map(encodeURIComponent).join('/')}`
  const { request, textOf } = createS3Client(s3, timeouts)

  return {
    open: async () => undefined, // the owner of the bucket creates it
    async put(key, { path: file, mime }) {
      const hash = createHash('sha256')
      await pipeline(createReadStream(file), hash)
      const body = await openAsBlob(file)
      const headers = { 'x-amz-content-sha256': hash.digest('hex'), 'content-type': mime } // so that S3 rejects an incomplete upload
      const answer = await request('PUT', at(key), { body, headers })
      if (!answer) throw new Error('S3 answered 404')
      await answer.body?.cancel()
      await rm(file, { force: true })
    },
    async read(key, range) {
      const answer = await request('GET', at(key), range ? { unsigned: { range: `bytes=${range.start}-${range.end}` } } : {})
      if (!answer) return null
      if (range && answer.status !== 206) {
        await answer.body?.cancel()
        throw new Error('S3 returned the whole object instead of the range')
      }
      return answer.body ? toStream(answer.body, silentMs) : Readable.from([])
    },
    async stat(key) {
      const answer = await request('HEAD', at(key))
      return answer && { size: Number(answer.headers.get('content-length')) }
    },
    async remove(key) {
      await (await request('DELETE', at(key)))?.body?.cancel()
    },
    async *list(begins = '') {
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = { 'list-type': '2', prefix: prefix + begins, ...(next && { 'continuation-token': next }) }
        const answer = await request('GET', '', { query })
        const page = answer ? await textOf(answer) : ''
        for (const [, one = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield { key: inner(one, 'Key')!.slice(prefix.length), size: Number(inner(one, 'Size')) }
        next = inner(page, 'NextContinuationToken')
      }
    },
    exists: () =>
      request('GET', '', { query: { 'list-type': '2', 'max-keys': '1', prefix } }).then(
        async (answer) => {
          await answer?.body?.cancel()
          return answer !== null
        },
        (error) => error.code !== 'NoSuchBucket' && Promise.reject(error),
      ),
  }
}

/** Sends signed requests and retries transient errors. */
function createS3Client({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3, { silentMs, giveUpMs }: Timeouts) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  async function attempt(method: string, target: string, { query = {}, headers, body, unsigned = {} }: RequestOptions): Promise<Response> {
    const cut = new AbortController()
    const late = setTimeout(() => cut.abort(), silentMs + (body?.size ?? 0) / slowestBytesPerMs)
    try {
      const request = await client.sign(`${endpoint}/${bucket}${target}?${new URLSearchParams(query)}`, {
        ...{ method, signal: cut.signal, redirect: 'manual' },
        ...{ headers: { 'x-amz-content-sha256': sha256OfNothing, ...headers }, ...(body && { body }) },
      })
      // Unsigned headers, because a proxy may change them. No content encoding, because it would change the size.
      for (const [name, value] of Object.entries({ 'accept-encoding': 'identity', ...unsigned })) request.headers.set(name, value)
      return await fetch(request).catch((error: unknown) => {
        throw new Unavailable(cut.signal.aborted ? 'S3 did not answer in time' : `S3: ${reasonOf(error)}`, { cause: error })
      })
    } finally {
      clearTimeout(late)
    }
  }
  /** The response; null if the object does not exist. */
  const request = (method: string, target: string, options: RequestOptions = {}): Promise<Response | null> =>
    retryTransient(
      async () => {
        const answer = await attempt(method, target, options)
        if (answer.ok) return answer
        const code = await codeOf(answer)
        if (answer.status === 404 && code !== 'NoSuchBucket') return null
        const message = `S3 answered ${answer.status}${code && ` (${code})`}`
        throw answer.status >= 500 || answer.status === 429 ? new Unavailable(message) : Object.assign(new Error(message), { code })
      },
      (error) => error instanceof Unavailable,
      giveUpMs,
    )
  const textOf = (answer: Response) => withTimeout(answer.text(), silentMs, 'the answer of S3')
  const codeOf = async (answer: Response) => /<Code>(\w+)<\/Code>/.exec(await textOf(answer).catch(() => ''))?.[1] ?? ''
  return { request, textOf }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** The text of an XML element without child elements. */
function inner(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, ten, sixteen, named) =>
    named ? (entities[named] ?? whole) : String.fromCodePoint(ten ? Number(ten) : Number.parseInt(sixteen, 16)),
  )
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: Error & { errors?: Error[] } }
  return cause?.message || cause?.errors?.[0]?.message || message
}

/** Streams an object. It fails if S3 sends no data for too long; a slow reader does not make it fail. */
function toStream(body: ReadableStream<Uint8Array>, silentMs: number): Readable {
  const reader = body.getReader()
  return new Readable({
    read() {
      const late = setTimeout(() => this.destroy(new Unavailable('S3: stopped sending in the middle of an object')), silentMs)
      reader
        .read()
        .then(({ done, value }) => void this.push(done ? null : value))
        .catch((error: unknown) => void this.destroy(new Unavailable(`S3: ${reasonOf(error)}`, { cause: error })))
        .finally(() => clearTimeout(late))
    },
    destroy(error, done) {
      void ignoreErrors(reader.cancel(), 'the stream has ended')
      done(error)
    },
  })
}

const faults: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET: there is no such bucket',
  InvalidBucketName: 'S3_BUCKET: is no name of a bucket there',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID: is not known there',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY: does not belong to S3_ACCESS_KEY_ID',
  AuthorizationHeaderMalformed: 'S3_REGION: is not that of the bucket',
  PermanentRedirect: 'S3_REGION: is not that of the bucket',
  RequestTimeTooSkewed: 'S3_ENDPOINT: its clock and the one of this machine differ by too much',
}

/** Checks that the bucket allows writing, reading, removing and listing. Errors name the setting to correct. */
export async function probe(s3: S3): Promise<void> {
  const blobs = s3Blobs(s3, { silentMs: 5000, giveUpMs: 0 })
  const key = `probe-${crypto.randomUUID()}`
  const file = path.join(tmpdir(), key)
  const check = (what: string, operation: Promise<unknown>) =>
    operation.catch((error: Error & { code?: string }) => {
      const denied = error.code === 'AccessDenied' ? `S3_BUCKET: its account may not ${what}` : undefined
      const line = denied ?? faults[error.code ?? ''] ?? `S3_ENDPOINT: ${error.message.replace(/^S3:? /, '')}`
      throw new ConfigError([line], { isTemporary: error instanceof Unavailable })
    })
  await writeFile(file, key)
  try {
    await check('put objects', blobs.put(key, { path: file, size: key.length, mime: 'text/plain' }))
    await check(
      'read objects',
      blobs.read(key).then((content) => content?.toArray()),
    )
    await check('remove objects', blobs.remove(key))
    await check('list the bucket', blobs.read(key))
  } finally {
    await rm(file, { force: true })
  }
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Upload } from '#domain/contract.ts'
import { dayMs, daySeconds } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { endingOf, isRiskyName } from '#domain/file/rules.ts'
import type { Kind, Media } from '#domain/ticket/events.ts'
import { serveFiles } from '#projections/contact/picture.ts'
import type { Database } from '#projections/database.ts'
import type { Blobs, Range } from '../blobs/blobs.ts'
import { secretKey } from '../crypto/key-object.ts'
import { base } from '../http/serve.ts'
import { limits, megabyte } from '../http/upload-limits.ts'
import { dispositionOf, fileName, unknownType } from './file-name.ts'
import { contentType, durationOf } from './inspector.ts'
import { type Sender, uploadReservations } from './upload-reservations.ts'

type FileKind = keyof typeof limits

const documents =
  /^application\/(pdf|zip|x-zip-compressed|msword|vnd\.(openxmlformats-officedocument|oasis\.opendocument|ms-excel|ms-powerpoint)[\w.-]*|x-cfb|x-7z-compressed|vnd\.rar)$/
const textual: Record<string, string> = {
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  vcf: 'text/vcard',
}
const inline = /^(image\/(jpeg|png|webp|gif)|audio\/|video\/|application\/pdf)/

export type MediaStore = ReturnType<typeof openMedia>
export type StoredFile = { kind: Kind; media: Media; hold: string }
type Opening = { blobs: Blobs; secret: Buffer; quotaMegabytes: number; inboundMegabytes: number }

/** The storage key of a file's bytes. */
export const storageKeyOf = (companyId: number, key: string): string => `${companyId}/${key.slice(0, 2)}/${key}`

/**
 * Stores files by hash, separately for each company. Files are served only by a signed URL that expires at
 * the end of tomorrow.
 */
export function openMedia(db: Kysely<Database>, { blobs, secret, quotaMegabytes, inboundMegabytes }: Opening) {
  const holds = uploadReservations(db, (companyId, key) => blobs.remove(storageKeyOf(companyId, key)), quotaMegabytes)
  const sign: Sign = (text) => createHmac('sha256', secretKey(secret)).update(text).digest('base64url')
  const mimeOf = createMimeReader(db)
  const urls = createMediaUrls(sign)

  const store = {
    /** Maximum bytes of a customer's file that is kept. */
    inboundBytes: inboundMegabytes * megabyte,
    /**
     * Checks and stores a file, and reserves it until an event names it. The content decides the type, never
     * the name. A file of a user must have an allowed type. A customer's file is kept whatever it is
     * (A-INBOUND-01).
     */
    async store(companyId: number, upload: Upload, sender: Sender): Promise<StoredFile> {
      const { mime, kind, ...size } = await (sender === 'customer' ? inboundType(upload) : uploadType(upload))
      const limit = sender === 'customer' ? inboundMegabytes : limits[kind]
      if (upload.size > limit * megabyte) refuse('ERR_TOO_LARGE', { limit })
      if (upload.size === 0 && sender !== 'customer') refuse('ERR_INVALID_INPUT', { field: 'medias' })
      const key = await sha256(upload.path)
      const seconds = kind === 'audio' ? await durationOf(upload.path) : null
      const hold = await holds.take({ companyId, key, mime, size: upload.size }, sender)
      // after the reservation, so that every file has a row
      await blobs.put(storageKeyOf(companyId, key), { path: upload.path, size: upload.size, mime })
      const name = fileName(upload.name, mime)
      return { kind, hold, media: { key, mime, name, size: upload.size, ...size, seconds } }
    },
    ...holds,

    ...urls,

    /** Returns why the stored file is not the original. An auditor never receives a changed file. */
    fault: (companyId: number, key: string) => fileFault(blobs, companyId, key),

    /** Returns the content for sending; null: missing or withdrawn. */
    async read(companyId: number, key: string): Promise<Readable | null> {
      const file = db.selectFrom('media').select('withdrawnAt').where('companyId', '=', companyId).where('key', '=', key)
      return (await file.executeTakeFirst())?.withdrawnAt === null ? await blobs.read(storageKeyOf(companyId, key)) : null
    },

    /** From now on only an auditor can read the file. */
    async withdraw(companyId: number, key: string): Promise<void> {
      const withdrawnAt = new Date().toISOString()
      await db.updateTable('media').set({ withdrawnAt }).where('companyId', '=', companyId).where('key', '=', key).execute()
    },

    /** Finds the file behind one of our URLs, for a call that refers to a file instead of uploading it. */
    async find(companyId: number, address: string): Promise<{ key: string; mime: string } | null> {
      const [, company, key] = /^\/api\/media\/(\d+)\/([0-9a-f]{64})\//.exec(address) ?? []
      return key && Number(company) === companyId ? { key, mime: await mimeOf(companyId, key) } : null
    },

    async mount(server: FastifyInstance): Promise<void> {
      await blobs.open()
      server.get<FileRequest>(`${base}/media/:companyId/:key/:name`, { schema: { hide: true } }, (request, reply) =>
        sendFile(request, reply, { blobs, sign, mimeOf }),
      )
    },
  }
  serveFiles(db, { url: (companyId, file) => store.url(companyId, { ...blank, ...file }), day: () => Math.floor(Date.now() / dayMs) })
  return store
}

type Sign = (text: string) => string
type MimeOf = ReturnType<typeof createMimeReader>
function createMimeReader(db: Kysely<Database>) {
  /** Reads the database each time, because another process may have just withdrawn the file. */
  async function mimeOf(companyId: number, key: string, audit = false): Promise<string> {
    const file = db.selectFrom('media').select(['mime', 'withdrawnAt']).where('companyId', '=', companyId).where('key', '=', key)
    const row = await file.executeTakeFirst()
    return row && (audit || row.withdrawnAt === null) ? row.mime : refuse('ERR_NO_MEDIA_FOUND')
  }
  return mimeOf
}

const audited = (text: string) => `${text}/audit`
const createMediaUrls = (sign: Sign) => ({
  /**
   * Returns the signed URL of a file, valid until the end of tomorrow. It is the same all day, so that
   * browsers cache it.
   */
  url(companyId: number, { key, name: given, mime }: Media, now = Date.now()): string {
    const until = (Math.floor(now / dayMs) + 2) * daySeconds
    const name = fileName(given, mime)
    return `${base}/media/${companyId}/${key}/${encodeURIComponent(name)}?e=${until}&s=${sign(`${companyId}/${key}/${until}/${name}`)}`
  },

  /** Returns the URL for an auditor, who can also read withdrawn files. */
  auditUrl(companyId: number, { key, name: given, mime }: Media, now = Date.now()): string {
    const until = (Math.floor(now / dayMs) + 2) * daySeconds
    const name = fileName(given, mime)
    const signature = sign(audited(`${companyId}/${key}/${until}/${name}`))
    return `${base}/media/${companyId}/${key}/${encodeURIComponent(name)}?e=${until}&s=${signature}&a=1`
  },
})

type FileRequest = { Params: { companyId: string; key: string; name: string }; Querystring: { e?: string; s?: string; a?: string } }
/** Sends a file of a valid signed URL, or the range that the client wants. */
async function sendFile(
  { method, headers, params: { companyId, key, name }, query: { e = '', s = '', a } }: FastifyRequest<FileRequest>,
  reply: FastifyReply,
  { blobs, sign, mimeOf }: { blobs: Blobs; sign: Sign; mimeOf: MimeOf },
): Promise<unknown> {
  const signed = `${companyId}/${key}/${e}/${name}`
  const audit = a === '1'
  const expected = Buffer.from(sign(audit ? audited(signed) : signed))
  const signature = Buffer.from(String(s))
  if (!/^[0-9a-f]{64}$/.test(key) || expected.length !== signature.length || !timingSafeEqual(expected, signature))
    refuse('ERR_NO_MEDIA_FOUND')
  if (Number(e) * 1000 < Date.now()) refuse('ERR_NO_MEDIA_FOUND')
  const mime = await mimeOf(Number(companyId), key, audit)
  const at = storageKeyOf(Number(companyId), key)
  const { size } = (await blobs.stat(at)) ?? refuse('ERR_NO_MEDIA_FOUND')
  const etag = `"${key}"`
  const cached = headers['if-none-match']?.includes(etag) ?? false
  const range = rangeOf(headers['if-range'] === undefined || headers['if-range'] === etag ? headers.range : undefined, size)
  /** Opens the file before the headers are sent, so that a file deleted meanwhile is answered with a 404, which no client caches. */
  const unread = cached || range === 'none' || method === 'HEAD'
  if (audit && !unread && !(range && range.start > 0) && (await fileFault(blobs, Number(companyId), key))) refuse('ERR_NO_MEDIA_FOUND')
  const content = unread ? null : ((await blobs.read(at, range ?? undefined)) ?? refuse('ERR_NO_MEDIA_FOUND'))
  const disposition = inline.test(mime) ? 'inline' : 'attachment'
  reply.header('content-disposition', dispositionOf(disposition, name))
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'private, max-age=86400, immutable')
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  reply.headers({ etag, 'accept-ranges': 'bytes' }).type(mime)
  if (cached) return reply.code(304).send()
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send()
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  return content ?? Readable.from([]) // a stream, because Fastify would otherwise set a length of 0 for HEAD
}

const blank = { size: 0, width: null, height: null, seconds: null }

type FileType = { mime: string; kind: FileKind; width: number | null; height: number | null }
const noPixels = { width: null, height: null }
const isPicture = (mime: string): boolean => /^image\/(jpeg|png|webp|gif)$/.test(mime)

async function uploadType(upload: Upload): Promise<FileType> {
  const mime = (await sniff(upload)) ?? refuse('ERR_UNSUPPORTED_MEDIA')
  const kind = kindOf(mime)
  return { mime, kind, ...(kind === 'image' ? ((await pixels(upload.path)) ?? refuse('ERR_UNSUPPORTED_MEDIA')) : noPixels) }
}
/** A type that we cannot show as a picture, recording or video is stored as a download. */
async function inboundType(upload: Upload): Promise<FileType> {
  const mime = (await sniff(upload)) ?? unknownType
  const size = isPicture(mime) ? await pixels(upload.path) : null
  if (size) return { mime, kind: 'image', ...size }
  if (/^(audio|video)\//.test(mime)) return { mime, kind: kindOf(mime), ...noPixels }
  const asBytes = isPicture(mime) || isRiskyName(upload.name) // a broken picture, or a name that contradicts the content
  return { mime: asBytes ? unknownType : mime, kind: 'application', ...noPixels }
}

/**
 * Returns the type; null: unknown. A voice note in webm or mp4 looks like a video without pictures, so the
 * sender's claim decides.
 */
async function sniff({ path: file, name, claims }: Upload): Promise<string | null> {
  const found = await contentType({ path: file })
  if (found && /^video\/(webm|mp4)$/.test(found) && claims.startsWith('audio/')) return found.replace('video', 'audio')
  if (found) return found.replace(/^audio\/ogg;.*/, 'audio/ogg')
  return textual[endingOf(name)] ?? null
}
export function kindOf(mime: string): FileKind {
  if (isPicture(mime)) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  if (mime.startsWith('video/')) return 'video'
  return documents.test(mime) || Object.values(textual).includes(mime) ? 'application' : refuse('ERR_UNSUPPORTED_MEDIA')
}
async function pixels(file: string): Promise<{ width: number; height: number } | null> {
  const { default: sharp } = await import('sharp')
  const {
    width,
    height,
    orientation = 1,
  } = (await sharp(file)
    .metadata()
    .catch(() => null)) ?? {}
  if (!width || !height) return null
  return orientation > 4 ? { width: height, height: width } : { width, height }
}
async function sha256(file: string | Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(typeof file === 'string' ? createReadStream(file) : file, hash)
  return hash.digest('hex')
}
/** Returns why a file does not match its key; null: its bytes have that SHA-256. */
export async function fileFault(blobs: Blobs, companyId: number, key: string): Promise<{ gone: boolean; detail: string } | null> {
  try {
    const content = await blobs.read(storageKeyOf(companyId, key))
    if (!content) return { gone: true, detail: 'is not there' }
    return (await sha256(content)) === key ? null : { gone: false, detail: 'has other bytes' }
  } catch (error) {
    return { gone: true, detail: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
/** Returns the single requested range; null: the whole file, also for several ranges; 'none': beyond the end. */
function rangeOf(asked: string | undefined, size: number): Range | 'none' | null {
  const [whole, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(asked ?? '') ?? []
  if (whole === undefined || (from === '' && to === '')) return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return null
  return start < size ? { start, end } : 'none'
}

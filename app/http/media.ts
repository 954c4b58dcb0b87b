import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import type { Kysely } from 'kysely'
import sharp from 'sharp'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Kind, Media } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { fileName } from './file-name.ts'
import { base } from './serve.ts'

const megabyte = 1024 * 1024
/** Bytes at most, by kind (A-MSG-07). */
const limits = { image: 16, audio: 16, video: 64, application: 64 } as const
/** All files of one call. */
const together = 128
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

/** Puts the files of a multipart request on disk and the other parts into its body. What nobody keeps goes when the call is over, however it ends. */
export async function receive(request: FastifyRequest, reply: FastifyReply, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  reply.raw.once('close', () => void discard(request.uploads))
  try {
    request.body = await parts(request, folder)
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume() // what else comes goes by, or the next question on this connection would wait behind it
    await discard(request.uploads) // a file may have been begun after the caller hung up
    const { code } = error as { code?: string }
    const hungUp = request.raw.destroyed && !request.raw.complete
    throw code === undefined || hungUp ? new Refusal('ERR_INVALID_INPUT') : error // what came was no multipart
  }
}
async function parts(request: FastifyRequest, folder: string): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated || part.fieldnameTruncated) refuse('ERR_TOO_LARGE', { field: part.fieldname }) // never half a text
      if (part.fieldname in Object.prototype) continue
      fields[part.fieldname] = read(String(part.value))
      continue
    }
    const file = path.join(folder, crypto.randomUUID())
    request.uploads.push({ field: part.fieldname, name: part.filename || 'file', path: file, size: 0, claims: part.mimetype })
    const left = together * megabyte - request.uploads.reduce((sum, { size }) => sum + size, 0)
    await pipeline(part.file, (some) => within(some, left, part.mimetype), createWriteStream(file))
    request.uploads.at(-1)!.size = part.file.bytesRead
  }
  return fields
}
/** Cut where it goes beyond what its kind may have, which its first bytes tell, or beyond what is left for the call. */
async function* within(source: AsyncIterable<Buffer>, left: number, claims: string): AsyncGenerator<Buffer> {
  let size = 0
  let most: number = limits.application
  for await (const some of source) {
    if (size === 0) most = await mostFor(some, claims)
    size += some.length
    if (size > most * megabyte) refuse('ERR_TOO_LARGE', { limit: most })
    if (size > left) refuse('ERR_TOO_LARGE', { limit: together })
    yield some
  }
}
async function mostFor(first: Buffer, claims: string): Promise<number> {
  const found = await fileTypeFromBuffer(first).catch(() => undefined)
  const kind = found?.mime.split('/')[0]
  return kind === 'image' || kind === 'audio' || (kind === 'video' && claims.startsWith('audio/')) ? limits.image : limits.application
}
/** Files whose call never ended, because the process did. */
export async function sweepUploads(folder: string, olderThan = 3_600_000): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && found.mtimeMs < Date.now() - olderThan) await rm(file, { force: true })
  }
}
/** A part may hold a JSON object, such as quotedMsg. */
function read(text: string): unknown {
  if (!text.startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const discard = (files: Upload[]) => Promise.all(files.map((file) => rm(file.path, { force: true })))

export type MediaStore = ReturnType<typeof openMedia>

/** Files by their hash, each company's apart, served only by a signed address that lasts until the end of tomorrow. */
export function openMedia(db: Kysely<Database>, folder: string, secret: Buffer) {
  const place = (companyId: number, key: string) => path.join(String(companyId), key.slice(0, 2), key)
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  /** Asked each time: another process may have withdrawn the file a moment ago. */
  async function mimeOf(companyId: number, key: string, audit = false): Promise<string> {
    const file = db.selectFrom('media').select(['mime', 'withdrawnAt']).where('companyId', '=', companyId).where('key', '=', key)
    const row = await file.executeTakeFirst()
    return row && (audit || row.withdrawnAt === null) ? row.mime : refuse('ERR_NO_MEDIA_FOUND')
  }
  const audited = (text: string) => `${text}/audit`

  return {
    /** Sniffs, checks and keeps an upload. What it is decides its content, never its name. */
    async keep(companyId: number, upload: Upload): Promise<{ kind: Kind; media: Media }> {
      const mime = await sniff(upload)
      const kind = kindOf(mime)
      if (upload.size > limits[kind] * megabyte) refuse('ERR_TOO_LARGE', { limit: limits[kind] })
      if (upload.size === 0) refuse('ERR_INVALID_INPUT', { field: 'medias' })
      const key = await sha256(upload.path)
      const size = kind === 'image' ? await pixels(upload.path) : { width: null, height: null }
      const target = path.join(folder, place(companyId, key))
      await mkdir(path.dirname(target), { recursive: true })
      await sync(upload.path)
      await rename(upload.path, target)
      await db
        .insertInto('media')
        .values({ companyId, key, mime, size: upload.size })
        .onConflict((row) => row.columns(['companyId', 'key']).doUpdateSet({ withdrawnAt: null }))
        .execute()
      const name = fileName(upload.name, mime)
      return { kind, media: { key, mime, name, size: upload.size, ...size, seconds: null } }
    },

    /** The address of a file, good until the end of tomorrow: the same all day, so that browsers keep it. */
    url(companyId: number, { key, name: given, mime }: Media, now = Date.now()): string {
      const until = (Math.floor(now / 86_400_000) + 2) * 86_400
      const name = fileName(given, mime)
      return `${base}/media/${companyId}/${key}/${encodeURIComponent(name)}?e=${until}&s=${sign(`${companyId}/${key}/${until}/${name}`)}`
    },

    /** The same for an auditor, who reads what was withdrawn too. */
    auditUrl(companyId: number, { key, name: given, mime }: Media, now = Date.now()): string {
      const until = (Math.floor(now / 86_400_000) + 2) * 86_400
      const name = fileName(given, mime)
      const signature = sign(audited(`${companyId}/${key}/${until}/${name}`))
      return `${base}/media/${companyId}/${key}/${encodeURIComponent(name)}?e=${until}&s=${signature}&a=1`
    },

    /** Nobody but an auditor is given it from now on. */
    async withdraw(companyId: number, key: string): Promise<void> {
      const withdrawnAt = new Date().toISOString()
      await db.updateTable('media').set({ withdrawnAt }).where('companyId', '=', companyId).where('key', '=', key).execute()
    },

    /** The file behind an address of ours, for who quotes one instead of uploading. */
    async find(companyId: number, address: string): Promise<{ key: string; mime: string } | null> {
      const [, company, key] = /^\/api\/media\/(\d+)\/([0-9a-f]{64})\//.exec(address) ?? []
      return key && Number(company) === companyId ? { key, mime: await mimeOf(companyId, key) } : null
    },

    async forget(companyId: number, key: string): Promise<void> {
      await db.deleteFrom('media').where('companyId', '=', companyId).where('key', '=', key).execute()
      await rm(path.join(folder, place(companyId, key)), { force: true })
    },

    async mount(server: FastifyInstance): Promise<void> {
      await mkdir(folder, { recursive: true })
      await server.register(fastifyStatic, { root: folder, serve: false, decorateReply: true, cacheControl: false, preCompressed: true })
      server.get<{ Params: { companyId: string; key: string; name: string }; Querystring: { e?: string; s?: string; a?: string } }>(
        `${base}/media/:companyId/:key/:name`,
        { schema: { hide: true } },
        async ({ params: { companyId, key, name }, query: { e = '', s = '', a } }, reply) => {
          const signed = `${companyId}/${key}/${e}/${name}`
          const audit = a === '1'
          const fits = Buffer.from(sign(audit ? audited(signed) : signed))
          const given = Buffer.from(String(s))
          if (!/^[0-9a-f]{64}$/.test(key) || fits.length !== given.length || !timingSafeEqual(fits, given)) refuse('ERR_NO_MEDIA_FOUND')
          if (Number(e) * 1000 < Date.now()) refuse('ERR_NO_MEDIA_FOUND')
          const mime = await mimeOf(Number(companyId), key, audit)
          const at = place(Number(companyId), key)
          await access(path.join(folder, at)).catch(() => refuse('ERR_NO_MEDIA_FOUND'))
          const shown = inline.test(mime) ? 'inline' : 'attachment'
          reply.header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(name)}`)
          reply.header('cache-control', 'private, max-age=86400, immutable')
          reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
          return reply.type(mime).sendFile(at, folder, { contentType: false })
        },
      )
    },
  }
}

/** A voice note in webm or mp4 looks like a film without pictures: only its sender knows. */
async function sniff({ path: file, name, claims }: Upload): Promise<string> {
  const found = await fileTypeFromFile(file).catch(() => undefined)
  if (found && /^video\/(webm|mp4)$/.test(found.mime) && claims.startsWith('audio/')) return found.mime.replace('video', 'audio')
  if (found) return found.mime === 'application/x-cfb' ? 'application/x-cfb' : found.mime.replace('audio/opus', 'audio/ogg')
  return textual[path.extname(name).slice(1).toLowerCase()] ?? refuse('ERR_UNSUPPORTED_MEDIA')
}
function kindOf(mime: string): FileKind {
  if (/^image\/(jpeg|png|webp|gif)$/.test(mime)) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  if (mime.startsWith('video/')) return 'video'
  return documents.test(mime) || Object.values(textual).includes(mime) ? 'application' : refuse('ERR_UNSUPPORTED_MEDIA')
}
async function pixels(file: string) {
  const {
    width = null,
    height = null,
    orientation = 1,
  } = await sharp(file)
    .metadata()
    .catch(() => refuse('ERR_UNSUPPORTED_MEDIA'))
  return orientation > 4 ? { width: height, height: width } : { width, height }
}
async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Upload } from '#domain/contract.ts'
import { dayMs, hourMs } from '#domain/duration/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { arrivedFilesField } from '#domain/upload/rules.ts'
import { isPartialUpload, takeArrivedFiles } from './partial-uploads.ts'
import { callLimit, limits, megabyte, megabytesFor } from './upload-limits.ts'

/**
 * `room`: the remaining quota in bytes; null: no quota. `fields`: checks the fields that came before the
 * first file, before that file is read.
 */
export type UploadLimits = { room?: number | null; fields?: (fields: Record<string, unknown>) => Promise<unknown> }

/**
 * Writes the files of a multipart request to disk and the other parts into its body. Files that nobody keeps
 * are deleted when the call ends.
 */
export async function receiveUploads(request: FastifyRequest, reply: FastifyReply, folder: string, before: UploadLimits): Promise<void> {
  await mkdir(folder, { recursive: true })
  reply.raw.once('close', () => void discard(request.uploads))
  try {
    request.body = await parts(request, folder, before)
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume() // discards the rest, which would block the next request on this connection
    await discard(request.uploads) // a file may have been started after the caller disconnected
    const { code } = error as { code?: string }
    const hungUp = request.raw.destroyed && !request.raw.complete
    throw code === undefined || hungUp ? new Refusal('ERR_INVALID_INPUT') : error // the body was not valid multipart
  }
}

async function parts(
  request: FastifyRequest,
  folder: string,
  { room = null, fields: ask }: UploadLimits,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'field' && part.fieldname === arrivedFilesField && !part.valueTruncated) {
      if (request.uploads.length === 0) await ask?.(fields)
      const arrived = await takeArrivedFiles(folder, request.viewer!, String(part.value))
      request.uploads.push(...arrived)
      refuseTooMuch(arrived, room)
      continue
    }
    if (part.type === 'field') {
      // refuses instead of cutting the text
      if (part.valueTruncated || part.fieldnameTruncated) refuse('ERR_TOO_LARGE', { field: part.fieldname })
      if (part.fieldname in Object.prototype) continue
      fields[part.fieldname] = read(String(part.value))
      continue
    }
    if (request.uploads.length === 0) await ask?.(fields)
    const file = path.join(folder, crypto.randomUUID())
    const before = request.uploads.reduce((sum, { size }) => sum + size, 0)
    request.uploads.push({
      field: part.fieldname,
      name: unescaped(part.filename ?? '') || 'file',
      path: file,
      size: 0,
      claims: part.mimetype,
    })
    const remaining = { call: callLimit * megabyte - before, room: room === null ? null : room - before }
    await pipeline(part.file, (chunk) => limitSize(chunk, remaining, part.mimetype), createWriteStream(file))
    request.uploads.at(-1)!.size = part.file.bytesRead
  }
  return fields
}
function refuseTooMuch(files: Upload[], room: number | null): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > callLimit * megabyte) refuse('ERR_TOO_LARGE', { limit: callLimit })
  if (room !== null && bytes > room) refuse('ERR_UPLOAD_QUOTA')
}
/** Browsers escape a quotation mark and a line break in a file name this way (RFC 7578, 4.2). */
const unescaped = (name: string): string => name.replaceAll('%22', '"').replaceAll('%0D', '').replaceAll('%0A', '')
type Remaining = { call: number; room: number | null }
/** Stops at the limit of the file's kind (detected from its first bytes), of the call, or of the company. */
async function* limitSize(source: AsyncIterable<Buffer>, remaining: Remaining, claims: string): AsyncGenerator<Buffer> {
  let size = 0
  let maxMegabytes: number = limits.application
  for await (const chunk of source) {
    if (size === 0) maxMegabytes = await megabytesFor(chunk, claims)
    size += chunk.length
    if (size > maxMegabytes * megabyte) refuse('ERR_TOO_LARGE', { limit: maxMegabytes })
    if (size > remaining.call) refuse('ERR_TOO_LARGE', { limit: callLimit })
    if (remaining.room !== null && size > remaining.room) refuse('ERR_UPLOAD_QUOTA')
    yield chunk
  }
}

/** How long an upload can continue after its last part, in milliseconds. */
const partialMs = dayMs
/** Deletes files whose call never ended, because the process stopped. */
export async function sweepUploads(folder: string, olderThan = hourMs): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    const ageMs = isPartialUpload(name) ? Math.max(olderThan, partialMs) : olderThan
    if (found && found.mtimeMs < Date.now() - ageMs) await rm(file, { force: true })
  }
}

/** A part may contain a JSON object, such as quotedMsg. */
function read(text: string): unknown {
  if (!text.startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const discard = (files: Upload[]) => Promise.all(files.map((file) => rm(file.path, { force: true })))

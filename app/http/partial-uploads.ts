import { constants } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Check } from 'typebox/value'
import type { Viewer } from '#domain/access.ts'
import type { Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { ArrivedFiles } from '#domain/upload/contract.ts'
import { limits, megabyte, megabytesFor } from './upload-limits.ts'

/** The files of one user that arrive in parts may use this many megabytes; then the oldest is given up. */
const userLimit = 512
/** Enough of a file to know its kind, in bytes. */
const firstBytes = 4096

type Owner = Pick<Viewer, 'companyId' | 'id'>
const prefix = 'part-'
export const isPartialUpload = (name: string): boolean => name.startsWith(prefix)
const prefixOf = ({ companyId, id }: Owner): string => `${prefix}${companyId}-${id}-`
const pathOf = (folder: string, owner: Owner, key: string): string => path.join(folder, prefixOf(owner) + key)
const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0

/**
 * Adds a part to a file that arrives in parts (A-UPLOAD-01). Returns how many bytes have arrived; a part that does not
 * begin at their end changes nothing.
 */
export async function addPart(
  folder: string,
  owner: Owner,
  { key, position }: { key: string; position: number },
  part: Upload,
): Promise<number> {
  const file = pathOf(folder, owner, key)
  const size = await sizeOf(file)
  if (position !== size) return size
  await refuseTooLarge(position === 0 ? part.path : file, size + part.size, part.claims)
  await freeRoom(folder, owner, path.basename(file), part.size)
  // a part that arrives twice at once writes the same bytes to the same place
  const handle = await open(file, constants.O_RDWR | (position === 0 ? constants.O_CREAT : 0)).catch(() => null)
  if (!handle) return 0 // the file was sent or given up meanwhile
  try {
    const bytes = await readFile(part.path)
    await handle.write(bytes, 0, bytes.length, position)
  } finally {
    await handle.close()
  }
  return sizeOf(file)
}

/** Hands the files that arrived in parts to their call. `value`: the field `arrivedFilesField`. */
export async function takeArrivedFiles(folder: string, owner: Owner, value: string): Promise<Upload[]> {
  const files = parsed(value)
  if (!Check(ArrivedFiles, files)) refuse('ERR_INVALID_INPUT', { field: 'arrivedFiles' })
  const uploads = files.map(({ key, type, ...file }) => ({ ...file, key, claims: type, path: path.join(folder, crypto.randomUUID()) }))
  for (const { key, size } of uploads) if ((await sizeOf(pathOf(folder, owner, key))) !== size) refuse('ERR_UPLOAD_INCOMPLETE')
  for (const { key, size, claims } of uploads) await refuseTooLarge(pathOf(folder, owner, key), size, claims)
  for (const { key, path: to } of uploads)
    await rename(pathOf(folder, owner, key), to).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? refuse('ERR_UPLOAD_INCOMPLETE') : Promise.reject(error),
    )
  return uploads.map(({ key: _, ...upload }) => upload)
}

async function refuseTooLarge(file: string, size: number, claims: string): Promise<void> {
  if (size <= Math.min(...Object.values(limits)) * megabyte) return
  const limit = await megabytesFor(await firstOf(file), claims)
  if (size <= limit * megabyte) return
  await rm(file, { force: true })
  refuse('ERR_TOO_LARGE', { limit })
}
async function firstOf(file: string): Promise<Buffer> {
  const handle = await open(file).catch(() => refuse('ERR_UPLOAD_INCOMPLETE'))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(firstBytes), 0, firstBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function freeRoom(folder: string, owner: Owner, current: string, needed: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefixOf(owner)))
  const files = await Promise.all(names.map(async (name) => ({ name, found: await stat(path.join(folder, name)).catch(() => null) })))
  const known = files.flatMap(({ name, found }) => (found ? [{ name, size: found.size, at: found.mtimeMs }] : []))
  let used = needed + known.reduce((sum, { size }) => sum + size, 0)
  for (const { name, size } of known.toSorted((a, b) => a.at - b.at)) {
    if (used <= userLimit * megabyte) return
    if (name === current) continue
    await rm(path.join(folder, name), { force: true })
    used -= size
  }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

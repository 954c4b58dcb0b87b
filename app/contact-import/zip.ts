import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { refuse } from '#domain/errors.ts'
import { megabyte } from '../http/upload-limits.ts'

/* Reads entries of a zip file as streams, with a limit for what they become, because a small file may hold many gigabytes. */

type Entry = { at: number; size: number; method: number }
export type Zip = { has: (name: string) => boolean; text: (name: string, mostBytes: number) => AsyncGenerator<string> }

const mostEntries = 2000
const mostDirectory = 4 * megabyte
const endSize = 22
const longestComment = 65_535

async function bytes(file: FileHandle, at: number, size: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, at)
  return bytesRead === size ? buffer : refuse('ERR_IMPORT_FILE')
}

export async function openZip(path: string): Promise<Zip> {
  await using file = await open(path)
  const entries = await directory(file)
  return {
    has: (name) => entries.has(name),
    text: (name, mostBytes) => text(path, entries.get(name) ?? refuse('ERR_IMPORT_FILE'), mostBytes),
  }
}

async function directory(file: FileHandle): Promise<Map<string, Entry>> {
  const { size } = await file.stat()
  const length = Math.min(size, endSize + longestComment)
  const tail = await bytes(file, size - length, length)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end === -1 || end + endSize > tail.length) refuse('ERR_IMPORT_FILE')
  const [count, room, from] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count > mostEntries || room > mostDirectory || from + room > size) refuse('ERR_IMPORT_FILE')
  const list = await bytes(file, from, room)
  const entries = new Map<string, Entry>()
  for (let at = 0; at + 46 <= list.length && list.readUInt32LE(at) === 0x02014b50; ) {
    const [name, extra, comment] = [list.readUInt16LE(at + 28), list.readUInt16LE(at + 30), list.readUInt16LE(at + 32)]
    const entry = { method: list.readUInt16LE(at + 10), size: list.readUInt32LE(at + 20), at: list.readUInt32LE(at + 42) }
    entries.set(list.toString('utf8', at + 46, at + 46 + name), entry)
    at += 46 + name + extra + comment
  }
  return entries
}

async function startOf(path: string, { at, size, method }: Entry): Promise<number> {
  await using file = await open(path)
  const { size: fileSize } = await file.stat()
  const header = await bytes(file, at, 30)
  const start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (header.readUInt32LE(0) !== 0x04034b50 || start + size > fileSize || (method !== 0 && method !== 8)) refuse('ERR_IMPORT_FILE')
  return start
}

async function* text(path: string, entry: Entry, mostBytes: number): AsyncGenerator<string> {
  const { size, method } = entry
  const start = await startOf(path, entry)
  if (size === 0) return
  const source = createReadStream(path, { start, end: start + size - 1 })
  const plain = method === 0 ? source : source.pipe(createInflateRaw())
  source.on('error', (error) => plain.destroy(error))
  const decoder = new TextDecoder()
  let read = 0
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > mostBytes) refuse('ERR_TOO_LARGE', { limit: Math.floor(mostBytes / megabyte) })
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_')) refuse('ERR_IMPORT_FILE') // the data is no deflate stream
    throw error
  } finally {
    source.destroy()
    plain.destroy()
  }
}

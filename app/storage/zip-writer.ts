import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/* Writes a zip archive to a file, entry by entry, so that its size does not matter. */

type Content = AsyncIterable<Buffer | string> | Iterable<Buffer | string>
type Entry = { name: Buffer; at: number; crc: number; packed: number; size: number; method: number }
export type ZipWriter = Awaited<ReturnType<typeof createZip>>

const largest = 0xffff_ffff
const utf8 = 0x0800
const deflate = 8
const stored = 0
/** 1 January 1980: the entries have no times of their own. */
const noDate = 0x21

/** `largeFrom`: the offset from which an entry needs 64 bits. */
export async function createZip(path: string, { largeFrom = largest } = {}) {
  const file = await open(path, 'wx')
  const entries: Entry[] = []
  let at = 0
  const append = async (bytes: Buffer) => {
    await file.write(bytes, 0, bytes.length, at)
    at += bytes.length
  }

  return {
    /** Adds an entry. `packs`: false for content that is compressed already. */
    async add(name: string, content: Content, packs = true): Promise<void> {
      const entry: Entry = { name: Buffer.from(name), at, crc: 0, packed: 0, size: 0, method: packs ? deflate : stored }
      await append(localHeader(entry)) // its sizes follow
      const begin = at
      async function* counted() {
        for await (const chunk of content) {
          const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
          entry.crc = crc32(bytes, entry.crc)
          entry.size += bytes.length
          yield bytes
        }
      }
      const write = async (packed: AsyncIterable<Buffer>) => {
        for await (const bytes of packed) await append(bytes)
      }
      if (packs) await pipeline(counted, createDeflateRaw(), write)
      else await write(counted())
      entry.packed = at - begin
      if (entry.size >= largest || entry.packed >= largest) throw new Error('An entry of an archive is larger than 4 GB')
      const header = localHeader(entry)
      await file.write(header, 0, header.length, entry.at)
      entries.push(entry)
    },
    /** Writes the directory and returns the size of the archive. */
    async end(): Promise<number> {
      const from = at
      for (const entry of entries) await append(directoryEntry(entry, largeFrom))
      await append(endOf({ count: entries.length, from, size: at - from, at }, largeFrom))
      await file.sync()
      await file.close()
      return at
    },
    abort: () => file.close(),
  }
}

function localHeader({ name, crc, packed, size, method }: Entry): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(utf8, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(noDate, 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function directoryEntry({ name, at, crc, packed, size, method }: Entry, largeFrom: number): Buffer {
  const isLarge = at >= largeFrom
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x0201_4b50, 0)
  head.writeUInt16LE(45, 4)
  head.writeUInt16LE(isLarge ? 45 : 20, 6)
  head.writeUInt16LE(utf8, 8)
  head.writeUInt16LE(method, 10)
  head.writeUInt16LE(noDate, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(isLarge ? 12 : 0, 30)
  head.writeUInt32LE(isLarge ? largest : at, 42)
  const extra = Buffer.alloc(isLarge ? 12 : 0)
  if (isLarge) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(at), 4)
  }
  return Buffer.concat([head, name, extra])
}

type Directory = { count: number; from: number; size: number; at: number }
function endOf({ count, from, size, at }: Directory, largeFrom: number): Buffer {
  const isLarge = from >= largeFrom || count >= 0xffff
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(isLarge ? 0xffff : count, 8)
  end.writeUInt16LE(isLarge ? 0xffff : count, 10)
  end.writeUInt32LE(isLarge ? largest : size, 12)
  end.writeUInt32LE(isLarge ? largest : from, 16)
  if (!isLarge) return end
  const large = Buffer.alloc(76)
  large.writeUInt32LE(0x0606_4b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(from), 48)
  large.writeUInt32LE(0x0706_4b50, 56)
  large.writeBigUInt64LE(BigInt(at), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, end])
}

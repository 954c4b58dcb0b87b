import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { derived } from '../crypto/master-key.ts'

export const format = 'guiche-backup'
export const version = 1
/** A tar tells the size of an entry before its content: what has no size yet goes out in pieces of this many bytes. */
const pieceBytes = 4 * 1024 * 1024
const mostText = 1024 * 1024 * 1024

export type Engine = 'postgres' | 'eventstoredb'
/** What stands first: enough to see whether this store can take what follows. */
export type Head = {
  format: typeof format
  version: number
  madeAt: string
  engine: Engine
  /** The last migration that the store had. */
  migration: string
  /** Which master key opens it; the key itself is never here. */
  key: string
  /** Where the files of messages lie, which are not in it then. */
  bucket?: string
  tables: { name: string; columns: string[] }[]
}
type Sum = { name: string; bytes: number; sha256: string }
/** What stands last: every entry before it, and a proof that whoever had the master key wrote this. */
type Manifest = { entries: Sum[]; proof: string }

export type Entry = { name: string; content: AsyncIterable<Buffer> }
export type Archive = Awaited<ReturnType<typeof writeArchive>>

const headName = 'head.json'
const manifestName = 'manifest.json'
const proofOf = (key: Buffer, entries: Sum[]) => createHmac('sha256', derived(key, 'backup')).update(JSON.stringify(entries)).digest('hex')

/** Written beside FILE and put in its place once all of it is on the disk. */
export async function writeArchive(file: string, key: Buffer, head: Head) {
  const draft = `${file}.part`
  const tar = pack()
  const written = pipeline(tar, createWriteStream(draft, { mode: 0o600, flush: true }))
  written.catch(() => undefined) // it is thrown where an entry waits for it, or at the end
  const entries: Sum[] = []

  async function entry(name: string, size: number, content: AsyncIterable<Buffer> | Buffer[]): Promise<void> {
    const hash = createHash('sha256')
    const done = Promise.withResolvers<void>()
    const sink = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? done.reject(error) : done.resolve()))
    done.promise.catch(() => undefined)
    for await (const chunk of content) {
      hash.update(chunk)
      if (!sink.write(chunk)) await Promise.race([new Promise<void>((go) => sink.once('drain', go)), done.promise, written])
    }
    sink.end(undefined)
    await Promise.race([done.promise, written])
    entries.push({ name, bytes: size, sha256: hash.digest('hex') })
  }
  const text = (name: string, value: unknown) => {
    const bytes = Buffer.from(JSON.stringify(value))
    return entry(name, bytes.length, [bytes])
  }
  await text(headName, head)

  return {
    entry,
    text,
    /** Content of a size that nobody knows yet. */
    async pieces(name: string, content: AsyncIterable<Buffer | Uint8Array>): Promise<void> {
      let n = 0
      let chunks: Uint8Array[] = []
      let bytes = 0
      const out = async () => {
        n += 1
        await entry(`${name}/${String(n).padStart(6, '0')}`, bytes, [Buffer.concat(chunks)])
        chunks = []
        bytes = 0
      }
      for await (const chunk of content) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= pieceBytes) await out()
      }
      if (bytes > 0) await out()
    },
    async finish(): Promise<{ entries: number; bytes: number }> {
      const all = [...entries]
      await text(manifestName, { entries: all, proof: proofOf(key, all) } satisfies Manifest)
      tar.finalize()
      await written
      await rename(draft, file)
      return { entries: all.length, bytes: all.reduce((sum, one) => sum + one.bytes, 0) }
    },
    /** Nothing of it stays. */
    async abandon(): Promise<void> {
      tar.destroy(new Error('given up'))
      await written.catch(() => undefined)
      await rm(draft, { force: true })
    },
  }
}

/** Every entry but the manifest, in the order in which it was written. */
export async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const tar = extract()
  const read = pipeline(createReadStream(file), tar)
  read.catch(() => undefined) // the reading below fails with it
  for await (const entry of tar) {
    const content = entry as unknown as AsyncIterable<Buffer>
    if (entry.header.name === manifestName) entry.resume()
    else yield { name: entry.header.name, content }
  }
  await read
}

export class Unfit extends Error {}

export async function headOf(file: string): Promise<Head> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Unfit(`${file} cannot be read (${error.code})`)
  })
  await handle.close()
  try {
    for await (const { name, content } of entriesOf(file)) {
      const head = name === headName ? (JSON.parse((await whole(content)).toString()) as Head) : null
      if (head?.format === format) return head
      break
    }
  } catch {
    // said below
  }
  throw new Unfit(`${file} is no backup of Guichê`)
}

/** Reads all of it and compares each entry with the manifest; answers a name for the archive that no other has. */
export async function proven(file: string, key: Buffer): Promise<string> {
  const altered = (what: string) => new Unfit(`${file} is not as it was written: ${what}`)
  const found: Sum[] = []
  let manifest: Manifest | null = null
  try {
    const tar = extract()
    const read = pipeline(createReadStream(file), tar)
    read.catch(() => undefined)
    for await (const entry of tar) {
      const { name } = entry.header
      if (manifest) throw altered(`${name} stands behind its end`)
      const content = entry as unknown as AsyncIterable<Buffer>
      if (name === manifestName) manifest = JSON.parse((await whole(content)).toString()) as Manifest
      else found.push({ name, ...(await summed(content)) })
    }
    await read
  } catch (error) {
    throw error instanceof Unfit ? error : altered('it cannot be read to its end')
  }
  if (!manifest) throw altered('its end is missing')
  const { entries, proof } = manifest
  for (const [i, one] of entries.entries()) {
    const there = found[i]
    if (there?.name !== one.name || there.sha256 !== one.sha256) throw altered(`${one.name} differs`)
  }
  if (found.length !== entries.length) throw altered(`${found[entries.length]!.name} was put in`)
  const wanted = Buffer.from(proofOf(key, entries))
  const given = Buffer.from(String(proof))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw altered('its manifest was not made with this master key')
  return proof
}

async function summed(content: AsyncIterable<Buffer>): Promise<Omit<Sum, 'name'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > mostText) throw new Error('an entry is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

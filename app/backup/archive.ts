import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { derived } from '../crypto/master-key.ts'

export const format = 'guiche-backup'
export const version = 1
/** A tar header contains the size of its entry, so content of unknown size is split into entries of this many bytes. */
const pieceBytes = 4 * 1024 * 1024
const maxTextBytes = 1024 * 1024 * 1024

export type Engine = 'postgres' | 'eventstoredb'
/** The first entry: enough to decide whether this store can restore the archive. */
export type Head = {
  format: typeof format
  version: number
  madeAt: string
  engine: Engine
  /** The newest migration of the saved store. */
  migration: string
  /** The check value of the master key; the key itself is never in the archive. */
  key: string
  /** The bucket with the media files, which are then not in the archive. */
  bucket?: string
  tables: { name: string; columns: string[] }[]
}
type Sum = { name: string; bytes: number; sha256: string }
/** The last entry: all entries before it, and a MAC that only the master key can produce. */
type Manifest = { entries: Sum[]; proof: string }

export type ArchiveEntry = { name: string; content: AsyncIterable<Buffer> }
export type Archive = Awaited<ReturnType<typeof writeArchive>>

const headName = 'head.json'
const manifestName = 'manifest.json'
const proofOf = (key: Buffer, entries: Sum[]) => createHmac('sha256', derived(key, 'backup')).update(JSON.stringify(entries)).digest('hex')

/** Writes to a temporary file and renames it once everything is on the disk. */
export async function writeArchive(file: string, key: Buffer, head: Head) {
  const draft = `${file}.part`
  const tar = pack()
  const written = pipeline(tar, createWriteStream(draft, { mode: 0o600, flush: true }))
  void ignoreErrors(written, 'thrown where an entry or the end is awaited')
  const entries: Sum[] = []

  async function entry(name: string, size: number, content: AsyncIterable<Buffer> | Buffer[]): Promise<void> {
    const hash = createHash('sha256')
    const done = Promise.withResolvers<void>()
    const sink = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? done.reject(error) : done.resolve()))
    void ignoreErrors(done.promise, 'thrown where the entry is awaited')
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
    /** Writes content of unknown size in several entries. */
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
    /** Stops writing and removes the temporary file. */
    async abandon(): Promise<void> {
      tar.destroy(new Error('Archive abandoned'))
      await ignoreErrors(written, 'the archive is abandoned')
      await rm(draft, { force: true })
    },
  }
}

/** All entries except the manifest, in the order of writing. */
export async function* entriesOf(file: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  const read = pipeline(createReadStream(file), tar)
  void ignoreErrors(read, 'the loop below throws the same error')
  for await (const entry of tar) {
    const content = entry as unknown as AsyncIterable<Buffer>
    if (entry.header.name === manifestName) entry.resume()
    else yield { name: entry.header.name, content }
  }
  await read
}

/** The archive or the target store cannot be used for a restore. */
export class InvalidArchive extends Error {}

export async function headOf(file: string): Promise<Head> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidArchive(`${file} cannot be read (${error.code})`)
  })
  await handle.close()
  try {
    for await (const { name, content } of entriesOf(file)) {
      const head = name === headName ? (JSON.parse((await readAll(content)).toString()) as Head) : null
      if (head?.format === format) return head
      break
    }
  } catch {
    // reported below
  }
  throw new InvalidArchive(`${file} is no backup of Guichê`)
}

/** Reads the whole archive and compares each entry with the manifest. Returns a unique id of the archive. */
export async function verifyArchive(file: string, key: Buffer): Promise<string> {
  const altered = (what: string) => new InvalidArchive(`${file} is not as it was written: ${what}`)
  const found: Sum[] = []
  let manifest: Manifest | null = null
  try {
    const tar = extract()
    const read = pipeline(createReadStream(file), tar)
    void ignoreErrors(read, 'the loop below throws the same error')
    for await (const entry of tar) {
      const { name } = entry.header
      if (manifest) throw altered(`${name} stands behind its end`)
      const content = entry as unknown as AsyncIterable<Buffer>
      if (name === manifestName) manifest = JSON.parse((await readAll(content)).toString()) as Manifest
      else found.push({ name, ...(await digestOf(content)) })
    }
    await read
  } catch (error) {
    throw error instanceof InvalidArchive ? error : altered('it cannot be read to its end')
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

async function digestOf(content: AsyncIterable<Buffer>): Promise<Omit<Sum, 'name'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxTextBytes) throw new Error('Archive entry is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

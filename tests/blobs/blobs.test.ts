import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Blobs } from '#app/blobs/blobs.ts'
import { localBlobs } from '#app/blobs/local.ts'
import { s3Blobs } from '#app/blobs/s3.ts'
import { type S3Double, s3Double } from '#tests/support/s3.ts'

let place: string
let double: S3Double
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'guiche-blobs-'))
  double = await s3Double([])
})
afterAll(async () => {
  double.close()
  await rm(place, { recursive: true, force: true })
})

const places = [
  ['a folder', () => localBlobs(path.join(place, 'media')), () => undefined],
  ['a bucket', () => s3Blobs(double.settings()), () => double.buckets.add('files')],
  ['a part of a bucket', () => s3Blobs(double.settings({ bucket: 'shared', prefix: 'guiche/a & b/' })), () => double.buckets.add('shared')],
] as const

/* Every storage for message files passes these tests. */
describe.each(places)('blobs in %s', (_, open, make) => {
  let blobs: Blobs
  beforeAll(() => {
    blobs = open()
  })
  async function put(key: string, text: string): Promise<string> {
    const file = path.join(place, crypto.randomUUID())
    await writeFile(file, text)
    await blobs.put(key, { path: file, size: Buffer.byteLength(text), mime: 'text/plain' })
    return file
  }
  const read = async (...asked: Parameters<Blobs['read']>) => {
    const content = await blobs.read(...asked)
    return content && (await buffer(content)).toString()
  }
  const list = async (prefix?: string) => (await Array.fromAsync(blobs.list(prefix))).toSorted((a, b) => a.key.localeCompare(b.key))

  it('have their storage once opened, also if opened twice', async () => {
    expect(await blobs.exists()).toBe(false)
    make()
    await blobs.open()
    await blobs.open()
    expect([await blobs.exists(), await list(), await read('1/ab/abc')]).toEqual([true, [], null])
  })
  it('take a file and return it, whole or in part', async () => {
    const file = await put('1/ab/abc', '0123456789')
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect([await read('1/ab/abc'), await read('1/ab/abc', { start: 2, end: 4 })]).toEqual(['0123456789', '234'])
    expect(await blobs.stat('1/ab/abc')).toEqual({ size: 10 })
  })
  it('return null for a missing key and for a part of a key', async () => {
    expect([await read('1/ab/none'), await blobs.stat('1/ab/none'), await blobs.stat('1/ab')]).toEqual([null, null, null])
    expect([await read('1/ab/abc/more'), await blobs.stat('1/ab/abc/more')]).toEqual([null, null])
  })
  it('are listed by key prefix', async () => {
    await put('2/cd/cde', 'of another')
    await put('1/ab/empty', '')
    expect(await list()).toEqual([
      { key: '1/ab/abc', size: 10 },
      { key: '1/ab/empty', size: 0 },
      { key: '2/cd/cde', size: 10 },
    ])
    expect(await read('1/ab/empty')).toBe('')
    expect(await list('2/')).toEqual([{ key: '2/cd/cde', size: 10 }])
  })
  it('can be removed twice', async () => {
    await blobs.remove('2/cd/cde')
    await blobs.remove('2/cd/cde')
    expect([await read('2/cd/cde'), await list('2/')]).toEqual([null, []])
  })
  it('keep the old content if a new file cannot be stored', async () => {
    await expect(blobs.put('1/ab/abc', { path: path.join(place, 'nowhere'), size: 1, mime: 'text/plain' })).rejects.toThrow('ENOENT')
    expect(await read('1/ab/abc')).toBe('0123456789')
  })
})

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { probe, s3Blobs } from '#app/blobs/s3.ts'
import { ConfigError } from '#app/config.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { type S3Double, s3Double } from '#tests/support/s3.ts'

let place: string
let double: S3Double
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'guiche-s3-'))
})
afterAll(() => rm(place, { recursive: true, force: true }))
beforeEach(async () => {
  double = await s3Double()
  return () => double.close()
})

const hurried = { silentMs: 400, giveUpMs: 1500 }
const blobs = () => s3Blobs(double.settings(), hurried)
async function file(content = '0123456789') {
  const at = path.join(place, crypto.randomUUID())
  await writeFile(at, content)
  return { path: at, size: content.length, mime: 'text/plain' }
}
const read = async (key: string) => {
  const content = await blobs().read(key)
  return content && (await buffer(content)).toString()
}

describe('a bucket', () => {
  it('that fails, stays silent or disconnects once is tried again', async () => {
    double.faults.push({ status: 500, code: 'InternalError' })
    await blobs().put('1/a', await file())
    double.faults.push('cut')
    await blobs().put('1/b', await file('of b'))
    double.faults.push({ status: 503, code: 'SlowDown' })
    expect([await read('1/a'), await read('1/b')]).toEqual(['0123456789', 'of b'])
    double.faults.push('silence')
    expect(await blobs().stat('1/a')).toEqual({ size: 10 })
    expect(double.objects.get('files/1/a')!.type).toBe('text/plain')
  })
  it('that keeps failing is unavailable: no partial object is visible and the local file stays', async () => {
    await blobs().put('1/a', await file('before'))
    const big = await file('x'.repeat(5_000_000))
    double.faults.push(...Array.from({ length: 50 }, () => 'cut' as const))
    for (const key of ['1/a', '1/b']) await expect(blobs().put(key, big)).rejects.toThrow(Unavailable)
    double.faults.length = 0
    expect([await read('1/a'), await read('1/b'), (await stat(big.path)).size]).toEqual(['before', null, 5_000_000])
    await blobs().put('1/a', big)
    await expect(stat(big.path)).rejects.toThrow('ENOENT')
    expect(await blobs().stat('1/a')).toEqual({ size: 5_000_000 })
  })
  it('that refuses access is not tried again, and the error contains no secret', async () => {
    const wrong = s3Blobs(double.settings({ secretAccessKey: 'another-secret' }), hurried)
    const error = await wrong.read('1/a').catch((one: Error) => one)
    expect(error).toMatchObject({ message: 'S3 answered 403 (SignatureDoesNotMatch)', code: 'SignatureDoesNotMatch' })
    expect(double.asked).toEqual(['GET 1/a'])
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/another-secret|AKIDOUBLE/)
  })
  it.each(['cut', 'stall'] as const)('whose answer ends early (%s) gives an error, never a short file', async (fault) => {
    await blobs().put('1/a', await file())
    double.faults.push(fault)
    await expect(read('1/a')).rejects.toThrow(/^S3: /)
  })
  it('is read as fast as its reader, and not after the reader stops', async () => {
    await blobs().put('1/a', await file('x'.repeat(20_000_000)))
    const content = (await blobs().read('1/a'))!
    for await (const chunk of content) {
      expect(chunk.length).toBeLessThan(1_000_000)
      break
    }
    expect(content.destroyed).toBe(true)
  })
})

describe('the probe at startup', () => {
  const configErrors = (more = {}) =>
    probe(double.settings(more)).then(
      () => [],
      (error) => (error instanceof ConfigError ? error.faults : [String(error)]),
    )
  it('leaves no object behind', async () => {
    expect(await configErrors({ prefix: 'guiche/' })).toEqual([])
    expect([...double.objects.keys()]).toEqual([])
    expect(double.asked.map((one) => one.replace(/probe-.*/, ''))).toEqual(['PUT guiche/', 'GET guiche/', 'DELETE guiche/', 'GET guiche/'])
  })
  it.each([
    [{ bucket: 'nowhere' }, 'S3_BUCKET: there is no such bucket'],
    [{ accessKeyId: 'AKOTHER' }, 'S3_ACCESS_KEY_ID: is not known there'],
    [{ secretAccessKey: 'hush' }, 'S3_SECRET_ACCESS_KEY: does not belong to S3_ACCESS_KEY_ID'],
    [{ region: 'elsewhere-1' }, 'S3_REGION: is not that of the bucket'],
  ])('names the wrong setting for %j', async (more, line) => expect(await configErrors(more)).toEqual([line]))
  it.each([
    ['PUT', 'put objects'],
    ['GET', 'read objects'],
    ['DELETE', 'remove objects'],
    ['list', 'list the bucket'],
  ])('reports that the account may not %s', async (denied, what) => {
    double.denies.add(denied)
    expect(await configErrors()).toEqual([`S3_BUCKET: its account may not ${what}`])
  })
  it('reports a failing or unreachable endpoint', async () => {
    double.faults.push({ status: 503, code: 'SlowDown' })
    expect(await configErrors()).toEqual(['S3_ENDPOINT: answered 503 (SlowDown)'])
    double.close()
    expect(await configErrors()).toEqual([`S3_ENDPOINT: connect ECONNREFUSED ${new URL(double.endpoint).host}`])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The built client is served in the smallest encoding that the caller accepts. */
const assets = path.resolve(import.meta.dirname, '../../web/dist/assets')
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app.stop())

type Got = { headers: Record<string, unknown>; body: Buffer; status: number }
const get = (at: string, headers: Record<string, string> = {}) =>
  new Promise<Got>((resolve, reject) => {
    const asked = request(`${app.url}${at}`, { headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (some: Buffer) => parts.push(some))
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts), status: answer.statusCode! }))
    })
    asked.on('error', reject).end()
  })

describe('the built client', () => {
  const script = readdirSync(assets).find((name) => /^index-.*\.js$/.test(name))!
  const plain = readFileSync(path.join(assets, script))
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('is served as %s to a caller that accepts %s', async (encoding, accepts, open) => {
    const { headers, body } = await get(`/assets/${script}`, { 'accept-encoding': accepts })
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringMatching(/accept-encoding/i) })
    expect(headers['content-type']).toMatch(/javascript/)
    expect(headers['cache-control']).toContain('immutable')
    expect(open(body).equals(plain)).toBe(true)
    expect(body.length).toBeLessThan(plain.length / 2)
    const again = await get(`/assets/${script}`, { 'accept-encoding': accepts, 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
  })
  it('is served uncompressed to other callers, under another etag', async () => {
    const bare = await get(`/assets/${script}`)
    expect([bare.headers['content-encoding'], bare.body.equals(plain)]).toEqual([undefined, true])
    const packed = await get(`/assets/${script}`, { 'accept-encoding': 'br' })
    expect(packed.headers.etag).not.toBe(bare.headers.etag)
  })
  it('has a compressed page too', async () => {
    const page = await get('/tickets', { 'accept-encoding': 'br' })
    expect(page.headers['content-type']).toMatch(/html/)
    expect(page.headers['cache-control']).toBe('no-cache')
  })
})

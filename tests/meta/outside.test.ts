import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExternalFetchError, fetchExternal, isPublic } from '#app/http/safe-fetch.ts'
import { startDns } from '#tests/support/dns.ts'

/* Files at addresses that outsiders name. A DNS server of the test answers as an attacker's would. */
let dns: Awaited<ReturnType<typeof startDns>>
let inside: { server: Server; port: number }
let known: { server: Server; port: number }
let folder: string
let touched = 0
/** A public address of a range that was never assigned; it leads nowhere. */
const nowhere = '4000::1'
const serve = async (answer: Parameters<typeof createServer>[1]) => {
  const server = createServer(answer!)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { server, port: (server.address() as { port: number }).port }
}
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guiche-outside-'))
  dns = await startDns((name, family, asked) => {
    if (name === 'inside.test') return family === 4 ? ['127.0.0.1'] : []
    if (name === 'both.test') return family === 4 ? ['127.0.0.1'] : [nowhere]
    if (name === 'mapped.test') return family === 6 ? ['::ffff:7f00:1'] : []
    if (name === 'changes.test') return asked < 2 ? (family === 6 ? [nowhere] : []) : family === 4 ? ['127.0.0.1'] : [] // asked for each address family
    return []
  })
  inside = await serve((_, answer) => {
    touched += 1
    answer.end('secret')
  })
  known = await serve((request, answer) => {
    const [, to] = /^\/to\/(.+)$/.exec(request.url!) ?? []
    if (to) answer.writeHead(302, { location: decodeURIComponent(to) }).end()
    else if (request.url === '/loop') answer.writeHead(302, { location: '/loop' }).end()
    else answer.writeHead(200, { 'content-type': 'image/png' }).end('good')
  })
})
afterAll(async () => {
  await dns.stop()
  for (const { server } of [inside, known]) server.close()
  await rm(folder, { recursive: true })
})

const ask = (address: string, most = 100) =>
  fetchExternal(address, {
    trusted: [`http://127.0.0.1:${known.port}`],
    folder,
    maxBytes: most,
    timeoutMs: 5000,
    resolve: dns.resolve,
  }).catch((error: unknown) => error as ExternalFetchError)
const to = (address: string) => `http://127.0.0.1:${known.port}/to/${encodeURIComponent(address)}`

describe('an address named by an outsider', () => {
  it('is fetched if an operator allowed its origin', async () => {
    const file = await ask(`http://127.0.0.1:${known.port}/file`)
    expect(file).toMatchObject({ size: 4, mime: 'image/png' })
    if (!(file instanceof ExternalFetchError)) expect(await readFile(file.path, 'utf8')).toBe('good')
  })
  it.each(['inside.test', 'both.test', 'mapped.test'])('is not asked where its name leads inside: %s', async (name) => {
    expect(await ask(`http://${name}:${inside.port}/`)).toMatchObject({ message: 'PRIVATE', kept: true })
    expect(touched).toBe(0)
  })
  it('is private in every notation of a private address', () => {
    const ours = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:7f00:1', '::7f00:1', '::a00:1', '64:ff9b::7f00:1', 'fd00::1']
    expect(ours.filter(isPublic)).toEqual([])
    expect(['8.8.8.8', '2606:4700::1111'].filter((one) => !isPublic(one))).toEqual([])
  })
  it('is not fetched after redirects to a private address', async () => {
    for (const address of [
      to(`http://inside.test:${inside.port}/`),
      to(`http://127.0.0.1:${inside.port}/`),
      to(`http://[::ffff:127.0.0.1]:${inside.port}/`),
      to(to(to(`http://0x7f.1:${inside.port}/`))),
      to('file:///etc/passwd'),
      to('http://user:word@inside.test/'),
    ])
      expect(await ask(address)).toMatchObject({ kept: true })
    expect(touched).toBe(0)
  })
  it('is resolved once per connection, and only that address is used', async () => {
    expect(await ask(`http://changes.test:${inside.port}/`)).toMatchObject({ kept: false }) // it leads nowhere now
    expect(dns.asked.get('changes.test')).toBe(2) // once for each address family
    expect(await ask(`http://changes.test:${inside.port}/`)).toMatchObject({ message: 'PRIVATE', kept: true })
    expect(touched).toBe(0)
  })
  it('is given up on a redirect loop or a file that is too large, without leaving a file', async () => {
    const before = (await readdir(folder)).length
    expect(await ask(`http://127.0.0.1:${known.port}/loop`)).toMatchObject({ message: 'too many redirects' })
    expect(await ask(`http://127.0.0.1:${known.port}/file`, 3)).toMatchObject({ message: 'too large', kept: true })
    expect(await readdir(folder)).toHaveLength(before)
  })
})

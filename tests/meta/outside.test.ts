import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExternalFetchError, fetchExternal, isPublic } from '#app/http/safe-fetch.ts'
import { startDns } from '#tests/support/dns.ts'

/* What lies at an address that somebody outside names: names are asked of a name server of the test’s own, which lies as one would who wants in. */
let dns: Awaited<ReturnType<typeof startDns>>
let inside: { server: Server; port: number }
let known: { server: Server; port: number }
let folder: string
let touched = 0
/** Public, of a range that was never given to anybody: it leads nowhere. */
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
    if (name === 'changes.test') return asked < 2 ? (family === 6 ? [nowhere] : []) : family === 4 ? ['127.0.0.1'] : [] // asked for each family
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

describe('an address that somebody outside names', () => {
  it('is fetched where an operator named its origin', async () => {
    const file = await ask(`http://127.0.0.1:${known.port}/file`)
    expect(file).toMatchObject({ size: 4, mime: 'image/png' })
    if (!(file instanceof ExternalFetchError)) expect(await readFile(file.path, 'utf8')).toBe('good')
  })
  it.each(['inside.test', 'both.test', 'mapped.test'])('is not asked where its name leads inside: %s', async (name) => {
    expect(await ask(`http://${name}:${inside.port}/`)).toMatchObject({ message: 'PRIVATE', permanent: true })
    expect(touched).toBe(0)
  })
  it('is none of ours in any way of writing it', () => {
    const ours = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:7f00:1', '::7f00:1', '::a00:1', '64:ff9b::7f00:1', 'fd00::1']
    expect(ours.filter(isPublic)).toEqual([])
    expect(['8.8.8.8', '2606:4700::1111'].filter((one) => !isPublic(one))).toEqual([])
  })
  it('is not asked after a redirect either, by name or by number, however many lie between', async () => {
    for (const address of [
      to(`http://inside.test:${inside.port}/`),
      to(`http://127.0.0.1:${inside.port}/`),
      to(`http://[::ffff:127.0.0.1]:${inside.port}/`),
      to(to(to(`http://0x7f.1:${inside.port}/`))),
      to('file:///etc/passwd'),
      to('http://user:word@inside.test/'),
    ])
      expect(await ask(address)).toMatchObject({ permanent: true })
    expect(touched).toBe(0)
  })
  it('whose name leads elsewhere at each look is looked up once for each connection, and that address alone is asked', async () => {
    expect(await ask(`http://changes.test:${inside.port}/`)).toMatchObject({ permanent: false }) // it leads nowhere by now
    expect(dns.asked.get('changes.test')).toBe(2) // once, for each family
    expect(await ask(`http://changes.test:${inside.port}/`)).toMatchObject({ message: 'PRIVATE', permanent: true })
    expect(touched).toBe(0)
  })
  it('is given up where it leads in a circle, or is larger than anything we take, and leaves no file', async () => {
    const before = (await readdir(folder)).length
    expect(await ask(`http://127.0.0.1:${known.port}/loop`)).toMatchObject({ message: 'Too many redirects' })
    expect(await ask(`http://127.0.0.1:${known.port}/file`, 3)).toMatchObject({ message: 'File too large', permanent: true })
    expect(await readdir(folder)).toHaveLength(before)
  })
  it.skipIf(process.platform !== 'linux')('is not blamed for a disk of ours that is full', async () => {
    await symlink('/dev/full', path.join(folder, 'full'))
    const named = vi.spyOn(crypto, 'randomUUID').mockReturnValue('full' as ReturnType<typeof crypto.randomUUID>)
    const error = await ask(`http://127.0.0.1:${known.port}/file`).finally(() => named.mockRestore())
    expect(error).toMatchObject({ code: 'ENOSPC' })
    expect(error).not.toBeInstanceOf(ExternalFetchError)
    expect(await readdir(folder)).not.toContain('full')
  })
})

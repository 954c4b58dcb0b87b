import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserTransport, Offline } from '#web/http-transport.ts'

/** Faulty answers of the server; the first one is used for the first attempt. */
let answers: ((to: ServerResponse) => void)[] = []
let commands: unknown[] = []
const whole = JSON.stringify({ messages: [{ id: 7 }] })
const server = createServer((request, response) => {
  commands.push(request.headers['x-command-id'])
  const answer = answers.shift()
  if (!answer) return void response.end(whole)
  answer(response)
})

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(origin + path, init)) // in a page, paths are relative to its origin
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})
beforeEach(() => {
  commands = []
})

const send = () => browserTransport({ method: 'POST', path: '/messages/1', headers: { 'x-command-id': 'c1' }, body: '{}' })
const breaksOff = (to: ServerResponse) => {
  to.writeHead(200, { 'content-length': whole.length })
  to.write(whole.slice(0, 5), () => to.destroy())
}
const fromElsewhere = (to: ServerResponse) => to.end('<html>Entre na rede do hotel</html>')

describe('an incomplete answer', () => {
  for (const [name, answer] of Object.entries({ breaksOff, fromElsewhere })) {
    it(`${name}: is requested again with the same command id`, async () => {
      answers = [answer]
      await expect(send()).resolves.toEqual({ status: 200, answer: JSON.parse(whole) })
      expect(commands).toEqual(['c1', 'c1'])
    })
    it(`${name}: is an Offline error if it repeats`, async () => {
      answers = [answer, answer, answer]
      await expect(send()).rejects.toBeInstanceOf(Offline)
    })
  }
})

describe('a connection without data', () => {
  afterEach(() => vi.useRealTimers())
  const minutes = (over: number) => vi.advanceTimersByTimeAsync(over * 60_000)

  it('is given up after a minute, without a retry', async () => {
    const asked = new Promise<void>((come) => {
      answers = [() => come()]
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent = send()
    const failed = expect(sent).rejects.toBeInstanceOf(Offline)
    await asked
    await minutes(1)
    await failed
    expect(commands).toEqual(['c1'])
  })

  it('is given up during an upload only if nothing is sent any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const lines: Upload[] = []
    class Upload {
      upload: { onprogress?: (event: object) => void } = {}
      onabort?: () => void
      onloadend?: () => void
      open() {}
      setRequestHeader() {}
      send = () => void lines.push(this)
      abort() {
        this.onabort?.()
        this.onloadend?.()
      }
    }
    vi.stubGlobal('XMLHttpRequest', Upload)
    const shares: number[] = []
    const end = vi.fn()
    const sent = browserTransport({ method: 'POST', path: '/', headers: {}, body: new FormData(), progress: (share) => shares.push(share) })
    const failed = expect(sent.finally(end)).rejects.toBeInstanceOf(Offline)
    for (let loaded = 1; loaded < 4; loaded++) {
      await minutes(0.9)
      lines[0]!.upload.onprogress!({ loaded, total: 4, lengthComputable: true })
    }
    expect([end.mock.calls.length, shares]).toEqual([0, [0.25, 0.5, 0.75]])
    await minutes(1)
    await failed
    expect(lines).toHaveLength(1)
  })
})

it('a refusal is recognised by its status, and an empty success is accepted', async () => {
  answers = [(to) => to.writeHead(502).end('<html>Bad gateway</html>'), (to) => to.writeHead(204).end()]
  await expect(send()).resolves.toEqual({ status: 502, answer: undefined })
  await expect(send()).resolves.toEqual({ status: 204, answer: undefined })
})

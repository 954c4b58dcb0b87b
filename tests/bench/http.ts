import { connect, type Socket } from 'node:net'

export type Answered = { status: number; ms: number; body: () => string }
export type Asker = { ask: (method: string, path: string, token: string, body?: object) => Promise<Answered>; close: () => void }

/** One keep-alive connection with one request at a time, which uses little of the two measured cores. */
export function asker(origin: string): Promise<Asker> {
  const { hostname, port } = new URL(origin)
  let parts: Buffer[] = []
  let size = 0
  let want = -1
  let began = 0
  let waiting: { done: (answered: Answered) => void; failed: (error: Error) => void } | null = null

  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const fail = (error: Error) => {
    waiting?.failed(error)
    waiting = null
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (chunk) => {
    parts.push(chunk)
    size += chunk.length
    try {
      if (want < 0) want = lengthOf(Buffer.concat(parts))
    } catch (error) {
      return void socket.destroy(error as Error)
    }
    if (want < 0 || size < want) return
    const whole = Buffer.concat(parts)
    parts = []
    size = 0
    want = -1
    const asked = waiting
    waiting = null
    if (!asked) return void socket.destroy(new Error(`unexpected response: ${whole.toString('latin1', 0, 200)}`))
    asked.done({
      status: Number(whole.toString('latin1', 9, 12)),
      ms: performance.now() - began,
      body: () => whole.toString('utf8', whole.indexOf('\r\n\r\n') + 4),
    })
  })

  function ask(method: string, path: string, token: string, body?: object): Promise<Answered> {
    const text = body ? JSON.stringify(body) : ''
    const about = body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n` : ''
    return new Promise((done, failed) => {
      waiting = { done, failed }
      began = performance.now()
      socket.write(`${method} /api${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n${about}\r\n${text}`)
    })
  }
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve({ ask, close: () => socket.destroy() }))
    socket.once('error', reject)
  })
}

/** The length of head and body in bytes, or -1 while the head is incomplete. */
function lengthOf(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return -1
  const about = bytes.toString('latin1', 0, head)
  if (/\r\ntransfer-encoding: *chunked/i.test(about)) throw new Error(`chunked response: ${about}`)
  const length = /\r\ncontent-length: *(\d+)/i.exec(about)?.[1]
  return head + 4 + Number(length ?? 0)
}

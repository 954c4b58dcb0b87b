/**
 * A process that attacks as one stranger: floods, large nested bodies, slow bodies and upgrade requests. Reports
 * the number of answers.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Attack = { origin: string }
export type Attacked = { knocks: number; bodies: number; slow: number; upgrades: number }

const most = { knockers: 8, bodies: 12, slow: 200, upgrades: 200 }
const nested = `{"email":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}}`
const answered: Attacked = { knocks: 0, bodies: 0, slow: 0, upgrades: 0 }
let going = true

process.on('message', (said: Attack | 'done') => {
  if (said !== 'done') {
    attack(said.origin)
    return
  }
  going = false
  process.send!(answered)
})

function attack(origin: string): void {
  const { hostname, port } = new URL(origin)
  const head = (line: string, ...more: string[]) => [`${line} HTTP/1.1`, `Host: ${hostname}`, ...more, '', ''].join('\r\n')
  const json = 'Content-Type: application/json'
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

  /** Opens a connection, sends the text and then single bytes or nothing until it is closed, and repeats. */
  async function again(kind: keyof Attacked, text: string, drip: boolean): Promise<void> {
    while (going) {
      await new Promise<void>((over) => {
        const socket = connect(Number(port), hostname, () => socket.write(text))
        const timer = drip ? setInterval(() => socket.write(' '), 1000) : undefined
        socket.on('data', () => answered[kind]++)
        socket.on('error', () => undefined)
        socket.on('close', () => {
          clearInterval(timer)
          over()
        })
      })
      await sleep(20)
    }
  }
  async function knock(): Promise<void> {
    while (going) {
      const body = JSON.stringify({ email: `${crypto.randomUUID()}@bench.test` }) // without a password, so that only the sign-in call is tested
      const headers = { 'content-type': 'application/json' }
      await fetch(`${origin}/api/auth/login`, { method: 'POST', body, headers }).then(
        async (answer) => {
          await answer.arrayBuffer()
          answered.knocks++
        },
        () => undefined,
      )
    }
  }
  for (let n = 0; n < most.knockers; n++) void knock()
  for (let n = 0; n < most.bodies; n++) {
    const path = n % 2 ? '/api/auth/login' : '/api/quick-messages'
    void again('bodies', `${head(`POST ${path}`, json, `Content-Length: ${nested.length}`)}${nested}`, false)
  }
  for (let n = 0; n < most.slow; n++) void again('slow', head('POST /api/auth/login', json, 'Content-Length: 10000'), true)
  for (let n = 0; n < most.upgrades; n++) void again('upgrades', head(`GET ${n % 2 ? '/api/live' : '/api/version'}`, ...upgrade), false)
}

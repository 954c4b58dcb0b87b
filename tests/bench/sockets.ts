/**
 * A process with many signed-in sockets. Reports for each numbered message how many sockets got it, and when the
 * last did.
 */
import { seat } from './inbound.ts'

export type Crowd = { origin: string; tokens: string[]; shown: string }
export type Shown = { n: number; count: number; last: number }[]

process.once('message', (crowd: Crowd) => void sit(crowd))

async function sit({ origin, tokens, shown }: Crowd): Promise<void> {
  const marked = new RegExp(shown)
  const seen = new Map<number, { count: number; last: number }>()
  const hear = (text: string) => {
    const n = Number(marked.exec(text)?.[1] ?? -1)
    if (n < 0) return
    const one = seen.get(n) ?? { count: 0, last: 0 }
    one.count++
    one.last = performance.timeOrigin + performance.now()
    seen.set(n, one)
  }
  for (let i = 0; i < tokens.length; i += 50)
    await Promise.all(tokens.slice(i, i + 50).map((token, at) => seat(origin, token, hear, `127.0.0.${2 + ((i + at) % 4)}`)))
  process.send!('open')
  process.once('message', () => {
    process.send!([...seen].map(([n, one]) => ({ n, ...one })) satisfies Shown)
    process.disconnect()
    process.exit(0)
  })
}

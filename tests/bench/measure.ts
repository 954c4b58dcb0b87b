import { asker } from './http.ts'

export type Spread = { n: number; perSecond: number; p50: number; p95: number; p99: number; max: number }

export function spread(times: number[], seconds: number): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
  return { n: times.length, perSecond: round(times.length / seconds), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
export const round = (value: number) => (value >= 100 ? Math.round(value) : Math.round(value * 10) / 10)

/** Runs `clients` acts in parallel for `seconds`, each client one after another. The first tenth is not counted. */
export async function steadily(clients: number, seconds: number, act: (client: number, n: number) => Promise<void>): Promise<Spread> {
  const times: number[] = []
  const began = performance.now()
  const counted = began + seconds * 100
  const end = began + seconds * 1100
  let n = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        await act(client, n++)
        const now = performance.now()
        if (start >= counted && now <= end) times.push(now - start)
      }
    }),
  )
  return spread(times, seconds)
}

export type Wanted = { path: string; token: string; check?: (body: string) => string | null }
/**
 * GET requests by clients with a keep-alive connection. Every 50th answer is checked, and a wrong one ends the
 * run.
 */
export async function load(origin: string, clients: number, seconds: number, next: (n: number) => Wanted): Promise<Spread> {
  const askers = await Promise.all(Array.from({ length: clients }, () => asker(origin)))
  try {
    return await steadily(clients, seconds, async (client, n) => {
      const { path, token, check } = next(n)
      const answered = await askers[client]!.ask('GET', path, token)
      const wrong = answered.status === 200 ? n % 50 === 0 && check?.(answered.body()) : `${answered.status} ${answered.body()}`
      if (wrong) throw new Error(`GET ${path}: ${wrong}`)
    })
  } finally {
    for (const one of askers) one.close()
  }
}

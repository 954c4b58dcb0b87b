import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { stallMs } from '../wait.ts'

/** The webhook address of an app, and the secret that signs its deliveries. */
export type Hook = { object: string; url: string; secret: string; verifyToken: string }
/** Options of the next deliveries, each used once. */
type Course = { duplicate?: boolean; delayMs?: number; loseAnswer?: boolean }

/** JSON as Meta signs and sends it: other characters than ASCII are escaped in lower case. */
export const escaped = (value: unknown): Buffer =>
  Buffer.from(JSON.stringify(value).replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`))
export const signature = (body: Buffer, secret: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Posts events to an app until it answers 200, with retries. A test can request duplicates and another order. */
export function deliveries() {
  const hooks = new Map<string, Hook>()
  const courses: Course[] = []
  const answers: number[] = []
  const under = new Set<Promise<void>>()
  let held: (() => Promise<void>)[] | null = null
  let stopped = false

  async function post({ url }: Hook, body: Buffer, headers: Record<string, string>): Promise<number> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as Buffer<ArrayBuffer>,
      signal: AbortSignal.timeout(stallMs),
    }).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    answers.push(answer?.status ?? 0)
    return answer?.status ?? 0
  }
  async function tell(hook: Hook, body: Buffer, course: Course): Promise<void> {
    if (course.delayMs) await sleep(course.delayMs)
    const headers = { 'x-hub-signature-256': signature(body, hook.secret) }
    for (let wait = 50; !stopped; wait = Math.min(2 * wait, 1000)) {
      const status = await post(hook, body, headers)
      if (status === 200 && !course.loseAnswer) break
      course = { ...course, loseAnswer: false }
      await sleep(wait)
    }
    if (course.duplicate && !stopped) await post(hook, body, headers)
  }
  function begin(hook: Hook, body: Buffer): Promise<void> {
    const told = tell(hook, body, courses.shift() ?? {})
    under.add(told)
    void told.finally(() => under.delete(told))
    return told
  }

  return {
    hooks,
    courses,
    /** The statuses of the app's answers, in order. 0: no answer. */
    answers,
    /** Verifies the app’s address, as Meta does when somebody enters it. */
    async subscribe(hook: Hook): Promise<boolean> {
      const challenge = String(Math.trunc(Math.random() * 1e9))
      const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': hook.verifyToken, 'hub.challenge': challenge })
      const answer = await fetch(`${hook.url}?${query}`)
      const proven = answer.status === 200 && (await answer.text()) === challenge
      if (proven) hooks.set(hook.object, hook)
      return proven
    },
    /** Sends one envelope; the caller does not wait for it. */
    tell(object: string, entry: object[]): void {
      const hook = hooks.get(object)
      if (!hook) return
      const body = escaped({ object, entry })
      if (held) held.push(() => begin(hook, body))
      else void begin(hook, body)
    },
    /** Sends a given request, signed or not. */
    post: (object: string, body: Buffer, headers: Record<string, string> = {}) => post(hooks.get(object)!, body, headers),
    hold: () => {
      held = []
    },
    /** Sends the held deliveries in the given order, each after the one before was accepted. */
    release(order: 'asTold' | 'reversed' = 'asTold'): void {
      const waiting = held ?? []
      held = null
      const all = (async () => {
        for (const one of order === 'reversed' ? waiting.reverse() : waiting) await one()
      })()
      under.add(all)
      void all.finally(() => under.delete(all))
    },
    async quiet(): Promise<void> {
      while (under.size > 0) await Promise.all(under)
    },
    stop: () => {
      stopped = true
    },
  }
}
export type Deliveries = ReturnType<typeof deliveries>

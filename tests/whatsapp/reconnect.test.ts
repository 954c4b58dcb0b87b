import { expect, it } from 'vitest'
import { afterwards, type Ended } from '#app/whatsapp/reconnect.ts'
import { turn } from '#app/whatsapp/turn.ts'
import { isOutage } from '#domain/connection/rules.ts'

const after = (code: number, more: Partial<Ended> = {}) =>
  afterwards({ code, linked: true, reached: true, codeExpired: false, failures: 1, replaced: false, ...more })

it('a requested restart happens at once, as after linking (515)', () => expect(after(515)).toEqual({ again: true, afterMs: 0 }))

it('a lost connection is retried with growing pauses up to a minute (428, 408, 503)', () => {
  for (const code of [428, 408, 503]) {
    const waits = [1, 3, 7, 100].map((failures) => after(code, { failures }))
    for (const [i, most] of [1000, 4000, 60_000, 60_000].entries()) {
      const next = waits[i]!
      expect(next.again && next.afterMs).toBeGreaterThanOrEqual(most / 2)
      expect(next.again && next.afterMs).toBeLessThanOrEqual(most)
    }
  }
  expect(after(428, { failures: 10 })).toHaveProperty('alarm')
  expect(after(428, { failures: 11 })).not.toHaveProperty('alarm')
})

it('an outage of minutes continues the retries and shows a reason', () => {
  expect(after(428, { failures: 9 })).not.toHaveProperty('reason')
  for (const code of [428, 408, 503, 500]) expect(after(code, { failures: 10 })).toMatchObject({ again: true, reason: 'AWAY' })
  expect(after(405, { failures: 10 })).toMatchObject({ again: true, reason: 'TOO_OLD' })
})

it('an expired code stops the session, which can be started again (408, not linked)', () =>
  expect(after(408, { linked: false, codeExpired: true })).toEqual({ again: false, status: 'TIMEOUT', reason: 'CODE_EXPIRED' }))

it('an unreachable WhatsApp is a reason of its own: shown at once while linking, after minutes of a linked phone', () => {
  for (const code of [408, 428, 500]) {
    expect(after(code, { linked: false, reached: false })).toMatchObject({ again: true, reason: 'UNREACHABLE' })
    expect(after(code, { reached: false })).not.toHaveProperty('reason')
    expect(after(code, { reached: false, failures: 10 })).toMatchObject({ again: true, reason: 'UNREACHABLE' })
  }
})

it('a replaced session is retried once after half a minute, then stops (440)', () => {
  expect(after(440)).toEqual({ again: true, afterMs: 30_000 })
  expect(after(440, { failures: 5 })).toEqual({ again: true, afterMs: 30_000 }) // other sockets ended before it, with other codes
  expect(after(440, { failures: 2, replaced: true })).toEqual({ again: false, status: 'DISCONNECTED', reason: 'REPLACED' })
})

it('the keys are deleted only if the phone removed the device (401)', () => {
  expect(after(401)).toEqual({ again: false, status: 'DISCONNECTED', reason: 'LOGGED_OUT', forget: true })
  for (const code of [403, 411]) expect(after(code)).toMatchObject({ again: false, status: 'DISCONNECTED' })
  for (const code of [403, 405, 411, 428, 440, 500, 503, 515]) expect(after(code, { failures: 9 })).not.toHaveProperty('forget')
})

it('a refused version or an ended session is retried with an alarm (405, 500)', () => {
  expect(after(405)).toMatchObject({ again: true, alarm: expect.stringContaining('WHATSAPP_WEB_VERSION') })
  expect(after(500, { failures: 2 })).not.toHaveProperty('alarm')
  expect(after(500, { failures: 3 })).toMatchObject({ again: true, alarm: expect.any(String) })
})

it('every stop has a reason for users', () => {
  expect(after(411)).toMatchObject({ reason: 'MULTI_DEVICE' })
  for (const next of [after(401), after(403), after(411), after(408, { codeExpired: true }), after(440, { replaced: true })])
    expect(!next.again && isOutage(next.reason)).toBe(true)
})

it('five sessions log in at once, the others in order', async () => {
  const begun: number[] = []
  const ends = Array.from({ length: 8 }, async (_, n) => {
    const end = await turn()
    begun.push(n)
    return end
  })
  const first = await Promise.all(ends.slice(0, 5))
  expect(begun).toEqual([0, 1, 2, 3, 4])
  first[3]!()
  first[3]!() // as if it connects and is lost again
  const sixth = await ends[5]!
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  for (const end of [...first, sixth]) end()
  for (const end of await Promise.all(ends)) end()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  for (const end of await Promise.all(Array.from({ length: 5 }, turn))) end() // as many as before
})

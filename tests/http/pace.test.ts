import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A user's calls are limited. Other users are not affected. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { userCallsPerSecond: 4 } })
})
afterAll(() => app.stop())

const many = (path: string, n: number) => Promise.all(Array.from({ length: n }, () => app.as('admin')('GET', path)))

it('refuses a user’s calls above the rate limit with a retry time, and no other user’s', async () => {
  const answers = await many('/version', 60)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(12)
  for (const { body, headers } of refused)
    expect([body.error, body.retryAfter > 0, Number(headers.get('retry-after')) > 0]).toEqual(['ERR_TOO_MANY_REQUESTS', true, true])
  expect((await app.as('ana')('GET', '/tickets?status=open')).status).toBe(200)
})
it('does not count calls of the sandbox', async () => {
  const answers = await many(`/sandbox/${app.company.connections.balcao}/customers`, 60)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

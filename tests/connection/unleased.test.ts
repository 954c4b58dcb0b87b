import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRoleMonitor } from '#app/observability/role-monitor.ts'
import { openWorker } from '#app/roles/worker.ts'
import { isUp } from '#domain/connection/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* A web process without worker and projector: what it logs, measures and shows. */
let app: TestApp
const lines: string[] = []
const logger = pino({}, { write: (line) => lines.push(line) })
const monitor = (rounds: number) => createRoleMonitor({ ...app.ctx, logger }, rounds)
beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  await app.db.updateTable('connection').set({ status: 'CONNECTED' }).execute()
})
afterAll(() => app?.stop())

const shown = async () =>
  (await app.as('ana')('GET', '/whatsapp')).body.map(({ unleasedSince }: { unleasedSince: string | null }) => unleasedSince !== null)
const logged = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role !== undefined)
    .map(({ level, role, msg }) => ({ level, role, msg }))
const measured = async () => ((await app.stranger('GET', '/metrics')).body as string).split('\n')

it('without a worker, a connection is not shown as connected, and the log and the metrics say so', async () => {
  const check = monitor(2)
  const line = await app.socket('ana')
  expect(new Set(await shown())).toEqual(new Set([false]))
  await check()
  expect(new Set(await shown())).toEqual(new Set([false])) // a handover of leases takes a moment
  expect(logged()).toEqual([])
  await check()
  expect(new Set(await shown())).toEqual(new Set([true]))
  await line.heard((frame) => frame.channel.endsWith('-whatsapp') && /"unleasedSince":"2/.test(JSON.stringify(frame)))
  const expected = [
    { level: 50, role: 'projector', msg: 'No projector runs; lists and tickets show old data' },
    { level: 50, role: 'worker', msg: 'No worker runs; nothing is received or sent' },
  ]
  expect(logged()).toEqual(expected)
  await check()
  expect(logged()).toEqual(expected) // once
  const metrics = await measured()
  for (const one of ['guiche_workers 0', 'guiche_projectors 0', 'guiche_restored 0']) expect(metrics).toContain(one)
  expect(metrics.filter((one) => one.startsWith('guiche_connections{'))).toEqual([
    expect.stringMatching(/^guiche_connections\{status="UNLEASED"\} /),
  ])

  const stop = new AbortController()
  const worker = openWorker(app.ctx, stop.signal)
  try {
    await eventually(
      async () => {
        await check()
        return shown()
      },
      (all) => !all.includes(true),
    )
    expect(logged().at(-1)).toEqual({ level: 40, role: 'worker', msg: 'Role runs again' })
    expect(await measured()).toContain('guiche_workers 1')
  } finally {
    stop.abort()
    await worker
  }
})

it('a connection is up only if it is connected, not silent, and leased', () => {
  const up = { status: 'CONNECTED' as const, silentSince: null, unleasedSince: null }
  const at = '2026-01-05T12:00:00Z'
  expect(isUp(up)).toBe(true)
  for (const change of [{ status: 'OPENING' as const }, { silentSince: at }, { unleasedSince: at }])
    expect(isUp({ ...up, ...change })).toBe(false)
})

it('the worker of a restored installation is not reported as missing', async () => {
  const before = logged().length
  await app.db.insertInto('platformSetting').values({ key: 'restoredFrom', value: '2026-01-05T12:00:00Z' }).execute()
  const check = monitor(1)
  await check()
  expect(
    logged()
      .slice(before)
      .map(({ role }) => role),
  ).toEqual(['projector'])
  expect(await measured()).toContain('guiche_restored 1')
  await app.db.deleteFrom('platformSetting').where('key', '=', 'restoredFrom').execute()
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertDiskSpace, readDiskSpace } from '#app/observability/disk.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
const folder = mkdtempSync(path.join(tmpdir(), 'guiche-disk-'))
beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})
const ready = async () => {
  const { status, body } = await app.stranger('GET', '/ready')
  return { status, body }
}
const measured = async () => ((await app.stranger('GET', '/metrics')).body as string).split('\n')

it('a folder that does not exist yet has the space of its disk', async () => {
  const { free, size } = await readDiskSpace(path.join(folder, 'not', 'yet'))
  expect(size).toBeGreaterThan(0)
  expect(free).toBeLessThanOrEqual(size)
  await assertDiskSpace(folder, 0)
  await expect(assertDiskSpace(folder, size + 1)).rejects.toThrow(/^The disk of .+ is full: \d+ MB are free$/)
})

it('a full disk makes a process unready, and its space is measured', async () => {
  expect(await ready()).toEqual({ status: 200, body: { ready: true, away: [] } })
  const metrics = await measured()
  for (const name of ['free', 'size']) expect(metrics).toContainEqual(expect.stringMatching(new RegExp(`^guiche_disk_${name}_bytes [1-9]`)))
  expect(metrics).toContain('guiche_store_up{store="Disk"} 1')
  const { size } = await readDiskSpace(app.ctx.config.dataDir)
  app.ctx.healthChecks.Disk = () => assertDiskSpace(app.ctx.config.dataDir, size + 1)
  expect(await ready()).toEqual({ status: 503, body: { ready: false, away: ['Disk'] } })
  expect(await measured()).toContain('guiche_store_up{store="Disk"} 0')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertDiskSpace, readDiskSpace } from '#app/observability/disk.ts'
import { errorTexts } from '#domain/error-texts.ts'
import { openScene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
const folder = mkdtempSync(path.join(tmpdir(), 'guiche-disk-'))
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
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

it('a web process stays ready on a full disk, reports it and refuses files only', async () => {
  expect(await ready()).toEqual({ status: 200, body: { ready: true, away: [] } })
  const metrics = await measured()
  for (const name of ['free', 'size']) expect(metrics).toContainEqual(expect.stringMatching(new RegExp(`^guiche_disk_${name}_bytes [1-9]`)))
  expect(metrics).toContain('guiche_store_up{store="Disk"} 1')
  const { size } = await readDiskSpace(app.ctx.config.dataDir)
  app.ctx.healthChecks.Disk = () => assertDiskSpace(app.ctx.config.dataDir, size + 1)
  expect(await ready()).toEqual({ status: 200, body: { ready: true, away: ['Disk'] } })
  expect((await app.stranger('GET', '/health')).body).toMatchObject({ alive: true, away: ['Disk'] })
  expect(await measured()).toContain('guiche_store_up{store="Disk"} 0')
  expect((await app.as('ana')('GET', '/tickets')).status).toBe(200)
  const scene = await openScene(app)
  const { id } = await scene.served()
  const form = new FormData()
  form.append('medias', new Blob(['a text']), 'a.txt')
  const refused = await app.as('ana')('POST', `/messages/${id}`, form, { 'accept-language': 'en' })
  expect([refused.status, refused.body]).toEqual([503, { error: 'ERR_DISK_FULL', message: errorTexts.ERR_DISK_FULL[1] }])
  expect((await app.as('ana')('POST', `/messages/${id}`, { body: 'a text' })).status).toBe(200)
})

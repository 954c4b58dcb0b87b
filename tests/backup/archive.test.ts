import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { format, type Head, version, writeArchive } from '#app/backup/archive.ts'

let place: string
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), `guiche-test-${process.pid}-`))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const begun = async () => {
  const head = { format, version, madeAt: new Date().toISOString() } as Head
  const archive = await writeArchive(path.join(place, 'night.tar'), randomBytes(32), head)
  const bytes = randomBytes(1_000_000)
  await archive.entry('media/one', bytes.length, [bytes])
  await expect.poll(() => readdirSync(place)).toEqual(['night.tar.part'])
  return archive
}

it('an abandoned archive leaves no file', async () => {
  await (await begun()).abandon()
  expect(readdirSync(place)).toEqual([])
})

it('a finished archive gets its final name', async () => {
  await (await begun()).finish()
  expect(readdirSync(place)).toEqual(['night.tar'])
})

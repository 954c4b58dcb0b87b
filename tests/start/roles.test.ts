import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

let database: FreshDatabase
let store: Store
const dataDir = mkdtempSync(path.join(tmpdir(), 'guiche-roles-'))
beforeAll(async () => {
  database = await freshDatabase()
  store = openStore(database.url, 1)
})
afterAll(async () => {
  await store.db.destroy()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a web process alone logs missing roles and marks connections, and notices their return', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: randomBytes(32).toString('base64'), DEMO: '1', SANDBOX: '1' }
  const web = await startProcess({ ...env, ROLES: 'web' })
  const logged = (text: string) =>
    eventually(
      async () => web.output(),
      (output) => output.includes(text),
    )
  const unleased = async () => {
    const rows = await store.db.selectFrom('connection').select('unleasedSince').execute()
    return rows.map(({ unleasedSince }) => unleasedSince !== null)
  }
  await logged('"role":"projector","msg":"No projector runs; lists and tickets show old data"')
  await logged('"role":"worker","msg":"No worker runs; nothing is received or sent"')
  expect(await unleased()).not.toContain(false)
  const other = await startProcess({ ...env, ROLES: 'projector,worker' })
  await logged('"role":"projector","msg":"Role runs again"')
  await logged('"role":"worker","msg":"Role runs again"')
  await eventually(unleased, (all) => !all.includes(true))
  await other.stop()
  await web.stop()
})

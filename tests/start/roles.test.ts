import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { client, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

let database: FreshDatabase
let store: Store
const masterKey = randomBytes(32).toString('base64') // both tests open one database
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
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey, DEMO: '1', SANDBOX: '1' }
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

it('a web process alone keeps what arrives; worker and projector catch up, also after a kill', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey, DEMO: '1', SANDBOX: '1' }
  const web = await startProcess({ ...env, ROLES: 'web' })
  const admin = client(() => web.url, (await signIn(() => web.url, 'admin@demo.test')).token)
  const missing = async () => (await admin('GET', '/installation')).body.missingRoles
  const ready = async () => (await fetch(`${web.url}/api/ready`)).status
  const says = async (n: number) => {
    const said = { id: `split-${n}`, from: '5511933340001', name: 'Dividida', body: `mensagem ${n}` }
    expect((await admin('POST', '/sandbox/1/inbound', said)).status).toBe(202)
  }
  const found = async () => (await admin('GET', '/tickets?status=search&searchParam=Dividida')).body.tickets
  const bodies = async (id: number) => (await admin('GET', `/messages/${id}`)).body.messages.map(({ body }: { body: string }) => body)
  const got = async () =>
    (await admin('GET', '/sandbox/1/outbox?to=5511933340001')).body.map(({ body }: { body: string }) => body.split('\n').at(-1))

  await eventually(missing, (roles) => roles.length === 2)
  expect([await missing(), await ready()]).toEqual([['projector', 'worker'], 200])
  await says(1)
  await says(2)
  expect(await found()).toEqual([]) // kept in the journal

  const worker = await startProcess({ ...env, ROLES: 'worker' })
  await eventually(missing, (roles) => roles.join() === 'projector')
  const projector = await startProcess({ ...env, ROLES: 'projector' })
  await eventually(missing, (roles) => roles.length === 0)
  const [{ id }] = await eventually(found, (tickets) => tickets.length === 1)
  await eventually(
    () => bodies(id),
    (all) => all.includes('mensagem 2'),
  )
  expect((await admin('PUT', `/tickets/${id}`, { status: 'open', queueId: 1 })).status).toBe(200)

  await projector.kill()
  await eventually(missing, (roles) => roles.join() === 'projector')
  expect(await ready()).toBe(200)
  expect((await admin('POST', `/messages/${id}`, { body: 'resposta' })).status).toBe(202) // stored, not yet shown
  await says(3)
  await eventually(got, (all) => all.includes('resposta')) // sending needs no projector
  expect(await bodies(id)).not.toContain('resposta')
  const other = await startProcess({ ...env, ROLES: 'projector' })
  await eventually(missing, (roles) => roles.length === 0)
  const all = await eventually(
    () => bodies(id),
    (now) => now.includes('mensagem 3') && now.includes('resposta'),
  )
  const ours = all.filter((body: string) => /^(mensagem|resposta)/.test(body))
  expect(ours).toHaveLength(4)
  expect(new Set(ours)).toEqual(new Set(['mensagem 1', 'mensagem 2', 'mensagem 3', 'resposta']))
  expect(ours.slice(0, 2)).toEqual(['mensagem 1', 'mensagem 2'])
  expect((await got()).filter((body: string) => body === 'resposta')).toHaveLength(1)
  for (const one of [other, worker, web]) await one.stop()
})

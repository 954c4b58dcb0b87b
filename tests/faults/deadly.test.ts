import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostDeaths } from '#app/inbound/deaths.ts'
import { lives, type Running, startProcess } from '#tests/support/processes.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

const deadlyWord = 'PALAVRA-QUE-MATA'
const preload = pathToFileURL(path.join(import.meta.dirname, '../support/dies-at-word.ts')).href
let app: TestApp
let env: Record<string, string>
let worker: Running | undefined
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  const { connectionString, config } = app.ctx
  env = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: config.dataDir, MASTER_KEY: config.masterKey!.toString('base64') },
    ...{ DEMO: '0', SANDBOX: '1', ROLES: 'worker', NODE_OPTIONS: `--import=${preload}`, DEADLY_WORD: deadlyWord },
  }
})
afterAll(async () => {
  await worker?.kill()
  await app?.stop()
})

it('a message that kills its process three times is set aside, and all others are processed', async () => {
  await app.phone.says('5511955511001', 'antes')
  await app.phone.says('5511955511002', deadlyWord)
  await app.phone.says('5511955511002', 'da mesma pessoa')
  await app.phone.says('5511955511003', 'depois')
  const state = () => app.db.selectFrom('inboundEvent').select(['deaths', 'refused', 'doneAt']).orderBy('id').execute()
  for (let deaths = 0; deaths < mostDeaths; deaths++) {
    const now = await startProcess(env)
    await eventually(
      async () => lives(now),
      (alive) => !alive,
    )
  }
  worker = await startProcess(env)
  const rows = await eventually(state, (all) => all.every(({ doneAt }) => doneAt !== null))
  expect(rows.map(({ refused }) => refused)).toEqual([null, 'ERR_INTERNAL', null, null])
  expect(rows[1]!.deaths).toBe(mostDeaths)
  await app.settled()
  const bodies = await app.db.selectFrom('message').select('body').orderBy('id').execute()
  expect(bodies.map(({ body }) => body).toSorted()).toEqual(['antes', 'da mesma pessoa', 'depois'])
})

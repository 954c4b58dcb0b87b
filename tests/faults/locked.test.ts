import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let scene: Scene
let lock: pg.Client
const lines: { level: number; msg: string; route?: string; err?: { code?: string } }[] = []
beforeAll(async () => {
  app = await startTestApp({ log: (line) => lines.push(JSON.parse(line)) })
  scene = await openScene(app)
  lock = new pg.Client({ connectionString: app.ctx.config.databaseUrl! })
  await lock.connect()
})
afterAll(async () => {
  await lock?.end()
  await app?.stop({ faultsExpected: true }) // the test cuts a connection
})

const waiting = async (text: string): Promise<number[]> => {
  const { rows } = await app.ctx.pool.query(`select pid from pg_stat_activity where wait_event_type = 'Lock' and query like $1`, [text])
  return rows.map(({ pid }) => pid)
}
const reported = (route: string) => lines.filter((line) => line.level >= 40 && line.route === route)

it('a call that waits too long for a lock gets a retryable error, and none is logged', async () => {
  const [tag, queue, fresh] = [await scene.tag(), await scene.queue(), await scene.queue()]
  await lock.query('begin')
  await lock.query('select from queue where id = $1 for update', [queue.id])
  await lock.query('select from tag where id = $1 for update', [tag.id])
  await lock.query('lock table quick_message in access exclusive mode')
  const asked = Promise.all([
    app.as('admin')('DELETE', `/queue/${queue.id}?moveTo=${fresh.id}`),
    app.as('admin')('PUT', `/tags/${tag.id}`, { name: 'Outro nome', color: '#654321' }),
    app.as('ana')('GET', '/quick-messages'),
    app.as('ana')('POST', '/quick-messages', { shortcode: 'trancado', message: 'Olá' }),
  ])
  const answers = await asked
  await lock.query('rollback')
  expect(answers.map(({ status, body }) => [status, body.error, body.message])).toEqual(
    answers.map(() => [503, 'ERR_BUSY', 'Há solicitações demais ao mesmo tempo. Tente de novo.']),
  )
  for (const route of ['/api/queue/:id', '/api/tags/:id', '/api/quick-messages'])
    expect(reported(route).map(({ level, err }) => [level, err?.code])).toContainEqual([40, '55P03'])
  expect((await app.as('admin')('DELETE', `/queue/${queue.id}?moveTo=${fresh.id}`)).status).toBe(204)
})

it('a cancelled statement answers busy, and a cut connection unavailable', async () => {
  const [tag, other] = [await scene.tag(), await scene.tag()]
  const change = (id: number) => app.as('admin')('PUT', `/tags/${id}`, { name: `Nome ${id}`, color: '#654321' })
  await lock.query('begin')
  await lock.query('select from tag where id = any($1) for update', [[tag.id, other.id]])
  const [cancelled, cut] = [change(tag.id), change(other.id)]
  const pids = await eventually(
    () => waiting('%"tag"%'),
    (found) => found.length === 2,
  )
  await lock.query('select pg_cancel_backend($1)', [pids[0]])
  await lock.query('select pg_terminate_backend($1)', [pids[1]])
  const answers = await Promise.all([cancelled, cut])
  await lock.query('rollback')
  expect(answers.map(({ status, body }) => `${status} ${body.error}`).toSorted()).toEqual(['503 ERR_BUSY', '503 ERR_UNAVAILABLE'])
})

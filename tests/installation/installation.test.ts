import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstWords } from '#app/demo/remain.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A web process without the other roles. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.stop())

const missing = async () => (await app.as('admin')('GET', '/installation')).body.missingRoles

it('admins see which roles no process runs, and a restored installation lacks no worker', async () => {
  expect(await missing()).toEqual(['projector', 'worker'])
  expect((await app.as('ana')('GET', '/installation')).status).toBe(403)
  await app.db.insertInto('platformSetting').values({ key: 'restoredFrom', value: '2026-01-05T12:00:00Z' }).execute()
  expect(await missing()).toEqual(['projector'])
  await app.db.deleteFrom('platformSetting').where('key', '=', 'restoredFrom').execute()
})

it('admins see that Redis, the disk or the bucket is down, and no other store', async () => {
  const { Disk, Postgres } = app.ctx.healthChecks
  const away = () => Promise.reject(new Unavailable('away'))
  const unavailable = async () => (await app.as('admin')('GET', '/installation')).body.unavailable
  expect(await unavailable()).toEqual([])
  Object.assign(app.ctx.healthChecks, { Disk: away, Redis: away, S3: away, Postgres: away })
  expect(await unavailable()).toEqual(['Redis', 'Disk', 'S3'])
  Object.assign(app.ctx.healthChecks, { Disk, Postgres })
  delete app.ctx.healthChecks.Redis
  delete app.ctx.healthChecks.S3
})

it('a start with mail and without PUBLIC_URL warns where links lead', async () => {
  const warned = async (config = app.ctx.config) => (await firstWords({ db: app.db, config })).filter((line) => line.includes('PUBLIC_URL'))
  expect(await warned()).toEqual([])
  const mail = { mailHost: 'mail.exemplo.test', mailFrom: 'guiche@exemplo.test' }
  await app.db
    .insertInto('platformSetting')
    .values(Object.entries(mail).map(([key, value]) => ({ key, value })))
    .execute()
  const config = { ...app.ctx.config, host: '0.0.0.0', port: 8080 }
  expect(await warned(config)).toEqual(['WARNING: mail is set up and PUBLIC_URL is not: links in mails lead to http://127.0.0.1:8080.'])
  expect(await warned({ ...config, publicUrl: 'https://inbox.exemplo.test' })).toEqual([])
})

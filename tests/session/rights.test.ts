import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { account, viewerSettings } from '#app/session/viewers.ts'
import { type SettingKey, settings } from '#domain/setting/contract.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* The sockets whose rights are checked again when a setting changes. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Changes the user without a trigger, so that a renewed check finds a difference. */
const behindTheBack = (who: Person) =>
  app.db.transaction().execute(async (tx) => {
    await sql`alter table "user" disable trigger user`.execute(tx)
    await tx
      .updateTable('user')
      .set({ name: `${who} de novo` })
      .where('id', '=', app.company.users[who])
      .execute()
    await sql`alter table "user" enable trigger user`.execute(tx)
  })

it('a setting that affects rights renews the rights of all sockets of its company', async () => {
  const [ana, admin, carla] = await Promise.all((['ana', 'admin', 'carla'] as const).map((who) => app.socket(who)))
  const set = (key: SettingKey, value: string) =>
    app
      .as('bruno')('GET', '/settings')
      .then(() => app.as('admin')('PUT', `/settings/${key}`, { value }))
  const open = admin!.socket.OPEN
  // the presence of a user renews the rights too, so it comes first
  const online = () => app.db.selectFrom('userPresence').select('id').where('online', '=', true).execute()
  await eventually(online, (rows) => rows.length === 3)
  const bruno = app.company.users.bruno
  await app.db.updateTable('user').set({ farewellMessage: 'Até' }).where('id', '=', bruno).execute()
  await admin!.heard(({ channel, id }) => channel.endsWith('-user') && id === bruno)
  await new Promise((resolve) => setTimeout(resolve, 500)) // the checks that presence caused have ended
  for (const who of ['ana', 'carla'] as const) await behindTheBack(who)

  expect((await set('requiredTag', 'enabled')).status).toBe(200)
  for (const line of [ana, carla])
    await line!.heard(({ channel, setting }) => channel.endsWith('-setting') && setting.key === 'requiredTag')
  const named = app.db.updateTable('user').set({ farewellMessage: 'Até logo' }).where('id', '=', app.company.users.carla)
  await named.execute()
  expect(await carla!.closed).toBe(1001) // renewed after the sockets of the setting
  expect([ana!.socket.readyState, admin!.socket.readyState]).toEqual([open, open])

  for (const key of ['enableLGPD', 'lgpdHideNumber'] as const) expect((await set(key, 'enabled')).status).toBe(200)
  expect(await ana!.closed).toBe(1001)
  expect(admin!.socket.readyState).toBe(open) // numbers are never masked for an admin
})

it('only the listed settings affect rights', async () => {
  const {
    db,
    ctx: { clock },
    company,
  } = app
  const viewerWith = async (rows: Partial<Record<SettingKey, string>>) => {
    const values = Object.entries(rows).map(([key, value]) => ({ companyId: company.companies.casa, key, value }))
    await db.deleteFrom('companySetting').where('companyId', '=', company.companies.casa).execute()
    await db.insertInto('companySetting').values(values).execute()
    return (await account(db, clock, company.users.ana))!.viewer
  }
  /* Numbers are hidden, so that both settings count. */
  const stands = { enableLGPD: 'enabled', lgpdHideNumber: 'enabled' }
  const before = await viewerWith(stands)
  const count: string[] = []
  for (const [key, { default: value }] of Object.entries(settings)) {
    const other =
      key === 'timeZone'
        ? 'Asia/Tokyo'
        : (stands as Record<string, string>)[key]
          ? 'disabled'
          : value === 'enabled'
            ? 'disabled'
            : 'enabled'
    if (JSON.stringify(await viewerWith({ ...stands, [key]: other })) !== JSON.stringify(before)) count.push(key)
  }
  expect(count.sort()).toEqual([...viewerSettings].sort())
})

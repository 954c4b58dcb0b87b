import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

/* The versions of hours that an installation has when it begins to keep them. */
let database: FreshDatabase
let store: Store
beforeAll(async () => {
  database = await freshDatabase()
  store = openStore(database.url, 2)
})
afterAll(async () => {
  await store.db.destroy()
  await database.drop()
})

it('are taken from the logs, as far as they go back; otherwise the present value counts since ever', async () => {
  const { db } = store
  await migrate(db, '0026_ticket_created')
  const week = (end: string) => [{ weekdayEn: 'monday', startTimeA: '08:00', endTimeA: end, startTimeB: '', endTimeB: '' }]
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  await sql`insert into company (id, name, schedules) overriding system value values (1, 'Lume', ${json(week('17:00'))})`.execute(db)
  await sql`insert into queue (id, company_id, name, color, schedules) overriding system value values (5, 1, 'Vendas', '#112233', ${json(week('20:00'))})`.execute(
    db,
  )
  await sql`insert into company_setting (company_id, key, value) values (1, 'scheduleType', 'company'), (1, 'userRating', 'enabled')`.execute(
    db,
  )
  await sql`insert into holiday (company_id, date, name) values (1, '2026-12-25', 'Natal')`.execute(db)
  const change = (at: string, before: object, after: object) =>
    sql`insert into audit (company_id, user_id, list, row_id, act, before, after, at)
      values (1, 7, 'company', 1, 'changed', ${json(before)}, ${json(after)}, ${at})`.execute(db)
  await change('2026-10-01T12:00Z', { schedules: week('15:00') }, { schedules: week('16:00') })
  await change('2026-10-02T12:00Z', { holidays: [] }, { holidays: [{ date: '2026-12-25', name: 'Natal' }] })
  await change('2026-11-01T12:00Z', { schedules: week('16:00') }, { schedules: week('17:00') })
  await sql`insert into security_event (company_id, n, at, kind, detail, hash)
    values (1, 1, '2026-10-05T12:00Z', 'settingChanged', ${json({ setting: 'scheduleType', from: 'disabled', to: 'company' })}, '')`.execute(
    db,
  )
  await migrate(db)
  const { rows } = await sql<{ kind: string; since: string; value: unknown }>`
    select kind, valid_from::date::text as since, value from rule_version order by kind, valid_from`.execute(db)
  expect(rows.map(({ kind, since, value }) => [kind, since, value])).toEqual([
    ['company', '-infinity', week('15:00')],
    ['company', '2026-10-01', week('16:00')],
    ['company', '2026-11-01', week('17:00')],
    ['holidays', '-infinity', []],
    ['holidays', '2026-10-02', ['2026-12-25']],
    ['queue', '-infinity', week('20:00')],
    ['scheduleType', '-infinity', 'disabled'],
    ['scheduleType', '2026-10-05', 'company'],
  ])
})

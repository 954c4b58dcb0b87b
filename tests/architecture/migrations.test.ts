import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate, newerMigrations } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

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

type Column = { type: string; required: boolean }
type Shape = { columns: Map<string, Column>; routines: Set<string> }

async function shapeOf(db: Kysely<any>): Promise<Shape> {
  const columns = await sql<{ name: string; type: string; required: boolean }>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as required
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped`.execute(db)
  const routines = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(db)
  return {
    columns: new Map(columns.rows.map(({ name, type, required }) => [name, { type, required }])),
    routines: new Set(routines.rows.map(({ name }) => name)),
  }
}

/** Indexes and triggers as Postgres writes them. */
async function attachedTo(db: Kysely<any>): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`
    select indexdef as said from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`.execute(db)
  return rows.map(({ said }) => said.replaceAll('public.', '')).sort()
}

const tableOf = (column: string) => column.slice(0, column.indexOf('.'))

/** What the previous release would miss, or would have to supply without knowing it. */
function broken(before: Shape, after: Shape): string[] {
  const tables = new Set([...before.columns.keys()].map(tableOf))
  const left = new Set([...after.columns.keys()].map(tableOf))
  const gone = [...before.columns].flatMap(([name, was]) => {
    const now = after.columns.get(name)
    if (!now) return [`${left.has(tableOf(name)) ? name : tableOf(name)} is gone`]
    if (now.type !== was.type) return [`${name} was ${was.type} and is ${now.type}`]
    return now.required && !was.required ? [`${name} has to be given`] : []
  })
  const asked = [...after.columns].filter(([name, { required }]) => required && !before.columns.has(name) && tables.has(tableOf(name)))
  const routines = [...before.routines].filter((name) => !after.routines.has(name)).map((name) => `${name} is gone`)
  return [...new Set(gone), ...asked.map(([name]) => `${name} has to be given`), ...routines]
}

it('a migration removes, renames, retypes and requires nothing that the previous release uses', async () => {
  const all = await readdir(new URL('../../migrations', import.meta.url))
  const files = all.flatMap((name) => (name.endsWith('.ts') ? [name.slice(0, -3)] : [])).sort()
  let before: Shape | null = null
  const found: string[][] = []
  for (const name of files) {
    await migrate(store.db, name)
    const after = await shapeOf(store.db)
    if (before) for (const what of broken(before, after)) found.push([name, what])
    before = after
  }
  expect(files.length).toBeGreaterThan(5)
  expect(found).toEqual([])
})

it.each([
  ['alter table company drop column last_login', 'company.last_login is gone'],
  ['alter table company rename column name to title', 'company.name is gone'],
  ['alter table company alter column name type varchar(20)', 'company.name was text and is character varying(20)'],
  ['alter table company alter column plan_id set not null', 'company.plan_id has to be given'],
  ['alter table company alter column status drop default', 'company.status has to be given'],
  ['alter table company add column country text not null', 'company.country has to be given'],
  ['drop function append_events(jsonb)', 'append_events(jsonb) is gone'],
  ['drop table deadline', 'deadline is gone'],
])('the check detects %s', async (change, what) => {
  await migrate(store.db)
  const before = await shapeOf(store.db)
  await store.db
    .transaction()
    .execute(async (tx) => {
      await sql.raw(change).execute(tx)
      expect(broken(before, await shapeOf(tx))).toContain(what)
      throw new Error('taken back')
    })
    .catch((error: Error) => expect(error.message).toBe('taken back'))
})

it('the migrations create exactly the listed indexes and triggers', async () => {
  await migrate(store.db)
  const lines = readFileSync(new URL('indexes-and-triggers.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  expect(await attachedTo(store.db)).toEqual(lines.sort())
})

/** Indexes whose columns are the first columns of another index of the same table. */
const needless = async (db: Kysely<any>) => {
  const { rows } = await sql<{ name: string }>`
    select distinct a.indexrelid::regclass::text as name from pg_index a
      join pg_index b on b.indrelid = a.indrelid and b.indexrelid <> a.indexrelid
      join pg_class c on c.oid = a.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_class ca on ca.oid = a.indexrelid join pg_class cb on cb.oid = b.indexrelid
    where not a.indisunique and ca.relam = cb.relam and a.indexprs is null and b.indexprs is null
      and coalesce(pg_get_expr(a.indpred, a.indrelid), '') = coalesce(pg_get_expr(b.indpred, b.indrelid), '')
      and b.indkey::text || ' ' like a.indkey::text || ' %' and b.indcollation::text || ' ' like a.indcollation::text || ' %' and b.indoption::text || ' ' like a.indoption::text || ' %'`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
it('no index is the beginning of another index of its table', async () => {
  await migrate(store.db)
  expect(await needless(store.db)).toEqual([])
  await sql`create index anchor_of_company on anchor (company_id)`.execute(store.db)
  expect(await needless(store.db)).toEqual(['anchor_of_company'])
  await sql`drop index anchor_of_company`.execute(store.db)
})

it('the check accepts additions, also a table with required columns', async () => {
  await migrate(store.db)
  const before = await shapeOf(store.db)
  await sql`alter table company add column country text, add column size int not null default 1`.execute(store.db)
  await sql`create table fair (id int not null, company_id int not null)`.execute(store.db)
  expect(broken(before, await shapeOf(store.db))).toEqual([])
})

it('an older release works with the schema of a newer one', async () => {
  await migrate(store.db)
  await sql`insert into kysely_migration (name, timestamp) values ('9001_of_tomorrow', '2099-01-01')`.execute(store.db)
  expect(await migrate(store.db)).toEqual([])
  expect(await newerMigrations(store.db)).toEqual(['9001_of_tomorrow'])
})

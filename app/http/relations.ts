import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Related } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { changeFile, fileNames, fileOf } from '../storage/row-file.ts'

/** The table of a plain list and its relations. */
export type Listed = { table: string; file?: true; related?: Record<string, Related | undefined>; Row: { properties: object } }
type Many = Extract<Related, { through: string }>

const relations = (of: Listed) => Object.entries(of.related ?? {}) as [string, Related][]
const many = (of: Listed) => relations(of).filter((one): one is [string, Many] => one[1].through !== undefined)

/** Returns the fields of a body that are columns of the row. */
export function ownColumns<Body extends object>(of: Listed, body: Body): Own<Body> {
  const others = new Set(['media', ...many(of).map(([ids]) => ids)])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !others.has(name))) as Own<Body>
}
type Own<Body> = { [N in keyof Body as N extends 'media' | `${string}Ids` ? never : N]: Body[N] }

/** Selects the rows of a company with the ids of their relations and with the related rows. */
export function rowsIn(on: Kysely<any>, of: Listed, companyId: number) {
  const listed = (value: RawBuilder<unknown>, { through, mine, theirs, table }: Many, order = 'id') => sql<unknown[]>`
    coalesce((select jsonb_agg(${value} order by ${sql.ref(`r.${order}`)}, r.id) from ${sql.table(through)} p join ${sql.table(table)} r on r.id = ${sql.ref(`p.${theirs}`)}
      where ${sql.ref(`p.${mine}`)} = ${sql.ref(`${of.table}.id`)}), '[]')`
  const columns = many(of).flatMap(([ids, one]) => {
    const columns = ['id', ...one.columns].flatMap((name) => [sql.lit(name), sql.ref(`r.${name}`)])
    return [listed(sql`r.id`, one).as(ids), listed(sql`jsonb_build_object(${sql.join(columns)})`, one, one.order).as(one.as)]
  })
  const others = new Set([...(of.file ? fileNames : []), ...many(of).flatMap(([ids, { as: field }]) => [ids, field])])
  const own = Object.keys(of.Row.properties).filter((name) => !others.has(name))
  return on
    .selectFrom(of.table)
    .select([...own, ...columns, ...(of.file ? [fileOf(of.table)] : [])])
    .where('companyId', '=', companyId)
}

/**
 * Saves the relations in the transaction of the row. Locks the referenced rows of the same company, so that
 * they still exist at commit.
 */
export async function saveRelations(
  on: Kysely<any>,
  of: Listed,
  { companyId }: Viewer,
  body: Record<string, any>,
  save: () => Promise<number>,
): Promise<number> {
  for (const [field, { table, missing, among = {} }] of relations(of)) {
    const wanted = [...new Set([body[field] ?? []].flat() as number[])]
    if (wanted.length === 0) continue
    const theirs = on.selectFrom(table).select('id').where('companyId', '=', companyId).where('id', 'in', wanted)
    const fitting = Object.entries(among).reduce((query, [name, value]) => query.where(name, value === null ? 'is' : '=', value), theirs)
    if ((await fitting.orderBy('id').forKeyShare().execute()).length < wanted.length) refuse(missing, { field })
  }
  const id = await save()
  if (of.file && body.media !== undefined) await changeFile(on, of.table, companyId, id, body.media)
  for (const [field, { through, mine, theirs }] of many(of)) {
    const wanted: number[] | undefined = body[field]
    if (!wanted) continue
    const left = on.deleteFrom(through).where(mine, '=', id)
    await left.$if(wanted.length > 0, (query) => query.where(theirs, 'not in', wanted)).execute()
    const pairs = wanted.map((other) => ({ companyId, [mine]: id, [theirs]: other }))
    if (pairs.length === 0) continue
    const added = on.insertInto(through).values(pairs)
    await added.onConflict((known) => known.doNothing()).execute()
  }
  return id
}

/** Deletes the relations and the file of a row before the row itself. */
export async function deleteRelations(on: Kysely<any>, of: Listed, { companyId }: Viewer, id: number): Promise<void> {
  if (of.file) await changeFile(on, of.table, companyId, id, null)
  for (const [, { through, mine }] of many(of)) await on.deleteFrom(through).where(mine, '=', id).execute()
}

import pg from 'pg'

const half = 'restoring'

/** Which archive a restore has begun with and not finished. */
export async function begun(client: Pick<pg.Client, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ archive: string }>(
    `select coalesce(obj_description(oid, 'pg_namespace'), '') as archive from pg_namespace where nspname = '${half}'`,
  )
  return rows[0]?.archive ?? null
}
export async function mark(client: pg.Client, archive: string): Promise<void> {
  await client.query(`create schema if not exists ${half}`)
  await client.query(`comment on schema ${half} is ${pg.escapeLiteral(archive)}`)
}
export const unmark = (client: pg.Client): Promise<unknown> => client.query(`drop schema if exists ${half}`)

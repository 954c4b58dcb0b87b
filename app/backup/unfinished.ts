import pg from 'pg'

const markerSchema = 'restoring'

/** The id of the archive whose restore was not finished; null if there is none. */
export async function begun(client: Pick<pg.Client, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ archive: string }>(
    `select coalesce(obj_description(oid, 'pg_namespace'), '') as archive from pg_namespace where nspname = '${markerSchema}'`,
  )
  return rows[0]?.archive ?? null
}
export async function mark(client: pg.Client, archive: string): Promise<void> {
  await client.query(`create schema if not exists ${markerSchema}`)
  await client.query(`comment on schema ${markerSchema} is ${pg.escapeLiteral(archive)}`)
}
export const unmark = (client: pg.Client): Promise<unknown> => client.query(`drop schema if exists ${markerSchema}`)

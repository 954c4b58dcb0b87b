import { createHash } from 'node:crypto'
import pg from 'pg'

/** The role of the server: it owns the database and its objects and has no other rights. */
export const owner = 'guiche'

/** Derived from the superuser's password by a one-way hash. */
export const ownerPassword = (superuser: string) => createHash('sha256').update(`${owner} ${superuser}`).digest('base64url')

/** Creates the role once, as superuser, with the extensions that only a superuser may create, and gives it the database. */
export async function settleOwner(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ settled: boolean }>(
      `select pg_get_userbyid(datdba) = $1 as settled from pg_database where datname = current_database()`,
      [owner],
    )
    if (!rows[0]!.settled) await client.query(settling(password))
  } finally {
    await client.end()
  }
}

/** One transaction; `settleOwner` checks for its last step. */
const settling = (password: string) => `
  begin;
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${owner}') then
      create role ${owner} login nosuperuser nocreatedb nocreaterole password '${password}';
    end if;
    create extension if not exists pg_trgm;
    create extension if not exists unaccent;
    execute format('alter database %I owner to ${owner}', current_database());
  end $$;
  commit;`

import { createHash } from 'node:crypto'
import pg from 'pg'

/** The role of the server: it owns the database and its objects and has no other rights. */
export const owner = 'guiche'

/** Derived from the superuser's password by a one-way hash. */
export const ownerPassword = (superuser: string) => createHash('sha256').update(`${owner} ${superuser}`).digest('base64url')

/** Creates the role once, as superuser, and gives it the objects that an earlier release created as superuser. */
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

/**
 * One transaction; `settleOwner` checks for its last step. Identity sequences change owner with their tables. Objects of extensions keep
 * their owner.
 */
const settling = (password: string) => `
  begin;
  do $$
  declare one record;
  begin
    if not exists (select from pg_roles where rolname = '${owner}') then
      create role ${owner} login nosuperuser nocreatedb nocreaterole password '${password}';
    end if;
    create extension if not exists pg_trgm;
    create extension if not exists unaccent;
    for one in select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') loop
      execute format('alter schema %I owner to ${owner}', one.nspname);
    end loop;
    for one in
      select c.oid::regclass as name, case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'i', 'a') and (d.deptype = 'e' or c.relkind = 'S'))
    loop
      execute format('alter %s %s owner to ${owner}', one.kind, one.name);
    end loop;
    for one in
      select p.oid::regprocedure as name, case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end as kind
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    loop
      execute format('alter %s %s owner to ${owner}', one.kind, one.name);
    end loop;
    for one in
      select t.oid::regtype as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.typtype in ('e', 'd') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
    loop
      execute format('alter type %s owner to ${owner}', one.name);
    end loop;
    execute format('alter database %I owner to ${owner}', current_database());
  end $$;
  commit;`

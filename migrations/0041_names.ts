import { type Kysely, sql } from 'kysely'

/**
 * Names that read the same are the same, whatever their capitals, accents and spaces. Of old rows that are, the later ones get a number,
 * and a shortcode loses the slash that every list writes before it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tag add column user_id integer`.execute(db)
  await sql`
    create function same_name(text) returns text language sql immutable strict parallel safe as
    $$ select public.plain(regexp_replace(btrim($1), '\\s+', ' ', 'g')) $$`.execute(db)
  await sql`
    update quick_message set shortcode = regexp_replace(shortcode, '^[/\\s]+', '')
    where shortcode ~ '^[/\\s]+\\S' and not exists (
      select from quick_message other where other.company_id = quick_message.company_id
        and coalesce(other.user_id, 0) = coalesce(quick_message.user_id, 0)
        and lower(other.shortcode) = lower(regexp_replace(quick_message.shortcode, '^[/\\s]+', '')))`.execute(db)
  for (const [table, column, within] of [
    ['queue', 'name', 'company_id'],
    ['tag', 'name', 'company_id, kanban'],
    ['quick_message', 'shortcode', 'company_id, coalesce(user_id, 0)'],
    ['quick_message', 'shortcode', 'company_id, geral'],
  ] as const)
    await sql`
      update ${sql.table(table)} t set ${sql.ref(column)} = t.${sql.ref(column)} || '-' || t.id
      from (select id, row_number() over (partition by ${sql.raw(within)}, same_name(${sql.ref(column)}) order by id) as n
        from ${sql.table(table)} ${within.endsWith('geral') ? sql`where geral` : sql``}) found
      where found.id = t.id and found.n > 1`.execute(db)
  await sql`create unique index queue_name on queue (company_id, same_name(name))`.execute(db)
  await sql`create unique index tag_name on tag (company_id, kanban, same_name(name))`.execute(db)
  await sql`create unique index quick_message_own on quick_message (company_id, coalesce(user_id, 0), same_name(shortcode))`.execute(db)
  await sql`create unique index quick_message_shared on quick_message (company_id, same_name(shortcode)) where geral`.execute(db)
}

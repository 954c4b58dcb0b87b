import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { places } from '#app/data-request/places.ts'
import { savedTexts } from '#app/data-request/saved-texts.ts'
import { openTables } from '#tests/support/tables.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables?.drop())

/** Tables and columns that no erasure has to search, by reason. */
const exceptions: Record<string, string> = {
  'written again from the events, which no longer open': 'message note ticket ticket_log',
  'personal fields are sealed, and redacted event by event': 'event redaction',
  'the contact’s own data: cleared for the person, and kept for another one of the same name':
    'contact.name contact.number contact.number_key contact.email contact.url_picture contact.lgpd_text',
  'belongs to the erasure: the person is cleared at its end, and a digest stays': 'data_request erased_identity',
  'texts of the company for all its customers, and its users':
    'company company_setting connection holiday menu_option plan platform_setting queue rule_version tag.greeting_message_lane user',
  'ids of rows, kinds, states, numbers and colours': `audit.list audit.act bulk_operation bulk_operation_error checkpoint clock_offset contact.channel connection_gap connection_lease deadline
    parked_stream projector_skip read_model report_filter.mail report_mail row_file.list row_file.key sandbox_fault scheduled_task security_event
    tag.color ticket_chain ticket_closing ticket_counter ticket_fact ticket_history ticket_interval traffic traffic_sum worker`,
  'keys, hashes and tokens': `anchor connection_token contact_key event_mac_key idempotency_key login_failure master_key meta_account meta_login password_link secret_setting
    session signing_key snapshot snapshot_key snapshot_past wa_account`,
  'names of stored files are random; the files of the person are removed': 'media upload_reservation',
  'encrypted blocks that wait for their import, in which the import skips the person': 'wa_history',
  'belongs to the migrations': 'kysely_migration kysely_migration_lock',
}

it('every column that can hold a text is searched by an erasure, or is an exception with a reason (A-ERASE-02)', async () => {
  const { rows: columns } = await sql<{ table: string; column: string; isText: boolean }>`
    select c.table_name as "table", c.column_name as "column",
      c.udt_name in ('text', 'varchar', 'json', 'jsonb', '_text', '_jsonb', 'bytea') as is_text
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema = 'public'`.execute(tables.db)
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const searched = [
    ...places.map(({ table }) => snake(table)),
    ...savedTexts.map(({ table, column }) => `${snake(table)}.${snake(column)}`),
  ]
  const excepted = Object.values(exceptions).flatMap((names) => names.split(/\s+/))
  const known = new Set([...searched, ...excepted])
  const named = ({ table, column }: { table: string; column: string }) => [table, `${table}.${column}`]
  const missed = columns.filter((one) => one.isText && !named(one).some((name) => known.has(name)))
  expect(missed.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  const present = new Set(columns.flatMap(named))
  expect([...known].filter((name) => !present.has(name))).toEqual([])
  expect(excepted.filter((name) => searched.includes(name))).toEqual([])
})

import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { WorkRow } from '#domain/bulk-operation/contract.ts'
import { numberKey, phoneNetwork } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { inOneCommit, startWork } from '../bulk-operation/bulk-operations.ts'
import type { AppContext } from '../context.ts'
import { lockIds } from '../scheduler/locks.ts'
import { mostRows, stagedRows } from './stage.ts'

/** Where a phone knows a person from. */
export type PhoneSource = 'inBook' | 'inChats'
/** `number`: digits with the country code. `name` is empty if the phone knows none. */
export type PhonePerson = { number: string; name: string; source: PhoneSource }

/** Stores people of a phone's address book or chats. A name of the address book replaces one of the chats. */
export async function storePhonePeople(
  db: Kysely<Database>,
  { id: connectionId, companyId }: { id: number; companyId: number },
  people: PhonePerson[],
): Promise<void> {
  const rows = people.map(({ number, name, source }) => ({
    ...{ connectionId, companyId, number, name: name.replaceAll('\0', '').toWellFormed().slice(0, 250) },
    ...{ numberKey: numberKey(number), inBook: source === 'inBook', inChats: source === 'inChats' },
  }))
  /* A chat may be listed twice, by number and by id, and only once with a name. The fixed order prevents deadlocks. */
  const named = rows.toSorted((a, b) => Number(a.name !== '') - Number(b.name !== ''))
  const once = [...new Map(named.map((row) => [row.numberKey, row])).values()].toSorted((a, b) => (a.numberKey < b.numberKey ? -1 : 1))
  for (let n = 0; n < once.length; n += 500)
    await db
      .insertInto('phoneBook')
      .values(once.slice(n, n + 500))
      .onConflict((known) =>
        known.columns(['connectionId', 'numberKey']).doUpdateSet({
          name: sql`case when excluded.name <> '' and (excluded.in_book or not phone_book.in_book) then excluded.name else phone_book.name end`,
          inBook: sql`phone_book.in_book or excluded.in_book`,
          inChats: sql`phone_book.in_chats or excluded.in_chats`,
        }),
      )
      .execute()
}

/** Imports what the phone of the default connection has sent (A-IMP-01). The same command answers the same operation. */
export function importFromPhone(
  deps: Pick<AppContext, 'db' | 'enqueue'>,
  viewer: Viewer,
  source: PhoneSource,
  commandId: string,
): Promise<{ importId: number; work: WorkRow }> {
  const { companyId, id: userId } = viewer
  return inOneCommit(deps, async (on) => {
    await sql`select pg_advisory_xact_lock(${lockIds.phoneImport}, ${userId})`.execute(on.db)
    const known = on.db.selectFrom('bulkOperation').select('args').where('companyId', '=', companyId).where('userId', '=', userId)
    const earlier = await known.where('commandId', '=', commandId).executeTakeFirst()
    const importId = earlier?.args.importId ?? (await stagePeople(on.db, viewer, source))
    const items = await stagedRows(on.db, importId)
    const work = await startWork(on, { companyId, userId, commandId, kind: 'importContacts', items, args: { importId } })
    await on.db.updateTable('contactImport').set({ workId: work.id }).where('id', '=', importId).execute()
    return { importId, work }
  })
}

async function stagePeople(on: Kysely<Database>, { companyId, id: userId }: Viewer, source: PhoneSource): Promise<number> {
  const connections = on.selectFrom('connection').select('id').where('companyId', '=', companyId).where('channel', '=', phoneNetwork)
  const { id: connectionId } = (await connections.where('isDefault', '=', true).executeTakeFirst()) ?? refuse('ERR_NO_DEF_WAPP_FOUND')
  const table = { companyId, userId, name: '', hasHeader: false, encoding: null, separator: null, existing: 'names' as const, workId: null }
  const { id } = await on
    .insertInto('contactImport')
    .values({ ...table, columns: '["",""]', fields: '["name","number"]', checked: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { numAffectedRows } = await sql`
    insert into contact_import_row (import_id, row, company_id, cells)
    select ${id}, row_number() over (order by name, number), ${companyId}, jsonb_build_array(case name when '' then '+' || number else name end, '+' || number)
    from phone_book where connection_id = ${connectionId} and ${source === 'inBook' ? sql`in_book` : sql`in_chats`}`.execute(on)
  const total = Number(numAffectedRows ?? 0n)
  if (total === 0) refuse('ERR_IMPORT_PHONE')
  if (total > mostRows) refuse('ERR_IMPORT_ROWS', { limit: mostRows })
  await on.updateTable('contactImport').set({ total }).where('id', '=', id).execute()
  return id
}

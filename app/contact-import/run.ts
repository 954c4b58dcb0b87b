import { type Kysely, sql } from 'kysely'
import { contactFieldsIn } from '#domain/contact-field/rules.ts'
import { importedContact } from '#domain/contact-import/rules.ts'
import { type ErrorCode, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { LongWork } from '../bulk-operation/bulk-operations.ts'
import { createNumberCheck } from '../contact/number-check.ts'
import type { AppContext } from '../context.ts'
import { settingsOf } from '../setting/read.ts'
import { knownContacts, type Reading, readRow, typedRow } from './check.ts'
import { saveContact } from './save-contact.ts'

/** Imports one row of a table. Its outcome is stored with the contact, so that a row is never imported twice. */
export const importContacts: LongWork = {
  async each(row, { companyId, userId, args }, ctx) {
    const { db } = ctx
    const importId = args.importId!
    const reading = await settingsOf(db, companyId)
    const number = await numberToCheck(db, { importId, row, companyId, reading })
    if (number !== null) await checkOf(ctx).refuseUnknownInTurn(companyId, number)
    return db.transaction().execute(async (on) => {
      const staged = await on
        .selectFrom('contactImportRow as r')
        .innerJoin('contactImport as i', 'i.id', 'r.importId')
        .select(['r.cells', 'r.error', 'r.outcome', 'i.fields', 'i.columns', 'i.existing'])
        .where('r.importId', '=', importId)
        .where('r.row', '=', row)
        .where('r.companyId', '=', companyId)
        .forUpdate('r')
        .executeTakeFirst()
      if (!staged) return refuse('ERR_NOT_FOUND')
      if (staged.outcome !== null) return staged.outcome !== 'unchanged'
      if (staged.error !== null) refuse(staged.error as ErrorCode)
      const contact = importedContact(typedRow(staged, staged.cells), reading.phoneCountry, contactFieldsIn(reading.contactFields))
      const { outcome } = await saveContact(on, { id: userId, companyId }, contact, staged.existing ?? 'update')
      await on.updateTable('contactImportRow').set({ outcome }).where('importId', '=', importId).where('row', '=', row).execute()
      return outcome !== 'unchanged'
    })
  },
  end: ({ args }, { db }) => forgetCells(db, args.importId!),
}

/** The number of a new contact, if the person who imports has asked to check numbers on the network. */
async function numberToCheck(
  db: Kysely<Database>,
  { importId, row, companyId, reading }: { importId: number; row: number; companyId: number; reading: Reading },
): Promise<string | null> {
  const table = db.selectFrom('contactImport').select(['checksNetwork', 'fields', 'columns']).where('id', '=', importId)
  const found = await table.executeTakeFirst()
  if (!found?.checksNetwork) return null
  const waiting = db.selectFrom('contactImportRow').select('cells').where('importId', '=', importId).where('row', '=', row)
  const staged = await waiting.where('companyId', '=', companyId).where('outcome', 'is', null).where('error', 'is', null).executeTakeFirst()
  const contact = staged ? readRow(typedRow(found, staged.cells), reading).contact : null
  if (!contact || (await knownContacts(db, companyId, [contact.numberKey])).size > 0) return null
  return contact.number
}
const checks = new WeakMap<AppContext, ReturnType<typeof createNumberCheck>>()
function checkOf(ctx: AppContext) {
  const check = checks.get(ctx) ?? createNumberCheck(ctx)
  checks.set(ctx, check)
  return check
}

/** The cells of imported rows and of rows left out are not needed any more; those of ignored rows are for the error file. */
async function forgetCells(db: Kysely<Database>, importId: number): Promise<void> {
  const rows = db.updateTable('contactImportRow').where('importId', '=', importId)
  await rows
    .set({ cells: '[]', numberKey: null })
    .where(({ eb, or }) => or([eb('outcome', 'is not', null), eb('leftOut', '=', true)]))
    .execute()
}

/** A table that was not imported is deleted after a day, and an imported one after a week. */
export async function deleteOldImports({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await db
    .deleteFrom('contactImport')
    .where(sql<boolean>`created_at < now() - case when work_id is null then interval '1 day' else interval '7 days' end`)
    .execute()
}

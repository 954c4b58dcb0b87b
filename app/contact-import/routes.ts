import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { contactFieldsIn } from '#domain/contact-field/rules.ts'
import type { contactImports, ImportTable } from '#domain/contact-import/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { inOneCommit, startWork } from '../bulk-operation/bulk-operations.ts'
import type { AppContext } from '../context.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'
import { checkRows, type Fields, refuseFields, refuseRepeated } from './check.ts'
import { errorSheet } from './error-sheet.ts'
import { importFromPhone } from './phone-book.ts'
import { rowsPage, tableAnswer } from './preview.ts'
import { sampleSheet } from './sample.ts'
import { countStaged, stagedRows, stageFile } from './stage.ts'

type Deps = Pick<AppContext, 'db' | 'enqueue'>

export const beforeUpload = (): UploadGuard<typeof contactImports> => ({ upload: async () => ({}) })

const tables = (db: Kysely<Database>, { companyId, id: userId }: Viewer) =>
  db.selectFrom('contactImport').selectAll().where('companyId', '=', companyId).where('userId', '=', userId)
const languageOf = async (db: Kysely<Database>, { id }: Viewer) =>
  (await db.selectFrom('user').select('language').where('id', '=', id).executeTakeFirstOrThrow()).language
const one = async (db: Kysely<Database>, viewer: Viewer, id: number) =>
  (await tables(db, viewer).where('id', '=', id).executeTakeFirst()) ?? refuse('ERR_NOT_FOUND')

export const contactImportRoutes = (deps: Deps): Handlers<typeof contactImports> => {
  const { db } = deps
  return {
    async upload({ viewer, files: [file, ...more], body }) {
      if (!file || more.length > 0) refuse('ERR_IMPORT_FILE') // R-CIMPORT-04
      const typed = contactFieldsIn((await settingsOf(db, viewer.companyId)).contactFields)
      const reading = { fields: typed, language: await languageOf(db, viewer) }
      const { id, openQuotes } = await stageFile(db, viewer, file, body, reading)
      const { fields } = await one(db, viewer, id)
      const table = await checked(db, viewer, id, fields.includes('number') && fields.includes('name') ? fields : null)
      return { ...table, openQuotes }
    },
    async choose({ viewer, params: { id }, body: { fields } }) {
      const { columns, workId } = await one(db, viewer, id)
      if (workId !== null) refuse('ERR_IMPORT_BEGUN')
      if (fields.length !== columns.length) refuse('ERR_INVALID_INPUT', { field: 'fields' })
      refuseFields(fields)
      return checked(db, viewer, id, fields)
    },
    async rows({ viewer, params: { id }, query }) {
      return rowsPage(db, viewer, await one(db, viewer, id), query)
    },
    async chooseRows({ viewer, params: { id }, body: { isChosen, rowNumbers } }) {
      if ((await one(db, viewer, id)).workId !== null) refuse('ERR_IMPORT_BEGUN')
      const table = db.updateTable('contactImportRow').set({ leftOut: !isChosen }).where('importId', '=', id)
      await table.$if(rowNumbers !== undefined, (some) => some.where(sql<boolean>`row = any(${rowNumbers}::int[])`)).execute()
      await refuseRepeated(db, id)
      return tableAnswer(db, viewer, await one(db, viewer, id))
    },
    async sample({ viewer }) {
      return sampleSheet(await languageOf(db, viewer), viewer.timeZone)
    },
    begin: ({ viewer, params: { id }, body, commandId }) => begin(deps, viewer, id, body, commandId),
    phoneBook: ({ viewer, commandId }) => importFromPhone(deps, viewer, 'inBook', commandId),
    phoneChats: ({ viewer, commandId }) => importFromPhone(deps, viewer, 'inChats', commandId),
    async result({ viewer, params: { id } }) {
      const { workId } = await one(db, viewer, id)
      const total = await countStaged(db, id)
      const rows = db.selectFrom('contactImportRow').where('importId', '=', id).where('outcome', 'is not', null)
      const counted = await rows
        .select(['outcome', db.fn.countAll<string>().as('n')])
        .groupBy('outcome')
        .execute()
      const count = (outcome: string) => Number(counted.find((row) => row.outcome === outcome)?.n ?? 0)
      const work =
        workId === null ? undefined : await db.selectFrom('bulkOperation').select('failed').where('id', '=', workId).executeTakeFirst()
      const [created, updated, unchanged] = [count('created'), count('updated'), count('unchanged')]
      return { total, created, updated, unchanged, ignored: work?.failed ?? 0 }
    },
    async errorFile({ viewer, params: { workId } }) {
      const { companyId, timeZone } = viewer
      const table = (await tables(db, viewer).where('workId', '=', workId).executeTakeFirst()) ?? refuse('ERR_NOT_FOUND')
      return errorSheet(db, { id: workId, companyId, columns: table }, await languageOf(db, viewer), timeZone)
    },
  }
}

/** Checks the rows with these fields, and answers the table. Null: no fields are chosen yet. */
async function checked(db: Kysely<Database>, viewer: Viewer, id: number, fields: Fields | null): Promise<ImportTable> {
  const table = db.updateTable('contactImport').where('id', '=', id).where('workId', 'is', null)
  if (fields) {
    await table.set({ fields: JSON.stringify(fields), checked: false }).execute()
    const reading = await settingsOf(db, viewer.companyId)
    const { columns } = await one(db, viewer, id)
    await checkRows(db, { id, companyId: viewer.companyId, columns, fields, reading })
    await table.set({ checked: true }).execute()
  }
  return tableAnswer(db, viewer, await one(db, viewer, id))
}

type Chosen = { existing: 'update' | 'keep'; validateContact?: 'true' | 'false' }
/** A table begins once. The same command answers the same operation. */
async function begin({ db, enqueue }: Deps, viewer: Viewer, id: number, chosen: Chosen, commandId: string) {
  const { companyId, id: userId } = viewer
  const { checked: isChecked, workId: begun, fields } = await one(db, viewer, id)
  if (!isChecked) {
    refuseFields(fields)
    refuse('ERR_IMPORT_CHECKING')
  }
  if (begun !== null) {
    const work = db.selectFrom('bulkOperation').select('id').where('id', '=', begun).where('commandId', '=', commandId)
    if (!(await work.executeTakeFirst())) refuse('ERR_IMPORT_BEGUN')
  }
  const items = await stagedRows(db, id)
  if (items.length === 0) refuse('ERR_IMPORT_NO_ROWS') // R-CIMPORT-02
  return inOneCommit({ db, enqueue }, async ({ db: on, enqueue: later }) => {
    const table = on.selectFrom('contactImport').select('workId').where('id', '=', id).forUpdate()
    const { workId } = await table.executeTakeFirstOrThrow()
    const of = { companyId, userId, commandId, kind: 'importContacts' as const, items, args: { importId: id } }
    const started = await startWork({ db: on, enqueue: later }, of)
    if (workId !== null && workId !== started.id) refuse('ERR_IMPORT_BEGUN')
    await on
      .updateTable('contactImport')
      .set({ workId: started.id, existing: chosen.existing, checksNetwork: chosen.validateContact === 'true' })
      .where('id', '=', id)
      .execute()
    return started
  })
}

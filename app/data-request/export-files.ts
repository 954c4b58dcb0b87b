import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { blobsOf } from '../context.ts'

type Deps = Pick<AppContext, 'db' | 'config'>

export const exportKeyOf = ({ id, companyId }: { id: number; companyId: number }): string => `${companyId}/exports/${id}.zip`

/** Ends the exports of these contacts, running ones too, and removes their files. `counts`: how many there were. */
export async function removeExportsOf({ db, config }: Deps, contactIds: number[]): Promise<void> {
  const left = await db
    .updateTable('dataRequest')
    .set({ state: 'expired', finishedAt: sql`coalesce(finished_at, now())` })
    .where('kind', '=', 'export')
    .where('contactId', 'in', contactIds)
    .returning(['id', 'companyId', 'fileKey'])
    .execute()
  for (const { fileKey } of left) if (fileKey !== null) await blobsOf(config).remove(fileKey)
}

/** Forgets the removed files, and returns their number. */
export async function forgetExportsOf(on: Kysely<Database>, contactIds: number[]): Promise<number> {
  const rows = on.updateTable('dataRequest').set({ fileKey: null, fileSize: null }).where('kind', '=', 'export')
  const { numUpdatedRows } = await rows.where('contactId', 'in', contactIds).where('fileKey', 'is not', null).executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Removes the files of exports whose time is over. */
export async function removeExpiredExports({ db, config }: Deps): Promise<void> {
  const due = await db
    .selectFrom('dataRequest')
    .select(['id', 'fileKey'])
    .where('fileKey', 'is not', null)
    .where('expiresAt', '<', sql<string>`now()`)
    .execute()
  for (const { id, fileKey } of due) {
    await blobsOf(config).remove(fileKey!)
    await db.updateTable('dataRequest').set({ state: 'expired', fileKey: null, fileSize: null }).where('id', '=', id).execute()
  }
}

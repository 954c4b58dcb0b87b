import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Upload } from '#domain/contract.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { MediaStore, StoredFile } from './media.ts'
import { settleReservation } from './upload-reservations.ts'

/** The fields of a row's file, by their published names. */
export const fileNames = ['mediaPath', 'mediaName', 'isMedia']
/** Part of a row's change: a stored file, or null to remove the file. */
export type FileChange = { media?: StoredFile | null }

/** Selects the file of a row, for lists whose rows may have one. */
export const fileOf = (list: string) =>
  sql<
    StoredFile['media'] | null
  >`(select f.media from row_file f where f.list = ${sql.lit(list)} and f.row_id = ${sql.ref(`${list}.id`)})`.as('media')

/** Returns the row with the name and URL of its file. */
export function withPath<Row extends { companyId: number }>({ url }: Pick<MediaStore, 'url'>, row: Row): Row {
  const { media, ...rest } = row as Row & { media?: StoredFile['media'] | null }
  const file = { mediaPath: media ? url(row.companyId, media) : null, mediaName: media?.name ?? null, isMedia: Boolean(media) }
  return { ...rest, ...file } as unknown as Row
}

/**
 * Reserves the uploaded file until its row is saved. After a refusal the file is removed at once. After any
 * other error the outcome is unknown, so the sweep decides.
 */
export async function withFile<T>(
  media: MediaStore,
  { companyId }: Viewer,
  files: Upload[],
  save: (change: FileChange) => Promise<T>,
): Promise<T> {
  const [file, ...more] = files
  if (more.length > 0) refuse('ERR_INVALID_INPUT', { field: 'file', rule: 'maxItems' })
  if (!file) return save({})
  const stored = await media.store(companyId, file, 'list')
  try {
    return await save({ media: stored })
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) await media.release({ id: stored.hold, companyId, key: stored.media.key })
    throw error
  }
}

/**
 * Changes the file in the transaction that saves the row. The previous file is removed once nothing else
 * names it.
 */
export async function changeFile(
  on: Kysely<Database>,
  list: string,
  companyId: number,
  rowId: number,
  stored: StoredFile | null,
): Promise<void> {
  const at = { companyId, list, rowId }
  const query = on
    .selectFrom('rowFile')
    .select('key')
    .where((eb) => eb.and(at))
  const before = await query.forUpdate().executeTakeFirst()
  if (stored) {
    const file = { key: stored.media.key, media: JSON.stringify(stored.media) }
    await on
      .insertInto('rowFile')
      .values({ ...at, ...file })
      .onConflict((known) => known.columns(['list', 'rowId']).doUpdateSet(file))
      .execute()
    await settleReservation(on, { id: stored.hold, companyId, key: file.key })
  } else
    await on
      .deleteFrom('rowFile')
      .where((eb) => eb.and(at))
      .execute()
  if (!before || before.key === stored?.media.key) return
  const hold = { id: crypto.randomUUID(), companyId, key: before.key, ticketId: null, size: 0, byPeople: true, at: abandonedAt }
  await on.insertInto('uploadReservation').values(hold).execute()
  await on
    .updateTable('media')
    .set({ named: false })
    .where((eb) => eb.and({ companyId, key: before.key }))
    .execute()
}
/** An age at which the sweep finds a reservation immediately. */
const abandonedAt = '1970-01-01T00:00:00.000Z'
export const abandonedMs = 365 * dayMs

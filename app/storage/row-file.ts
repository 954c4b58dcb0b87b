import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { MediaStore, StoredFile } from './media.ts'
import { settleHold } from './upload-reservations.ts'

/** What a row says of its file, in the published names. */
export const fileNames = ['mediaPath', 'mediaName', 'isMedia']
/** What a change of a row may bring beside its fields: a file that was stored, or null where it goes. */
export type FileChange = { media?: StoredFile | null }

/** Of a list whose rows may have a file: the file, as it is stored. */
export const fileOf = (list: string) =>
  sql<
    StoredFile['media'] | null
  >`(select f.media from row_file f where f.list = ${sql.lit(list)} and f.row_id = ${sql.ref(`${list}.id`)})`.as('media')

/** The row as it is answered: its file has a name and an address. */
export function withPath<Row extends { companyId: number }>({ url }: Pick<MediaStore, 'url'>, row: Row): Row {
  const { media, ...rest } = row as Row & { media?: StoredFile['media'] | null }
  const file = { mediaPath: media ? url(row.companyId, media) : null, mediaName: media?.name ?? null, isMedia: Boolean(media) }
  return { ...rest, ...file } as unknown as Row
}

/**
 * Keeps the file that came with a call until its row is saved with it. Of what is refused it goes at once; of what failed otherwise nobody
 * knows whether it was saved, and the sweep looks.
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

/** In the transaction that saves the row. What it had is given up, and goes once nothing else names it. */
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
    await settleHold(on, { id: stored.hold, companyId, key: file.key })
  } else
    await on
      .deleteFrom('rowFile')
      .where((eb) => eb.and(at))
      .execute()
  if (!before || before.key === stored?.media.key) return
  const hold = { id: crypto.randomUUID(), companyId, key: before.key, ticketId: null, size: 0, byPeople: true, at: givenUp }
  await on.insertInto('uploadReservation').values(hold).execute()
  await on
    .updateTable('media')
    .set({ named: false })
    .where((eb) => eb.and({ companyId, key: before.key }))
    .execute()
}
/** Since then nobody sends a file that a row has given up. */
const givenUp = '1970-01-01T00:00:00.000Z'
export const givenUpMs = 365 * 86_400_000

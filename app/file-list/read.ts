import { type Kysely, sql } from 'kysely'
import type { FileListRow } from '#domain/file-list/contract.ts'
import type { Media } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import type { MediaStore } from '../storage/media.ts'

/** The list name of entry files in `row_file`. */
export const entryFiles = 'fileListOption'
type Entry = { id: number; name: string; media: Media | null }
export type StoredList = Omit<FileListRow, 'options'> & { options: Entry[] }

/** Stored lists, each with its entries in order. */
export const fileListsIn = (db: Kysely<Database>, companyId: number) =>
  db
    .selectFrom('fileList')
    .select(['fileList.id', 'fileList.companyId', 'fileList.version', 'fileList.userId', 'fileList.name', 'fileList.message'])
    .select(
      sql<Entry[]>`coalesce((
        select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'media', f.media) order by o.position, o.id)
        from file_list_option o left join row_file f on f.list = ${sql.lit(entryFiles)} and f.row_id = o.id
        where o.file_list_id = file_list.id), '[]')`.as('options'),
    )
    .where('fileList.companyId', '=', companyId)

/** The list in the published format. */
export const fileListRow = ({ url }: Pick<MediaStore, 'url'>, { options, ...row }: StoredList): FileListRow => ({
  ...row,
  options: options.map(({ id, name, media }) => ({
    ...{ id, name, path: media && url(row.companyId, media), mediaType: media?.mime ?? null, fileName: media?.name ?? null },
  })),
})

/** The text and ordered files that a bot sends (A-BOT-07). Null if the list was deleted. */
export async function filesOf(
  db: Kysely<Database>,
  companyId: number,
  fileListId: number,
): Promise<{ message: string; files: { name: string; media: Media }[] } | null> {
  const row = await fileListsIn(db, companyId).where('fileList.id', '=', fileListId).executeTakeFirst()
  return row ? { message: row.message, files: row.options.flatMap(({ name, media }) => (media ? [{ name, media }] : [])) } : null
}

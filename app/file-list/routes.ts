import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { Upload } from '#domain/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { type FileListEntry, type FileListUse, fileList, type fileLists } from '#domain/file-list/contract.ts'
import { fileListKind, fileListLimits } from '#domain/file-list/rules.ts'
import type { Database } from '#projections/database.ts'
import { likePattern } from '#projections/postgres.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { megabyte } from '../http/upload-limits.ts'
import { sweepOrphanedUploads } from '../message/orphaned-uploads.ts'
import type { StoredFile } from '../storage/media.ts'
import { abandonedMs, changeFile } from '../storage/row-file.ts'
import { entryFiles, fileListRow, fileListsIn, type StoredList } from './read.ts'

type Deps = Pick<AppContext, 'db' | 'media' | 'eventStore' | 'contactKeys'>

const one = async (db: Kysely<Database>, { companyId }: Viewer, id: number): Promise<StoredList> =>
  (await fileListsIn(db, companyId).where('fileList.id', '=', id).executeTakeFirst()) ?? refuse('ERR_NO_FILE_LIST_FOUND')
/** Locks the list for a change. */
async function listIn(db: Kysely<Database>, viewer: Viewer, id: number): Promise<StoredList> {
  await db.selectFrom('fileList').select('id').where('id', '=', id).where('companyId', '=', viewer.companyId).forUpdate().execute()
  return one(db, viewer, id)
}

export const fileListRoutes = (deps: Deps): Handlers<typeof fileLists> => {
  const { db, media } = deps
  const answer = (row: StoredList) => fileListRow(media, row)
  const swept = () => sweepOrphanedUploads(deps, abandonedMs)
  return {
    async list({ viewer, query: { searchParam = '', pageNumber = 1 } }) {
      const like = likePattern(searchParam.trim())
      const rows = await fileListsIn(db, viewer.companyId)
        .where(sql<boolean>`(plain(name) like plain(${like}) or plain(message) like plain(${like}))`)
        .orderBy('fileList.id', 'desc')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { files: rows.slice(0, pageSize).map(answer), hasMore: rows.length > pageSize }
    },
    find: async ({ viewer, params }) => answer(await one(db, viewer, params.id)),
    create: async ({ body: { options, name, message }, viewer, command }) => {
      const row = { companyId: viewer.companyId, userId: viewer.id, name: name.trim(), message }
      const made = await audited(db, fileList, { viewer, command }, async (on) => {
        const { id } = await on.insertInto('fileList').values(row).returning('id').executeTakeFirstOrThrow()
        await arrange(on, viewer, await one(on, viewer, id), options)
        return { before: null, after: await one(on, viewer, id) }
      })
      return answer(made)
    },
    async update({ body: { version, options, name, message }, viewer, params: { id }, command }) {
      const after = await audited(db, fileList, { viewer, command }, async (on) => {
        const before = await listIn(on, viewer, id)
        if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
        const change = { ...(name !== undefined && { name: name.trim() }), ...(message !== undefined && { message }) }
        if (options === undefined && Object.keys(change).length === 0) return { before, after: before }
        if (options) await arrange(on, viewer, before, options)
        await next(on, before, change)
        return { before, after: await one(on, viewer, id) }
      })
      await swept()
      return answer(after)
    },
    async remove({ viewer, params: { id }, query: { moveTo, release = false }, command }) {
      await audited(db, fileList, { viewer, command }, async (on) => {
        if (moveTo !== undefined) await one(on, viewer, moveTo)
        if (moveTo === id) refuse('ERR_INVALID_INPUT', { field: 'moveTo' })
        const before = await listIn(on, viewer, id)
        const use = await pointersTo(on, viewer.companyId, id)
        if (moveTo === undefined && !release && use.queues + use.options > 0) refuse('ERR_FILE_LIST_IN_USE', use)
        await replaceReferences(on, viewer.companyId, id, moveTo ?? null)
        await arrange(on, viewer, before, [])
        await on.deleteFrom('fileList').where('id', '=', id).execute()
        return { before, after: null }
      })
      await swept()
    },
    async attach({ viewer, params, body, files, command }) {
      if (files.length === 0) refuse('ERR_INVALID_INPUT', { field: 'files', rule: 'required' })
      if (body.id !== undefined && files.length > 1) refuse('ERR_INVALID_INPUT', { field: 'files', rule: 'maxItems' })
      const stored = await storeAll(deps, viewer, files)
      try {
        const after = await audited(db, fileList, { viewer, command }, async (on) => {
          const before = await listIn(on, viewer, params.id)
          await attachFiles(on, viewer, before, stored, body)
          await next(on, before, {})
          return { before, after: await one(on, viewer, params.id) }
        })
        await swept()
        return answer(after)
      } catch (error) {
        if (error instanceof Refusal && error.status < 500) await releaseFile(deps, viewer, stored)
        throw error
      }
    },
  }
}

/** Replaces the entries in this order. A removed entry also removes its file. */
async function arrange(on: Kysely<Database>, { companyId }: Viewer, list: StoredList, wanted: FileListEntry[]): Promise<void> {
  const known = new Set(list.options.map(({ id }) => id))
  const kept = new Set(wanted.flatMap(({ id }) => id ?? []))
  if (wanted.some(({ id }) => id && !known.has(id)) || kept.size < wanted.filter(({ id }) => id).length)
    refuse('ERR_INVALID_INPUT', { field: 'options' })
  for (const { id } of list.options) {
    if (kept.has(id)) continue
    await changeFile(on, entryFiles, companyId, id, null)
    await on.deleteFrom('fileListOption').where('id', '=', id).execute()
  }
  for (const [position, { id, name, path }] of wanted.entries()) {
    if (id && path === null) await changeFile(on, entryFiles, companyId, id, null)
    const row = { position, name: name.trim() }
    if (id) await on.updateTable('fileListOption').set(row).where('id', '=', id).execute()
    else
      await on
        .insertInto('fileListOption')
        .values({ ...row, companyId, fileListId: list.id })
        .execute()
  }
}

/** Attaches each file to the named entry, or to a new entry at the end. */
async function attachFiles(
  on: Kysely<Database>,
  { companyId }: Viewer,
  list: StoredList,
  stored: StoredFile[],
  { id, name }: { id?: number; name?: string },
): Promise<void> {
  if (id !== undefined && !list.options.some((entry) => entry.id === id)) refuse('ERR_INVALID_INPUT', { field: 'id' })
  if (id === undefined && list.options.length + stored.length > most) refuse('ERR_INVALID_INPUT', { field: 'files', rule: 'maxItems' })
  for (const [at, file] of stored.entries()) {
    const entry = { companyId, fileListId: list.id, position: list.options.length + at, name: name ?? file.media.name.slice(0, 255) }
    const made = id ?? (await on.insertInto('fileListOption').values(entry).returning('id').executeTakeFirstOrThrow()).id
    await changeFile(on, entryFiles, companyId, made, file)
  }
}
const most = 30

const next = (on: Kysely<Database>, { id, version }: StoredList, change: { name?: string; message?: string }) =>
  on
    .updateTable('fileList')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .execute()

/** Stores all files or none. Limits are lower than for messages (R-FILE-02). */
async function storeAll(deps: Deps, viewer: Viewer, files: Upload[]): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  try {
    for (const file of files) {
      const one = await deps.media.store(viewer.companyId, file, 'list')
      stored.push(one)
      const kind = fileListKind(one.media.mime) ?? refuse('ERR_FILE_LIST_MEDIA', { name: one.media.name })
      if (one.media.size > fileListLimits[kind] * megabyte) refuse('ERR_TOO_LARGE', { limit: fileListLimits[kind], name: one.media.name })
    }
    return stored
  } catch (error) {
    await releaseFile(deps, viewer, stored)
    throw error
  }
}
async function releaseFile({ media }: Deps, { companyId }: Viewer, stored: StoredFile[]): Promise<void> {
  for (const file of stored) await media.release({ id: file.hold, companyId, key: file.media.key })
}

async function pointersTo(on: Kysely<Database>, companyId: number, id: number): Promise<FileListUse> {
  const { rows } = await sql<FileListUse>`
    select (select count(*)::int from queue where company_id = ${companyId} and file_list_id = ${id} and retired_at is null) as queues,
      (select count(*)::int from menu_option c join queue q on q.id = c.queue_id
        where c.company_id = ${companyId} and c.opt_file_id = ${id} and q.retired_at is null) as options`.execute(on)
  return rows[0]!
}
/** Raises the version, so that open forms of these queues learn of the change. */
async function replaceReferences(on: Kysely<Database>, companyId: number, id: number, moveTo: number | null): Promise<void> {
  await sql`
    update queue set version = version + 1, file_list_id = case when file_list_id = ${id} then ${moveTo}::int else file_list_id end
    where company_id = ${companyId} and (file_list_id = ${id} or id in (select queue_id from menu_option where opt_file_id = ${id}))`.execute(
    on,
  )
  await sql`update menu_option set opt_file_id = ${moveTo}::int where company_id = ${companyId} and opt_file_id = ${id}`.execute(on)
}

/** Checks that the list exists and the quota has room. */
export const beforeUpload = ({ db, media }: Deps): UploadGuard<typeof fileLists> => ({
  attach: async ({ viewer, params }) => {
    await one(db, viewer, params.id!)
    return { room: await media.room(viewer.companyId) }
  },
})

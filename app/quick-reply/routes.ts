import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { Ask, Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import {
  bareShortcode,
  isOneWord,
  mayEditReply,
  type QuickReplyRow,
  type quickReplies,
  quickReply,
  seesReply,
} from '#domain/quick-reply/contract.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'
import { likePattern } from '#projections/postgres.ts'
import type { AppContext } from '../context.ts'
import { crud } from '../http/crud.ts'
import { rowsIn } from '../http/relations.ts'
import type { Command, HandlerContext, Handlers, UploadGuard } from '../http/serve.ts'
import { sweepOrphanedUploads } from '../message/orphaned-uploads.ts'
import { abandonedMs, type FileChange, withFile, withPath } from '../storage/row-file.ts'

/** The body with a bare shortcode of one word (R-QUICK-01). */
function neat<Body extends { shortcode?: string }>(body: Body): Body {
  if (body.shortcode === undefined) return body
  const shortcode = bareShortcode(body.shortcode)
  if (shortcode === '') refuse('ERR_INVALID_INPUT', { field: 'shortcode', rule: 'minLength' })
  return isOneWord(shortcode) ? { ...body, shortcode } : refuse('ERR_SHORTCODE_SPACES', { field: 'shortcode' })
}

type Deps = Pick<AppContext, 'db' | 'media' | 'eventStore' | 'contactKeys'>

export const repliesIn = (db: Kysely<Database>, companyId: number) =>
  rowsIn(db, quickReply, companyId) as unknown as SelectQueryBuilder<Database, 'quickMessage', QuickReplyRow>
const inSight = (db: Kysely<Database>, { companyId, id }: Viewer) =>
  repliesIn(db, companyId).where((eb) => eb.or([eb('geral', '=', true), eb('visao', '=', true), eb('userId', '=', id)]))

/** Finds a quick reply that the viewer may change. */
async function mine(db: Kysely<Database>, viewer: Viewer, id: number): Promise<QuickReplyRow> {
  const row = await inSight(db, viewer).where('id', '=', id).executeTakeFirst()
  if (!row || !seesReply(viewer, row)) refuse('ERR_NO_QUICK_MESSAGE_FOUND')
  return mayEditReply(viewer, row) ? row : refuse('ERR_NO_PERMISSION')
}

/** A plain list with owners: a reply is private, visible to others, or shared (R-QUICK-02, A-QUICK-01). */
export const quickReplyRoutes = (deps: Deps): Handlers<typeof quickReplies> => {
  const { db, media } = deps
  const plain = crud<typeof quickReply.calls>(db, quickReply)
  const answer = (row: QuickReplyRow) => withPath(media, row)
  /** Saves the uploaded file with the row and removes the file that it replaces. */
  async function changed(
    { files = [], removeFile = false, ...ask }: Omit<Ask<typeof quickReply.calls.update> & HandlerContext, 'body'> & Change,
    body: Ask<typeof quickReply.calls.update>['body'],
  ): Promise<QuickReplyRow> {
    const { userId } = await mine(db, ask.viewer, ask.params.id)
    const save = (file: FileChange) =>
      plain.update({ ...ask, body: { ...neat(body), userId, ...(removeFile && { media: null }), ...file } as typeof body })
    const row = await withFile(media, ask.viewer, files, save)
    if (removeFile || files.length > 0) await sweepOrphanedUploads(deps, abandonedMs)
    return answer(row)
  }
  return {
    ...plain,
    async list({ viewer, query: { searchParam = '', pageNumber = 1 } }) {
      const like = likePattern(searchParam.trim())
      const rows = await inSight(db, viewer)
        .where(sql<boolean>`(plain(shortcode) like plain(${like}) or plain(message) like plain(${like}))`)
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { records: rows.slice(0, pageSize).map(answer), hasMore: rows.length > pageSize }
    },
    find: async ({ viewer, params }) =>
      answer((await inSight(db, viewer).where('id', '=', params.id).executeTakeFirst()) ?? refuse('ERR_NO_QUICK_MESSAGE_FOUND')),
    create: async ({ body, files, ...ask }) => {
      const save = (file: FileChange) => plain.create({ ...ask, body: { ...neat(body), userId: ask.viewer.id, ...file } })
      return answer(await withFile(media, ask.viewer, files, save))
    },
    update: ({ body: { removeFile = false, ...body }, ...ask }) => changed({ ...ask, removeFile }, body),
    attach: ({ body: _, ...ask }) =>
      ask.files.length === 0 ? refuse('ERR_INVALID_INPUT', { field: 'file', rule: 'required' }) : changed(ask, {}),
    detach: async (ask) => void (await changed({ ...ask, removeFile: true }, {})),
    async remove(ask) {
      await mine(db, ask.viewer, ask.params.id)
      await plain.remove(ask)
      await sweepOrphanedUploads(deps, abandonedMs)
    },
    choices: async ({ viewer }) =>
      (
        await inSight(db, viewer).where('status', '=', true).orderBy(inNameOrder(viewer.companyLanguage, 'shortcode')).limit(1000).execute()
      ).map(answer),
  }
}
type Change = { files?: Upload[]; removeFile?: boolean; command: Command }

/** Checks that the viewer may change the reply and the quota has room. */
export const beforeUpload = ({ db, media }: Deps): UploadGuard<typeof quickReplies> => {
  const room = async ({ companyId }: Viewer) => ({ room: await media.room(companyId) })
  const ofMine: UploadGuard<typeof quickReplies>['update'] = async ({ viewer, params }) => {
    await mine(db, viewer, params.id!)
    return room(viewer)
  }
  return { create: ({ viewer }) => room(viewer), update: ofMine, attach: ofMine }
}

import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { bareShortcode, mayEditReply, type QuickReplyRow, type quickReplies, quickReply, seesReply } from '#domain/quick-reply/contract.ts'
import type { Database } from '#projections/database.ts'
import { containing } from '#projections/postgres.ts'
import { crud } from '../http/crud.ts'
import type { Handlers } from '../http/serve.ts'

function neat<Body extends { shortcode?: string }>(body: Body): Body {
  if (body.shortcode === undefined) return body
  const shortcode = bareShortcode(body.shortcode)
  return shortcode === '' ? refuse('ERR_INVALID_INPUT', { field: 'shortcode', rule: 'minLength' }) : { ...body, shortcode }
}

/** A plain list but for whose a reply is: the owner's alone, seen by others, or everybody's (R-QUICK-02, A-QUICK-01). */
export const quickReplyRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof quickReplies> => {
  const plain = crud(db, quickReply)
  const inSight = ({ companyId, id }: Viewer) =>
    db
      .selectFrom('quickMessage')
      .selectAll()
      .where('companyId', '=', companyId)
      .where((eb) => eb.or([eb('geral', '=', true), eb('visao', '=', true), eb('userId', '=', id)]))
  const mine = async (viewer: Viewer, id: number): Promise<QuickReplyRow> => {
    const row = await inSight(viewer).where('id', '=', id).executeTakeFirst()
    if (!row || !seesReply(viewer, row)) refuse('ERR_NO_QUICK_MESSAGE_FOUND')
    return mayEditReply(viewer, row) ? row : refuse('ERR_NO_PERMISSION')
  }
  return {
    ...plain,
    async list({ viewer, query: { searchParam = '', pageNumber = 1 } }) {
      const like = containing(searchParam.trim())
      const rows = await inSight(viewer)
        .where(sql<boolean>`(plain(shortcode) like plain(${like}) or plain(message) like plain(${like}))`)
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { records: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
    },
    find: async ({ viewer, params }) =>
      (await inSight(viewer).where('id', '=', params.id).executeTakeFirst()) ?? refuse('ERR_NO_QUICK_MESSAGE_FOUND'),
    create: ({ body, ...ask }) => plain.create({ ...ask, body: { ...neat(body), userId: ask.viewer.id } }),
    async update({ body, ...ask }) {
      const { userId } = await mine(ask.viewer, ask.params.id)
      return plain.update({ ...ask, body: { ...neat(body), userId } })
    },
    async remove(ask) {
      await mine(ask.viewer, ask.params.id)
      await plain.remove(ask)
    },
    choices: ({ viewer }) => inSight(viewer).orderBy('shortcode').limit(1000).execute(),
  }
}

import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { channelNames, channelOfProduct, metaProducts, setupOf } from '#domain/channel/channels.ts'
import { connection, type connections } from '#domain/connection/contract.ts'
import { completeNumber } from '#domain/contact/phone.ts'
import { networkOf, phoneNetwork } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'
import { recordChange } from '../audit/record.ts'
import { startWork } from '../bulk-operation/bulk-operations.ts'
import { driverOf, enabledProviders } from '../channels/providers.ts'
import type { AppContext } from '../context.ts'
import { idFrom } from '../event-store/event-codec.ts'
import type { Handlers, UploadGuard } from '../http/serve.ts'
import { importedTickets, leftToClose } from '../inbound/importing.ts'
import { hasMail } from '../mail/send.ts'
import { sweepOrphanedUploads } from '../message/orphaned-uploads.ts'
import { register } from '../meta/connect.ts'
import { dialogUrl, finishLogin } from '../meta/dialog.ts'
import { connectPages } from '../meta/login.ts'
import { settingsOf } from '../setting/read.ts'
import { abandonedMs, withFile } from '../storage/row-file.ts'
import { remove } from './remove.ts'
import { connectionIn, create, type Deps, published, update } from './save.ts'
import { type Turn, turn } from './session.ts'

const whatsappChannels = channelNames.filter((name) => networkOf(name) === phoneNetwork)
/** Products whose webhook address an admin enters at Meta. */
const ownWebhookProducts = metaProducts.filter((product) => setupOf(channelOfProduct(product)) === 'credentials')
const columns = [
  ...(['id', 'companyId', 'name', 'channel', 'provider', 'number', 'status', 'reason', 'silentSince', 'unleasedSince'] as const),
  ...(['noNewChatsUntil', 'statusImportMessages', 'importDone', 'importAll'] as const),
  ...(['isDefault', 'allowGroup', 'groupAsTicket', 'interactiveMessages', 'color', 'updatedAt'] as const),
]
const expiry = sql<string | null>`(select a.token_expires_at from meta_account a where a.id = connection.id::text)`.as('tokenExpiresAt')
const todo = sql<'webhook' | null>`(
  select 'webhook' from meta_account a where a.id = connection.id::text and a.product = any(${ownWebhookProducts}::text[]) and a.hook_proven_at is null)`.as(
  'todo',
)
/** A gap is listed for three days; the health page lists it longer. */
const missed = (end: 'began_at' | 'ended_at') => sql<string | null>`(
  select ${sql.ref(`g.${end}`)} from connection_gap g where g.connection_id = connection.id and g.anew and g.ended_at > app_now() - interval '3 days'
  order by g.began_at desc limit 1)`
const hasQueues = sql<boolean>`(connection.send_id_queue is not null or exists (
  select from connection_queue q where q.connection_id = connection.id))`.as('hasQueues')
const liveColumns = [expiry, todo, hasQueues, missed('began_at').as('missedFrom'), missed('ended_at').as('missedTo')] as const
export const connectionsIn = (db: Kysely<Database>, companyId: number) =>
  db.selectFrom('connection').select(columns).select(liveColumns).where('companyId', '=', companyId)

/** Returns the company of a connection if the viewer may access it: their own company's, or any for a super user (A-CONN-02). */
export async function ownerOf(db: Kysely<Database>, viewer: Viewer, id: number): Promise<{ id: number; companyId: number }> {
  const row = await db.selectFrom('connection').select(['id', 'companyId']).where('id', '=', id).executeTakeFirst()
  return row && (viewer.super || row.companyId === viewer.companyId) ? row : refuse('ERR_NO_WAPP_FOUND')
}

export const connectionRoutes = (deps: AppContext): Handlers<typeof connections> => ({
  ...listRoutes(deps),
  ...writeRoutes(deps),
  ...sessionRoutes(deps),
})

const listRoutes = (deps: AppContext) => {
  const { db } = deps
  return {
    list: ({ viewer }) => connectionsIn(db, viewer.companyId).orderBy('id').execute(),
    filter: ({ viewer, query: { channel } }) =>
      connectionsIn(db, viewer.companyId)
        .$if(channel !== undefined, (query) => query.where('channel', '=', channel!))
        .orderBy('id')
        .execute(),
    async all({ viewer }) {
      const rows = await db
        .selectFrom('connection')
        .innerJoin('company', 'company.id', 'connection.companyId')
        .select(columns.map((name) => `connection.${name}` as const))
        .select(liveColumns)
        .select('company.name as companyName')
        .orderBy(inNameOrder(viewer.companyLanguage, 'company.name'))
        .orderBy('connection.id')
        .execute()
      return rows.map(({ companyName, ...row }) => ({ ...row, company: { id: row.companyId, name: companyName } }))
    },
    companies: ({ viewer }) =>
      db.selectFrom('company').select(['id', 'name']).orderBy(inNameOrder(viewer.companyLanguage, 'name')).orderBy('id').execute(),
    async ofCompany({ params: { id } }) {
      if (!(await db.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst())) refuse('ERR_NOT_FOUND')
      return connectionsIn(db, id).orderBy('id').execute()
    },
    providers: async () => enabledProviders(deps.config),
    alarm: async () => ({ mails: await hasMail(deps) }),
    async find({ viewer, params: { id } }) {
      const { companyId } = await ownerOf(db, viewer, id)
      return published(deps, await connectionIn(deps, db, companyId, id))
    },
  } satisfies Partial<Handlers<typeof connections>>
}

const writeRoutes = (deps: AppContext) => {
  const { db } = deps
  return {
    create: async ({ body, ...act }) => published(deps, await create(deps, act, body)),
    update: async ({ params: { id }, body, ...act }) => published(deps, await update(deps, act, await ownerOf(db, act.viewer, id), body)),
    async remove({ params: { id }, query: { release = false }, ...act }) {
      await remove(deps, act, await ownerOf(db, act.viewer, id), release)
      await sweepOrphanedUploads(deps, abandonedMs)
    },
    async attach({ params: { id }, files, ...act }) {
      if (files.length === 0) refuse('ERR_INVALID_INPUT', { field: 'file', rule: 'required' })
      const owner = await ownerOf(db, act.viewer, id)
      const save = (change: object) => update(deps, act, owner, change)
      const row = await withFile(deps.media, { ...act.viewer, companyId: owner.companyId }, files, save)
      await sweepOrphanedUploads(deps, abandonedMs)
      return published(deps, row)
    },
    async detach({ params: { id }, ...act }) {
      await update(deps, act, await ownerOf(db, act.viewer, id), { media: null })
      await sweepOrphanedUploads(deps, abandonedMs)
    },
  } satisfies Partial<Handlers<typeof connections>>
}

const sessionRoutes = (deps: AppContext) => {
  const { db } = deps
  const changeSession = async (viewer: Viewer, id: number, how: Turn) => {
    const { companyId } = await ownerOf(db, viewer, id)
    const { row, done } = await db.transaction().execute(async (on) => {
      const before = await connectionIn(deps, on, companyId, id, true)
      const done =
        how === 'begin' && before.status === 'CONNECTED' && before.silentSince === null ? null : await turn(deps, on, before, how)
      const row = await connectionIn(deps, on, companyId, id)
      await recordChange(on, connection, viewer, { before, after: row })
      return { row, done }
    })
    await done?.()
    return published(deps, row)
  }
  return {
    start: ({ viewer, params }) => changeSession(viewer, params.id, 'begin'),
    renew: ({ viewer, params }) => changeSession(viewer, params.id, 'renew'),
    async pair({ viewer, params, body }) {
      const { phoneCountry } = await settingsOf(db, viewer.companyId)
      return changeSession(viewer, params.id, { type: completeNumber(body.number, phoneCountry) })
    },
    async register({ viewer, params: { id }, body: { pin } }) {
      await ownerOf(db, viewer, id)
      await register(deps, id, pin)
      return changeSession(viewer, id, 'begin')
    },
    stop: async ({ viewer, params }) => void (await changeSession(viewer, params.id, 'end')),
    async closeImported({ viewer, params, commandId }) {
      const { id, companyId } = await ownerOf(db, viewer, params.id)
      const items = (await importedTickets(db, id).orderBy('ticket.id').execute()).map((ticket) => ticket.id)
      const work = await startWork(deps, {
        ...{ companyId, userId: viewer.id, commandId, kind: 'closeTickets', items },
        args: { batch: idFrom(`${companyId}/${viewer.id}/${commandId}`) },
      })
      const closing = db.updateTable('connection').set({ statusImportMessages: null }).where('id', '=', id)
      await closing.where('statusImportMessages', '=', leftToClose).execute()
      return work
    },
    facebook: ({ viewer, body }) => connectPages(deps, viewer, body),
    facebookLogin: ({ viewer }) => dialogUrl(deps, viewer),
    facebookPages: ({ viewer, body }) => finishLogin(deps, viewer, body),
    async restart({ viewer }) {
      const mine = db
        .selectFrom('connection')
        .select(['id', 'provider', 'number', 'status', 'reason'])
        .where('companyId', '=', viewer.companyId)
      const ended = (eb: ExpressionBuilder<Database, 'connection'>) => eb.and([eb('status', '=', 'DISCONNECTED'), eb('reason', 'is', null)])
      const whatsapp = mine.where('channel', 'in', whatsappChannels)
      const rows = await whatsapp
        .where((eb) => eb.not(ended(eb)))
        .orderBy('id')
        .execute()
      const here = rows.filter(({ provider }) => driverOf(provider, deps.config))
      for (const one of here) await (await turn(deps, db, one, 'begin'))()
      return { restarted: here.length }
    },
  } satisfies Partial<Handlers<typeof connections>>
}

/** Before an upload: the connection must exist, and the company must have free storage. */
export const beforeUpload = ({ db, media }: Pick<Deps, 'db' | 'media'>): UploadGuard<typeof connections> => ({
  async attach({ viewer, params }) {
    const { companyId } = await ownerOf(db, viewer, params.id!)
    return { room: await media.room(companyId) }
  },
})

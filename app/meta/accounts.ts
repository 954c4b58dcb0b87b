import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { MetaProduct } from '#domain/channel/channels.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../crypto/event-mac-keys.ts'
import { checkOf, unwrapSecret, wrapSecret } from '../crypto/seal.ts'
import { metaLogins } from './logins.ts'
import { products } from './products.ts'

export type Product = MetaProduct
/** The access token, the secret of the app that sends webhooks, and the token that verifies the webhook URL. */
export type Secrets = { token: string; appSecret: string | null; verifyToken: string | null }
export type Account = {
  connectionId: number
  companyId: number
  product: Product
  accountId: string
  businessId: string | null
  hook: string
  tokenExpiresAt: string | null
  hookProvenAt: string | null
} & Secrets
/** The account that sends: calls with a page's token use the page id, also for the linked Instagram account. */
export const senderIdOf = ({ product, accountId, businessId }: Pick<Account, 'product' | 'accountId' | 'businessId'>): string =>
  products[product].sendsThroughPage ? (businessId ?? accountId) : accountId
export type MetaAccounts = ReturnType<typeof metaAccounts>

const purpose = (id: string) => `account of connection ${id}`
export const rewrapMetaAccounts = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'metaAccount', purpose, from, to)

/** A change of an account also changes the connection's row, so that it is sent to clients. */
const touchConnection = (on: Kysely<Database>, id: number, updatedAt: string) =>
  on.updateTable('connection').set({ updatedAt }).where('id', '=', id).execute()

/**
 * The Meta account of each connection with its secrets, which are encrypted and never returned by the API.
 * `appSecret` belongs to the app through which pages and Instagram accounts are connected.
 */
export function metaAccounts(masterKey: Buffer, appSecret: string | null) {
  type Row = Database['metaAccount']
  const opened = ({ id, wrapped, wrappedBy: _, expiryNotifiedAt: __, ...row }: Row): Account => {
    const secrets = JSON.parse(unwrapSecret(masterKey, wrapped, purpose(id)).toString()) as Secrets
    return { ...row, connectionId: Number(id), ...secrets, appSecret: secrets.appSecret ?? (row.product === 'whatsapp' ? null : appSecret) }
  }
  const one = async (on: Kysely<Database>, where: Partial<Pick<Row, 'id' | 'hook' | 'product' | 'accountId'>>): Promise<Account | null> => {
    const row = await on
      .selectFrom('metaAccount')
      .selectAll()
      .where((eb) => eb.and(where))
      .executeTakeFirst()
    return row ? opened(row) : null
  }
  return {
    logins: metaLogins(masterKey),
    of: (on: Kysely<Database>, connectionId: number) => one(on, { id: String(connectionId) }),
    byHook: (on: Kysely<Database>, hook: string) => one(on, { hook }),
    byAccount: (on: Kysely<Database>, product: Product, accountId: string) => one(on, { product, accountId }),

    /** The fields that may be shown. */
    async publicPart(on: Kysely<Database>, connectionId: number) {
      const columns = ['product', 'accountId', 'businessId', 'hook', 'tokenExpiresAt'] as const
      const row = await on.selectFrom('metaAccount').select(columns).where('id', '=', String(connectionId)).executeTakeFirst()
      return row ?? null
    },

    /** An account belongs to at most one connection of the installation. */
    async set(
      on: Kysely<Database>,
      { connectionId, hook, ...given }: Omit<Account, 'hook' | 'hookProvenAt'> & { hook?: string },
    ): Promise<void> {
      const id = String(connectionId)
      const { token, appSecret, verifyToken, ...plain } = given
      const secrets: Secrets = { token, appSecret, verifyToken }
      const sealed = { wrapped: wrapSecret(masterKey, Buffer.from(JSON.stringify(secrets)), purpose(id)), wrappedBy: checkOf(masterKey) }
      const taken = on.selectFrom('metaAccount').select('id').where('product', '=', plain.product).where('accountId', '=', plain.accountId)
      if (await taken.where('id', '!=', id).executeTakeFirst()) refuse('ERR_CHANNEL_TAKEN')
      const before = await one(on, { id })
      // the other app does not have our webhook URL yet
      const otherApp = before !== null && appSecret !== null && before.appSecret !== appSecret
      await on
        .insertInto('metaAccount')
        .values({
          expiryNotifiedAt: null,
          hookProvenAt: null,
          id,
          hook: hook ?? randomBytes(24).toString('base64url'),
          ...plain,
          ...sealed,
        })
        .onConflict((known) =>
          known.column('id').doUpdateSet({ ...plain, ...sealed, expiryNotifiedAt: null, ...(otherApp && { hookProvenAt: null }) }),
        )
        .execute()
    },

    /** Records that Meta called the webhook URL, which proves that events arrive. */
    async hookProven(on: Kysely<Database>, { connectionId, hookProvenAt }: Account, at: string): Promise<void> {
      if (hookProvenAt !== null) return
      const row = on.updateTable('metaAccount').set({ hookProvenAt: at }).where('id', '=', String(connectionId))
      const { numUpdatedRows } = await row.where('hookProvenAt', 'is', null).executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) await touchConnection(on, connectionId, at)
    },
    /** Stores the token's expiry as reported by Meta. */
    async expires(on: Kysely<Database>, { connectionId, tokenExpiresAt: before }: Account, tokenExpiresAt: string | null, at: string) {
      if (tokenExpiresAt === before) return
      await on.updateTable('metaAccount').set({ tokenExpiresAt, expiryNotifiedAt: null }).where('id', '=', String(connectionId)).execute()
      await touchConnection(on, connectionId, at)
    },
  }
}

import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type Identity, keysOf } from '#domain/contact/identity.ts'
import type { Database } from '#projections/database.ts'
import type { SigningKey } from '../anchor/signing-key.ts'

type Key = { kind: string; key: string }
/** A digest of an id that only this installation can compute: an Ed25519 signature is secret and always the same. */
const digestOf = ({ sign }: Pick<SigningKey, 'sign'>, companyId: number, { kind, key }: Key): string =>
  createHash('sha256')
    .update(sign(`erased identity ${companyId} ${kind} ${key}`))
    .digest('base64url')

/** Remembers that the person with these ids was erased at that time; null: now. */
export async function rememberErased(
  on: Kysely<Database>,
  signingKey: Pick<SigningKey, 'sign'>,
  companyId: number,
  keys: Key[],
  at: string | null,
): Promise<void> {
  const digests = [...new Set(keys.map((key) => digestOf(signingKey, companyId, key)))]
  await sql`insert into erased_identity (company_id, digest, erased_at) select ${companyId}, unnest(${digests}::text[]), coalesce(${at}::timestamptz, app_now())
    on conflict (company_id, digest) do update set erased_at = excluded.erased_at`.execute(on)
}

/** When the people with these ids were erased, in the order of the ids; null: never. */
export async function erasedAt(
  db: Kysely<Database>,
  signingKey: Pick<SigningKey, 'sign'>,
  companyId: number,
  ids: Identity[],
): Promise<(string | null)[]> {
  const any = await db.selectFrom('erasedIdentity').select('digest').where('companyId', '=', companyId).limit(1).executeTakeFirst()
  if (!any) return ids.map(() => null) // computing signatures takes time
  const digests = ids.map((one) => keysOf(one).map((key) => digestOf(signingKey, companyId, { kind: one.kind, key })))
  const rows = db.selectFrom('erasedIdentity').select(['digest', 'erasedAt']).where('companyId', '=', companyId)
  const found = await rows.where(sql<boolean>`digest = any(${digests.flat()}::text[])`).execute()
  const known = new Map(found.map((row) => [row.digest, row.erasedAt]))
  return digests.map((some) => some.map((one) => known.get(one)).find((at) => at !== undefined) ?? null)
}

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { rewrapSecrets } from '../crypto/event-mac-keys.ts'
import { checkOf, unwrapSecret, wrapSecret } from '../crypto/seal.ts'

/** The Ed25519 key that signs anchors and exports; `publicKey`: its 32 bytes as base64url. */
export type SigningKey = { id: string; publicKey: string; sign: (text: string) => string }

const purpose = (id: string) => `house key ${id}`

/** The fingerprint by which a person compares two keys. */
export const fingerprint = (publicKey: string): string => createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex')

/** Groups a fingerprint by four digits, as the auditors' page does. */
export const grouped = (print: string): string => print.replace(/.{4}(?=.)/g, '$& ')

/** Accepts a fingerprint or a public key and returns the fingerprint; null if the text is neither. */
export function fingerprintIn(text: string): string | null {
  const print = text.replace(/[\s:]/g, '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(print)) return print
  return /^[\w-]{43}$/.test(text.trim()) ? fingerprint(text.trim()) : null
}

function keyOf(secret: KeyObject): SigningKey {
  const publicKey = createPublicKey(secret).export({ format: 'jwk' }).x!
  return { id: fingerprint(publicKey).slice(0, 16), publicKey, sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url') }
}

export function isSignedBy(publicKey: string, text: string, signature: unknown): boolean {
  if (typeof signature !== 'string' || !/^[\w-]{43}$/.test(publicKey)) return false
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false // not a point of the curve
  }
}

/** Reads the stored keys, the current one first; creates none. */
export async function readSigningKeys(db: Kysely<Database>, master: Buffer): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signingKey').select(['id', 'wrapped']).orderBy('current', 'desc').orderBy('madeAt', 'desc').execute()
  return rows.map(({ id, wrapped }) =>
    keyOf(createPrivateKey({ key: unwrapSecret(master, wrapped, purpose(id)), format: 'der', type: 'pkcs8' })),
  )
}

/** The key for signing; the first process of a store creates it. */
export async function signingKey(db: Kysely<Database>, master: Buffer): Promise<SigningKey> {
  const [known] = await readSigningKeys(db, master)
  if (known) return known
  const { privateKey } = generateKeyPairSync('ed25519')
  const { id } = keyOf(privateKey)
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' })
  await db
    .insertInto('signingKey')
    .values({ id, wrapped: wrapSecret(master, secret, purpose(id)), wrappedBy: checkOf(master) })
    .onConflict((row) => row.doNothing()) // another process may have created it first
    .execute()
  return (await readSigningKeys(db, master))[0]!
}

export const rewrapSigningKeys = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'signingKey', purpose, from, to)

import { createHash } from 'node:crypto'
import type { ErasureCounts } from '#domain/data-request/contract.ts'
import { isSignedBy, type SigningKey } from '../anchor/signing-key.ts'
import { canonical } from '../event-store/chain.ts'
import { isJsonObject, type Json } from '../event-store/event-store.ts'

const format = 'guiche-erasure-receipt'
/**
 * What an erasure removed, without any personal data. `hash`: the SHA-256 of the canonical JSON of the other fields. `signature`: by the key that
 * signs anchors, over the canonical JSON without the signature.
 */
export type ErasureReceipt = {
  format: typeof format
  version: 1
  company: number
  request: number
  /** The id of the contact. */
  contact: number
  /** The contact and those merged into it, with their times of creation. Receipts of older releases lack it. */
  contacts?: { id: number; createdAt: string }[]
  /** The id of the user. */
  requestedBy: number
  requestedAt: string
  finishedAt: string
  removed: ErasureCounts
  publicKey: string
  hash: string
  signature: string
}
type Unsigned = Required<Omit<ErasureReceipt, 'format' | 'version' | 'publicKey' | 'hash' | 'signature'>>

const hashOf = (fields: object): string =>
  createHash('sha256')
    .update(canonical(fields as Json))
    .digest('hex')

/** The signed receipt as text. */
export function signedReceipt({ publicKey, sign }: SigningKey, what: Unsigned): string {
  const fields = { format, version: 1, ...what, publicKey } as const
  const hashed = { ...fields, hash: hashOf(fields) }
  return canonical({ ...hashed, signature: sign(canonical(hashed as unknown as Json)) } as unknown as Json)
}

/** Null if the text is no receipt. `holds`: hash and signature fit, and are of the receipt's own key. */
export function readReceipt(text: string): { receipt: ErasureReceipt; holds: boolean } | null {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isJsonObject(value) || value.format !== format) return null
  const { signature, ...hashed } = value
  const { hash, ...fields } = hashed
  const { publicKey } = fields
  const holds = hash === hashOf(fields) && typeof publicKey === 'string' && isSignedBy(publicKey, canonical(hashed), signature)
  return { receipt: value as unknown as ErasureReceipt, holds }
}

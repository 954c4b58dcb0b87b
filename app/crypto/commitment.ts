import { createHmac, hash } from 'node:crypto'
import { canonical } from '../event-store/chain.ts'
import type { Json, JsonObject } from '../event-store/event-store.ts'
import { secretKey } from './key-object.ts'
import type { Sealable } from './seal.ts'

/*
 * The hash chain binds the plaintext of a sealed field by a commitment. A reader who knows the salt can verify the plaintext without a
 * key. The salt is derived from the contact's key and lost with it.
 */

export const saltOf = (key: Buffer, { stream, id }: Pick<Sealable, 'stream' | 'id'>, field: string): string =>
  createHmac('sha256', secretKey(key))
    .update(canonical(['commitment', stream, id, field]))
    .digest('base64url')
    .slice(0, 22)

export const commitmentTo = (salt: string, value: Json): string => hash('sha256', canonical([salt, value]), 'base64url')

/** The commitments to the personal fields that are present; called before they are sealed. */
export const commitmentsTo = (event: Sealable, key: Buffer, personalFields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    personalFields.flatMap((field) => {
      const value = event.data[field]
      return value === undefined || value === null ? [] : [[field, commitmentTo(saltOf(key, event, field), value)]]
    }),
  )

/** The commitments in an event's metadata; an event without personal fields has none. */
export function commitmentsIn(meta: JsonObject): Record<string, string> {
  const { commitments } = meta
  if (typeof commitments !== 'object' || commitments === null || Array.isArray(commitments)) return {}
  return Object.fromEntries(Object.entries(commitments).filter((one): one is [string, string] => typeof one[1] === 'string'))
}

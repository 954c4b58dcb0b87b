import { createSecretKey, type KeyObject } from 'node:crypto'

const known = new WeakMap<Buffer, KeyObject>()
/** A cached KeyObject. Raw bytes would be checked and copied at each use, which costs more than the encryption itself. */
export function secretKey(bytes: Buffer): KeyObject {
  const made = known.get(bytes) ?? createSecretKey(bytes)
  known.set(bytes, made)
  return made
}

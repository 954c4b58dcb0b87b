import { createSecretKey, type KeyObject } from 'node:crypto'

const known = new WeakMap<Buffer, KeyObject>()
/** A key as the cipher takes it: one that is handed over as bytes is looked at and copied each time, which costs more than what is done with it. */
export function secretKey(bytes: Buffer): KeyObject {
  const made = known.get(bytes) ?? createSecretKey(bytes)
  known.set(bytes, made)
  return made
}

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '#app/event-store/event-store.ts'
import { erasedText } from '#domain/text/rules.ts'
import { secretKey } from './key-object.ts'

export type Sealable = { stream: string; id: string; data: JsonObject }

/** Replaces a text whose key is destroyed; other sealed values become null. */
export const erased = erasedText

const nonceBytes = 12
const tagBytes = 16
const text = 1
const json = 2

export const newDataKey = (): Buffer => randomBytes(32)

/** Prefixes each part with its length, so that different lists never give the same bytes. */
const joined = (...parts: string[]) => Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))

function encrypt(key: Buffer, nonce: Buffer, bound: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', secretKey(key), nonce, { authTagLength: tagBytes }).setAAD(bound)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, box: Buffer, bound: Buffer): Buffer {
  if (box.length < nonceBytes + tagBytes) throw new Error('Sealed value is too short')
  const decipher = createDecipheriv('aes-256-gcm', secretKey(key), box.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(bound).setAuthTag(box.subarray(-tagBytes))
  return Buffer.concat([decipher.update(box.subarray(nonceBytes, -tagBytes)), decipher.final()])
}

const nonceKeys = new WeakMap<Buffer, Buffer>()
function nonceKeyOf(key: Buffer): Buffer {
  const made = nonceKeys.get(key) ?? createHmac('sha256', secretKey(key)).update('nonce').digest()
  nonceKeys.set(key, made)
  return made
}

function sealedValue({ stream, id }: Sealable, key: Buffer, field: string, value: Json): Json {
  const kind = typeof value === 'string' ? text : json
  const plain = typeof value === 'string' ? value : JSON.stringify(value)
  // The nonce is derived, so that a retry gives the same bytes. It depends on the plaintext, so that two texts never share a nonce.
  const nonce = createHmac('sha256', secretKey(nonceKeyOf(key)))
    .update(joined(stream, id, field, `${kind}`, plain))
    .digest()
    .subarray(0, nonceBytes)
  const box = encrypt(key, nonce, joined(stream, id, field, `${kind}`), Buffer.from(plain))
  return { sealed: Buffer.concat([Buffer.of(kind), box]).toString('base64url') }
}

function sealedIn(value: Json | undefined): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return typeof value.sealed === 'string' && Object.keys(value).length === 1 ? value.sealed : null
}

export const isSealed = (value: Json | undefined): boolean => sealedIn(value) !== null

function opened({ stream, id }: Sealable, key: Buffer | null, field: string, sealed: string): Json {
  const bytes = Buffer.from(sealed, 'base64url')
  const kind = bytes[0]
  if (key === null) return kind === json ? null : erased
  try {
    const plain = decrypt(key, bytes.subarray(1), joined(stream, id, field, `${kind}`)).toString()
    return kind === json ? JSON.parse(plain) : plain
  } catch (cause) {
    throw new Error(`Cannot unseal ${field} of event ${id} in ${stream} with the contact's key`, { cause })
  }
}

const none: readonly string[] = []
const mapped = <E extends Sealable>(event: E, fields: readonly string[], change: (field: string, value: Json) => Json): E => {
  const data = { ...event.data }
  for (const field of fields) {
    const value = data[field]
    if (value !== undefined && value !== null) data[field] = change(field, value)
  }
  return { ...event, data }
}

/** Seals the personal fields of an event. The same event and key give the same bytes. */
export const seal = <E extends Sealable>(event: E, key: Buffer, personalFields: readonly string[]): E =>
  mapped(event, personalFields, (field, value) => sealedValue(event, key, field, value))

/**
 * Unseals the personal fields of an event. Unsealed fields stay unchanged; `key` is null if it was destroyed. `redacted`: fields that are
 * read as if it were.
 */
export const unseal = <E extends Sealable>(event: E, key: Buffer | null, personalFields: readonly string[], redacted = none): E =>
  mapped(event, personalFields, (field, value) => {
    const sealed = sealedIn(value)
    return sealed === null ? value : opened(event, redacted.includes(field) ? null : key, field, sealed)
  })

/** Why a field is not readable as written: erased on request, altered (`words`), missing its `key`, or never sealed (`plain`). */
export type Lost = 'erased' | 'words' | 'key' | 'plain'
const worst: Lost[] = ['words', 'key', 'plain', 'erased']

/** Unseals what can be unsealed and returns the most serious reason for what cannot; lost fields become null. */
export function decryptable<E extends Sealable>(
  event: E,
  key: Buffer | null,
  destroyed: boolean,
  personalFields: readonly string[],
  redacted = none,
) {
  const lost = new Set<Lost>()
  const losing = (why: Lost, value: Json = null) => {
    lost.add(why)
    return value
  }
  const read = mapped(event, personalFields, (field, value) => {
    const sealed = sealedIn(value)
    if (sealed === null) return destroyed && value === erased ? losing('erased') : losing('plain', value)
    if (redacted.includes(field)) return losing('erased')
    if (key === null) return losing(destroyed ? 'erased' : 'key')
    try {
      return opened(event, key, field, sealed)
    } catch {
      return losing('words')
    }
  })
  return { read, lost: worst.find((why) => lost.has(why)) ?? null }
}

const owner = (companyId: number, contactId: number) => joined('contact key', `${companyId}`, `${contactId}`)

export const wrapKey = (master: Buffer, dataKey: Buffer, companyId: number, contactId: number): Buffer =>
  encrypt(master, randomBytes(nonceBytes), owner(companyId, contactId), dataKey)

/** Copies the key into its own memory: a cached slice of Node's buffer pool would keep 64 kB alive. */
export function unwrapKey(master: Buffer, wrapped: Buffer, companyId: number, contactId: number): Buffer {
  const key = decrypt(master, wrapped, owner(companyId, contactId))
  return Buffer.alloc(key.length, key)
}

/** Wraps a secret of the installation, bound to its purpose. */
export const wrapSecret = (master: Buffer, secret: Buffer, purpose: string): Buffer =>
  encrypt(master, randomBytes(nonceBytes), joined(purpose), secret)
export const unwrapSecret = (master: Buffer, wrapped: Buffer, purpose: string): Buffer => decrypt(master, wrapped, joined(purpose))

/** Identifies a master key without revealing anything about it. */
export const checkOf = (master: Buffer): string => Buffer.from(hkdfSync('sha256', master, '', 'check value', 16)).toString('hex')

const nextOwner = joined('next master key')
export const wrapNext = (master: Buffer, next: Buffer): Buffer => encrypt(master, randomBytes(nonceBytes), nextOwner, next)
export const unwrapNext = (master: Buffer, wrapped: Buffer): Buffer => decrypt(master, wrapped, nextOwner)

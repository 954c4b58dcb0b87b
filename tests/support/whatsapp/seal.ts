import { createHmac, randomBytes } from 'node:crypto'
import { aesEncryptGCM } from '@whiskeysockets/baileys'

/** The message that a reaction or vote refers to: its id, its secret and its author's address. */
export type Sealing = { id: string; secret: Uint8Array; by: string }
const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest()

/** Encrypts a vote, a reaction, a comment or an edit as a phone does. */
export function sealedFor({ id, secret, by }: Sealing, use: string, sender: string, plain: Uint8Array) {
  const about = Buffer.concat([...[id, by, sender, use].map((text) => Buffer.from(text)), Buffer.of(1)])
  const key = hmac(hmac(Buffer.alloc(32), secret), about)
  const encIv = randomBytes(12)
  const beside = use === 'Poll Vote' || use === 'Event Response' ? `${id}\0${sender}` : ''
  return { encPayload: aesEncryptGCM(plain, key, encIv, Buffer.from(beside)), encIv }
}

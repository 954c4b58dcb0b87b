import { createHmac, randomBytes } from 'node:crypto'
import { aesEncryptGCM } from '@whiskeysockets/baileys'

/** The message that something is sealed for: its secret, and the address of who wrote it. */
export type Sealing = { id: string; secret: Uint8Array; by: string }
const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest()

/** Seals a vote, a reaction, a comment or an edit as a phone does. */
export function sealedFor({ id, secret, by }: Sealing, use: string, sender: string, plain: Uint8Array) {
  const about = Buffer.concat([...[id, by, sender, use].map((text) => Buffer.from(text)), Buffer.of(1)])
  const key = hmac(hmac(Buffer.alloc(32), secret), about)
  const encIv = randomBytes(12)
  const beside = use === 'Poll Vote' || use === 'Event Response' ? `${id}\0${sender}` : ''
  return { encPayload: aesEncryptGCM(plain, key, encIv, Buffer.from(beside)), encIv }
}

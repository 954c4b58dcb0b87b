import { Refused } from '../channels/channel.ts'
import type { Account } from './accounts.ts'

/** Characters of a WhatsApp number's and of a page's message, bytes of an Instagram account's. */
const most = { whatsapp: 4096, page: 2000, instagram: 1000 }

/** A text in as few pieces as the channel takes, cut at a blank where there is one not far before. */
export function pieces(words: string, product: Account['product']): string[] {
  const size = product === 'instagram' ? (text: string) => Buffer.byteLength(text) : (text: string) => text.length
  const limit = most[product]
  const cut: string[] = []
  let rest = words.trim()
  while (rest !== '') {
    let piece = ''
    for (const sign of rest) {
      if (size(piece + sign) > limit) break
      piece += sign
    }
    const blank = piece.length < rest.length ? piece.search(/\s\S*$/) : -1
    if (blank > piece.length / 2) piece = piece.slice(0, blank)
    cut.push(piece.trim())
    rest = rest.slice(piece.length).trim()
  }
  return cut
}

/** One after the other: the whole is known by what came of the first, and where only some of it left nobody knows the outcome. */
export async function inParts<T>(parts: object[], send: (part: object, i: number) => Promise<T>): Promise<T | null> {
  if (parts.length === 0) throw new Refused('ERR_SENDING_WAPP_MSG') // nothing but blanks
  let first: T | null = null
  for (const [i, part] of parts.entries()) {
    const sent = await send(part, i).catch((error: unknown) => {
      throw i === 0 ? error : new Error('a part of it was sent', { cause: error })
    })
    if (i === 0) first = sent
  }
  return first
}

import type { Account } from './accounts.ts'

/** Characters of a page's message, bytes of an Instagram account's. */
const most = { page: 2000, instagram: 1000 }

/** A text in as few pieces as the channel takes, cut at a blank where there is one not far before. */
export function pieces(words: string, product: Account['product']): string[] {
  const size = product === 'instagram' ? (text: string) => Buffer.byteLength(text) : (text: string) => text.length
  const limit = product === 'instagram' ? most.instagram : most.page
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

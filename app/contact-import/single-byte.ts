import type { Encoding } from '#domain/contact-import/contract.ts'

/* Encodings with one byte for a character. Their letters beyond ASCII differ, and nothing in a file names its encoding. */

/** The characters 128 to 255 of MS-DOS in Western Europe, which the platform cannot decode. */
const ibm850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

export const decodedText = (bytes: Buffer, encoding: Encoding): string =>
  encoding === 'ibm850'
    ? bytes.toString('latin1').replace(/[\x80-\xff]/g, (one) => ibm850[one.charCodeAt(0) - 128]!)
    : new TextDecoder(encoding).decode(bytes)

/** The counts of bytes beyond ASCII inside words, after a small letter (at the byte) and after a capital (at the byte and 256). */
export type LetterCounts = Uint32Array
export const noLetters = (): LetterCounts => new Uint32Array(512)
export function countLetters(line: Buffer, counts: LetterCounts): void {
  for (let at = 1; at < line.length - 1; at++) {
    const [before, byte, after] = [line[at - 1]!, line[at]!, line[at + 1]!]
    if (byte < 0x80 || after < 0x41) continue
    if (before >= 0x61 && before <= 0x7a) counts[byte]!++
    else if (before >= 0x41 && before <= 0x5a) counts[byte + 256]!++
  }
}

/** The accented letters of Portuguese and Spanish. After a small letter comes a small one. */
const accented = 'áàâãçéêíóôõúüñ'
const highBytes = Array.from({ length: 128 }, (_, at) => at + 128)
function placesIn(encoding: Encoding): number[] {
  const letters = decodedText(Buffer.from(highBytes), encoding)
  return highBytes.flatMap((byte, at) => {
    if (accented.includes(letters[at]!)) return [byte]
    return accented.toUpperCase().includes(letters[at]!) ? [byte + 256] : []
  })
}
const others = (['macintosh', 'ibm850'] as const).map((encoding) => ({ encoding, places: placesIn(encoding) }))
/** Letters of Windows, but for the signs × and ÷. */
const windowsPlaces = highBytes.filter((byte) => byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7).flatMap((byte) => [byte, byte + 256])

/**
 * An encoding of another system whose letters fit better than those of Windows. One letter alone is no proof: it could be an apostrophe of
 * Windows.
 */
export function encodingOfOtherSystem(counts: LetterCounts): 'macintosh' | 'ibm850' | null {
  const sum = (places: number[]) => places.reduce((all, place) => all + counts[place]!, 0)
  const isLikely = (places: number[]) => places.filter((place) => counts[place]! > 0).length > 1 && sum(places) > sum(windowsPlaces)
  const likely = others.filter(({ places }) => isLikely(places)).toSorted((a, b) => sum(b.places) - sum(a.places))
  return likely[0]?.encoding ?? null
}

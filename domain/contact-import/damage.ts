/** The byte of each character of an encoding with one byte for a character. */
const bytesOf = (encoding: string) => {
  const decoder = new TextDecoder(encoding)
  return new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]))
}
const singleByte = ['windows-1252', 'windows-1254'].map(bytesOf)
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Whether bytes of UTF-8 were read one by one, as "ConceiÃ§Ã£o". */
const isMisread = (text: string): boolean =>
  singleByte.some((bytes) => {
    const found = Array.from(text, (character) => bytes.get(character))
    if (found.includes(undefined)) return false
    try {
      utf8.decode(Uint8Array.from(found as number[]))
      return true
    } catch {
      return false
    }
  })

/** Whether letters of a text were lost or replaced when it was read with a wrong encoding. */
export const isDamaged = (text: string): boolean =>
  /[^\0-\x7f]/.test(text) && (/[\ufffd\x80-\x9f]/.test(text) || text.split(/[\0-\x7f]+/).some((run) => run !== '' && isMisread(run)))

import { isUtf8 } from 'node:buffer'
import { open, readFile } from 'node:fs/promises'
import type { Encoding, Separator } from '#domain/contact-import/contract.ts'
import { guessSeparator } from '#domain/contact-import/table.ts'
import { refuse } from '#domain/errors.ts'
import { parsedRows } from './csv-parser.ts'
import { countLetters, decodedText, encodingOfOtherSystem, type LetterCounts, noLetters } from './single-byte.ts'
import type { FileRow } from './xlsx-rows.ts'

const firstBytes = 64 * 1024
const sampleLines = 20

/**
 * The encoding by its mark, by the zeros of UTF-16, or by the lines that are valid UTF-8. A few lines that are not
 * do not change the encoding of the others: their rows are ignored by name.
 */
export async function guessEncoding(path: string): Promise<Encoding> {
  const first = await firstOf(path)
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le'
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2]!++
  if (zeros[0]! + zeros[1]! > 0) {
    if (zeros[1]! * 5 > first.length && zeros[0]! * 20 < zeros[1]!) return 'utf-16le'
    return zeros[0]! * 5 > first.length && zeros[1]! * 20 < zeros[0]! ? 'utf-16be' : refuse('ERR_IMPORT_FILE')
  }
  const { valid, invalid, turkish, western, letters } = countLines(await readFile(path))
  if (invalid === 0 || valid * 4 >= invalid) return 'utf-8'
  const other = encodingOfOtherSystem(letters)
  if (other) return other
  return turkish > 0 && turkish >= western ? 'windows-1254' : 'windows-1252'
}

/** Letters of Turkish that are other letters in Windows-1252: Ğ İ Ş ğ ı ş. */
const turkishBytes = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe])
/** Accented letters that Turkish does not have; the bytes are the same in both encodings. */
const westernBytes = new Set(Buffer.from('ÀÁÃÅÆÈÉÊËÌÍÏÑÒÓÔÕØÙÚàáãåæèéêëìíïñòóôõøùú', 'latin1'))
const isLineEnd = (byte: number) => byte === 0x0a || byte === 0x0d

/** Counts the lines with bytes beyond ASCII, by whether they are valid UTF-8, and the letters in those that are not. */
type Counts = { valid: number; invalid: number; turkish: number; western: number; letters: LetterCounts }
function countLines(bytes: Buffer): Counts {
  const counts: Counts = { valid: 0, invalid: 0, turkish: 0, western: 0, letters: noLetters() }
  let start = 0
  let isPlain = true
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0x0a
    if (byte >= 0x80) isPlain = false
    if (!isLineEnd(byte)) continue
    const line = bytes.subarray(start, at)
    start = at + 1
    if (isPlain) continue
    isPlain = true
    if (isUtf8(line)) counts.valid++
    else {
      counts.invalid++
      countLetters(line, counts.letters)
      for (const one of line) {
        if (turkishBytes.has(one)) counts.turkish++
        else if (westernBytes.has(one)) counts.western++
      }
    }
  }
  return counts
}

export async function separatorOf(path: string, encoding: Encoding): Promise<Separator> {
  const text = decodedText(await firstOf(path), encoding)
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  const told = /^sep=([;,\t|])$/i.exec(lines[0] ?? '')?.[1] as Separator | undefined
  return told ?? guessSeparator(lines.slice(0, sampleLines))
}

async function firstOf(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** The rows of a separated text. */
export async function* csvRows(path: string, encoding: Encoding, separator: Separator): AsyncGenerator<FileRow> {
  const text = decodedText(await readFile(path), encoding)
  if (text.includes('\0')) refuse('ERR_IMPORT_FILE')
  yield* parsedRows(text, separator)
}

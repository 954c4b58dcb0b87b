/**
 * Runs in a worker thread, because the parser of an old workbook needs the whole file in memory and a crafted
 * file could exhaust it. That ends this thread, not the process.
 */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type Cell, readXls } from 'xls-reader'
import { dateText } from '#domain/contact-import/dates.ts'
import type { FileRow } from './xlsx-rows.ts'

const rowsPerMessage = 1000
const { file, language } = workerData as { file: string; language: string }
const port = parentPort!

/** A date or a time of day as a text; a formula that failed has no value. */
function textOf(cell: Cell): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell, language)
  return cell === null || typeof cell === 'object' ? '' : String(cell)
}

const headerSize = 512
/** Greater entries of the allocation table are marks, not sectors. */
const lastSector = 0xfffffffa
/** Whether every sector is there to which another leads; the reader would skip the rows of missing ones. */
function isWhole(bytes: Buffer): boolean {
  const sectorSize = 2 ** bytes.readUInt16LE(30)
  const tables = Math.min(bytes.readUInt32LE(44), 109) // the header names the first 109
  for (let n = 0; n < tables; n++) {
    const start = headerSize + bytes.readUInt32LE(76 + n * 4) * sectorSize
    for (let at = 0; at < sectorSize / 4; at++) {
      const next = bytes.readUInt32LE(start + at * 4)
      if (next <= lastSector && headerSize + next * sectorSize >= bytes.length) return false
    }
  }
  return true
}

const bytes = readFileSync(file)
if (!isWhole(bytes)) throw new Error('The workbook is cut')
const { sheets } = readXls(bytes)
const sheet = sheets.find(({ visibility }) => visibility === 'visible') ?? sheets[0]
let rows: FileRow[] = []
for (const [at, cells] of (sheet?.rows ?? []).entries()) {
  const texts = cells.map(textOf)
  while (texts.length > 0 && texts.at(-1)!.trim() === '') texts.pop()
  if (texts.length > 0) rows.push({ row: at + 1, cells: texts })
  if (rows.length < rowsPerMessage) continue
  port.postMessage(rows)
  rows = []
}
port.postMessage(rows)

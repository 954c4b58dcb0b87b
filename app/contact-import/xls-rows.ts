import { Worker } from 'node:worker_threads'
import { mostColumns } from '#domain/contact-import/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { FileRow } from './xlsx-rows.ts'

/** A sheet of this format has at most 65,536 rows. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }
const timeLimitMs = minuteMs

/** The rows of the first visible sheet of an old workbook (.xls, BIFF8), with dates as the language of a person writes them. */
export async function* xlsRows(file: string, language: string): AsyncGenerator<FileRow> {
  for (const row of await read({ file, language })) {
    if (row.cells.length > mostColumns) refuse('ERR_IMPORT_COLUMNS', { limit: mostColumns })
    yield row
  }
}

/** A file that the thread cannot read, in its memory and time, is no table. */
async function read(workerData: { file: string; language: string }): Promise<FileRow[]> {
  const worker = new Worker(new URL('./xls-worker.ts', import.meta.url), { resourceLimits, execArgv: [], workerData })
  const rows: FileRow[] = []
  const late = setTimeout(() => void worker.terminate(), timeLimitMs)
  try {
    const code = await new Promise<number>((resolve) => {
      worker.on('message', (some: FileRow[]) => rows.push(...some))
      worker.once('error', () => resolve(1))
      worker.once('exit', resolve)
    })
    return code === 0 ? rows : refuse('ERR_IMPORT_FILE')
  } finally {
    clearTimeout(late)
    await worker.terminate()
  }
}

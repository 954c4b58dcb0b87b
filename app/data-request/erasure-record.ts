import { open, readFile } from 'node:fs/promises'
import type { AppContext } from '../context.ts'
import { type ErasureReceipt, readReceipt } from './receipt.ts'

/*
 * The record of erasures is a file outside the stores, one receipt a line, so that it survives a restore of an older backup. A receipt has ids
 * and times only.
 */
type Deps = Pick<AppContext, 'db' | 'config'>

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

async function readRecord({ config: { erasureFile } }: Pick<Deps, 'config'>): Promise<string> {
  try {
    return await readFile(erasureFile, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Appends receipts and syncs the file. A line that a full disk or a power failure cut off stays behind as a line of its own. */
export async function appendReceipts({ config: { erasureFile } }: Pick<Deps, 'config'>, receipts: string[]): Promise<void> {
  if (receipts.length === 0) return
  const handle = await open(erasureFile, 'a+', 0o640)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    const isCut = size > 0 && buffer.toString() !== '\n'
    await handle.writeFile(`${isCut ? '\n' : ''}${receipts.map((one) => `${one}\n`).join('')}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Appends the receipts that the file lacks, such as those of a process that was killed before it wrote. */
export async function recordErasures(deps: Deps): Promise<void> {
  const rows = await deps.db
    .selectFrom('dataRequest')
    .select('receipt')
    .where('kind', '=', 'erasure')
    .where('state', '=', 'done')
    .where('receipt', 'is not', null)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return
  const known = new Set(linesOf(await readRecord(deps)))
  await appendReceipts(
    deps,
    rows.map(({ receipt }) => receipt!).filter((receipt) => !known.has(receipt)),
  )
}

/** The receipts in the file that this installation has signed. `foreign`: the number of other lines. */
export async function readErasures(
  deps: Pick<AppContext, 'config' | 'signingKey'>,
): Promise<{ receipts: ErasureReceipt[]; foreign: number }> {
  const lines = linesOf(await readRecord(deps))
  const receipts = lines.flatMap((line) => {
    const read = readReceipt(line)
    return read?.holds && read.receipt.publicKey === deps.signingKey.publicKey ? [read.receipt] : []
  })
  return { receipts, foreign: lines.length - receipts.length }
}

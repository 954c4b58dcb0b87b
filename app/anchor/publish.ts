import { type FileHandle, open } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { Config } from '../config.ts'

type Deps = {
  db: Kysely<Database>
  config: Pick<Config, 'anchorFile' | 'anchorWebhook'>
  logger: Logger
  /** The settings of the places where publishing fails. */
  caches: { failingAnchorPlaces: Set<string> }
}
type Place = {
  setting: string
  done: 'filedAt' | 'postedAt'
  atOnce: number
  put: (statements: object[], signal: AbortSignal) => Promise<void>
}

const timeoutMs = 5000

/** The maximum length of an anchor's line. */
const maxLineBytes = 65_536

/** Removes a partial last line, left by a full disk or a power failure, because it would corrupt the next line. */
async function cutUnfinished(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat()
  const from = Math.max(0, size - maxLineBytes)
  const { buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
  const end = from + buffer.lastIndexOf('\n') + 1
  if (end < size && (end > from || from === 0)) await handle.truncate(end)
}

/** Appends one line per anchor and syncs the file before they count as published. */
const fileAt = (file: string): Place['put'] =>
  async function write(statements) {
    const handle = await open(file, 'a+', 0o640)
    try {
      await cutUnfinished(handle)
      await handle.writeFile(statements.map((one) => `${JSON.stringify(one)}\n`).join(''))
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

/** Sends one request per anchor; only a 2xx answer counts as success. */
const webhookAt = (url: string): Place['put'] =>
  async function post(statements, signal) {
    for (const one of statements) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(one),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`HTTP status ${answer.status}`)
    }
  }

/** Publishes anchors in order. A failure is logged once and retried at the next call. */
export async function publishAll(
  { db, config: { anchorFile, anchorWebhook }, logger, caches: { failingAnchorPlaces: known } }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const places: Place[] = [
    ...(anchorFile ? [{ setting: 'ANCHOR_FILE', done: 'filedAt' as const, atOnce: 100, put: fileAt(anchorFile) }] : []),
    ...(anchorWebhook ? [{ setting: 'ANCHOR_WEBHOOK', done: 'postedAt' as const, atOnce: 1, put: webhookAt(anchorWebhook) }] : []),
  ]
  for (const { setting, put, ...of } of places)
    try {
      while (!signal.aborted && (await some(db, of, (statements) => put(statements, signal))) > 0);
      if (known.delete(setting)) logger.warn({ setting }, 'Anchor publishing recovered')
    } catch (error) {
      if (!known.has(setting) && !signal.aborted) logger.error({ setting, reason: reasonOf(error) }, 'Anchor publishing failed; retrying')
      known.add(setting)
    }
}

/** The reason without the address, which may contain a secret. */
const reasonOf = (error: unknown) => {
  const { code, name, message, cause } = error as Error & { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? (name === 'TimeoutError' || /^HTTP status/.test(message) ? message : name)
}

type Of = Pick<Place, 'done' | 'atOnce'>
async function some(db: Deps['db'], { done, atOnce }: Of, put: (statements: object[]) => Promise<void>): Promise<number> {
  const rows = await db
    .selectFrom('anchor')
    .select(['companyId', 'number', 'statement'])
    .where(done, 'is', null)
    .orderBy('companyId')
    .orderBy('number')
    .limit(atOnce)
    .execute()
  if (rows.length === 0) return 0
  await put(rows.map(({ statement }) => statement))
  const at = new Date().toISOString()
  for (const { companyId, number } of rows)
    await db
      .updateTable('anchor')
      .set({ [done]: at })
      .where('companyId', '=', companyId)
      .where('number', '=', number)
      .execute()
  return rows.length
}

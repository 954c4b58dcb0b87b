import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { type Kysely, sql } from 'kysely'
import { streamOf } from '#domain/ticket/rules.ts'
import type { Database } from '#projections/database.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { Bad } from '../eventlog/verdict.ts'
import { placeOf } from '../http/media.ts'

type Of = { companyId?: number | undefined; ticketId?: number | undefined }
type File = { companyId: number; key: string }

/** Whether the bytes of each file are those that its events name: the sha256 in the event is the file's name. null where there are some and no place that could hold them. */
export async function checkFiles(db: Kysely<Database>, blobs: Blobs, of: Of = {}): Promise<{ files: number; bad: Bad[] } | null> {
  const there = await blobs.exists()
  const bad: Bad[] = []
  let files = 0
  for await (const file of filesOf(db, of)) {
    if (!there) return null
    files += 1
    const detail = await faultOf(db, blobs, file)
    if (detail) bad.push({ stream: await streamWith(db, file, of), revision: null, event: null, reason: 'file', detail })
  }
  return { files, bad }
}

const page = 500
const keyIn = sql<string>`media ->> 'key'`
async function* filesOf(db: Kysely<Database>, { companyId, ticketId }: Of): AsyncGenerator<File> {
  for (let last: File = { companyId: -1, key: '' }; ; ) {
    let query = db
      .selectFrom('media')
      .select(['companyId', 'key'])
      .where('named', '=', true)
      .where((eb) => eb(eb.refTuple('companyId', 'key'), '>', eb.tuple(last.companyId, last.key)))
    if (companyId !== undefined) query = query.where('companyId', '=', companyId)
    if (ticketId !== undefined)
      query = query.where('key', 'in', (eb) => eb.selectFrom('message').select(keyIn.as('key')).where('ticketId', '=', ticketId))
    const rows = await query.orderBy('companyId').orderBy('key').limit(page).execute()
    yield* rows
    if (rows.length < page) return
    last = rows.at(-1)!
  }
}

async function faultOf(db: Kysely<Database>, blobs: Blobs, { companyId, key }: File): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    const content = await blobs.read(placeOf(companyId, key))
    if (!content) {
      const row = db.selectFrom('media').select('key').where('companyId', '=', companyId).where('key', '=', key)
      return (await row.executeTakeFirst()) ? `file ${key} is not there` : null // it was forgotten meanwhile
    }
    await pipeline(content, hash)
  } catch (error) {
    return `file ${key} cannot be read (${(error as NodeJS.ErrnoException).code})`
  }
  return hash.digest('hex') === key ? null : `file ${key} has other bytes`
}

/** A ticket that shows it. */
async function streamWith(db: Kysely<Database>, { companyId, key }: File, { ticketId }: Of): Promise<string> {
  if (ticketId !== undefined) return streamOf(companyId, ticketId)
  const row = await db
    .selectFrom('message')
    .select('ticketId')
    .where('companyId', '=', companyId)
    .where('media', 'is not', null)
    .where(keyIn, '=', key)
    .executeTakeFirst()
  return row ? streamOf(companyId, row.ticketId) : `ticket-${companyId}-?`
}

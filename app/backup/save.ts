import type pg from 'pg'
import type { Blobs } from '../blobs/blobs.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { type Archive, format, version, writeArchive } from './archive.ts'
import { linesOf } from './log.ts'
import { connected, copyOut, progress, sequencesIn, tablesIn } from './tables.ts'
import { begun } from './unfinished.ts'

type From = {
  connectionString: string
  masterKey: Buffer
  checkValue: string
  /** null: they lie in a bucket, which has copies of its own. */
  blobs: Blobs | null
  bucket: string | null
  /** A log that stands outside Postgres. */
  eventStore: EventStore | null
}

/**
 * Everything but the read tables and the key, while the server goes on. Postgres in one snapshot; with a log elsewhere in two, and the log
 * between them: how far it was dealt with is older than the log, keys and contacts are newer, so that no table is ahead and no key is missing.
 */
export async function save(file: string, { connectionString, masterKey, checkValue, blobs, bucket, eventStore }: From) {
  const client = await connected(connectionString)
  try {
    if ((await begun(client)) !== null) throw new Error('a restore into this store was not finished: there is nothing whole to save')
    await snapshot(client)
    const all = await tablesIn(client)
    const tables = eventStore ? all.filter(({ name }) => name !== 'event') : all
    const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration')
    const archive = await writeArchive(file, masterKey, {
      ...{ format, version, tables, madeAt: new Date().toISOString(), engine: eventStore ? 'eventstoredb' : 'postgres' },
      ...{ migration: rows[0]!.name, key: checkValue, ...(bucket !== null && { bucket }) },
    })
    try {
      const some = (wanted: (name: string) => boolean) => copied(client, archive, tables, wanted)
      if (eventStore) {
        await some((name) => progress.includes(name))
        await client.query('commit')
        await archive.pieces('log', linesOf(eventStore))
        await snapshot(client)
        await some((name) => !progress.includes(name))
      } else await some(() => true)
      await client.query('commit')
      const files = blobs ? await media(archive, blobs) : 0
      await archive.text('sequences.json', await sequencesIn(client))
      return { ...(await archive.finish()), files }
    } catch (error) {
      await archive.abandon()
      throw error
    }
  } finally {
    await client.end()
  }
}

const snapshot = (client: pg.Client) => client.query('begin isolation level repeatable read read only')

async function copied(
  client: pg.Client,
  archive: Archive,
  tables: { name: string; columns: string[] }[],
  wanted: (name: string) => boolean,
): Promise<void> {
  for (const table of tables) if (wanted(table.name)) await archive.pieces(`tables/${table.name}`, copyOut(client, table))
}

/** Behind the tables: every file that a row names was there before the row. One that is forgotten meanwhile is no loss. */
async function media(archive: Archive, blobs: Blobs): Promise<number> {
  let files = 0
  for await (const { key, size } of blobs.list()) {
    const content = await blobs.read(key)
    if (!content) continue
    await archive.entry(`media/${key}`, size, content)
    files += 1
  }
  return files
}

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
  /** null if the files are in a bucket, which must have its own backup. */
  blobs: Blobs | null
  bucket: string | null
  /** An event store outside Postgres; null otherwise. */
  eventStore: EventStore | null
}

/**
 * Saves everything except the read models and the master key, while the server runs. Postgres is read in one snapshot. With an external
 * event store there are two: progress tables first, then the events, then keys and contacts. So no table is ahead of the events, and no
 * key is missing.
 */
export async function save(file: string, { connectionString, masterKey, checkValue, blobs, bucket, eventStore }: From) {
  const client = await connected(connectionString)
  try {
    if ((await begun(client)) !== null) throw new Error('A restore into this store was not finished: there is nothing complete to save')
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

/** Saved after the tables, because a file exists before the row that names it. A file that is removed meanwhile is not needed. */
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

import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { migrate, migrationNames } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { findAnchors, publicKeys } from '../anchor/check.ts'
import { readSigningKeys } from '../anchor/signing-key.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { contactKeys } from '../crypto/contact-keys.ts'
import { readLogKeys } from '../crypto/event-mac-keys.ts'
import { verifyMasterKey } from '../crypto/master-key.ts'
import { checkOf } from '../crypto/seal.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { rebuild } from '../event-store/rebuild.ts'
import { projectors, streamPrefixes } from '../modules.ts'
import { reclaim } from '../ticket/active-ticket-rows.ts'
import type { Verdict } from '../verification/verification-result.ts'
import { verifyLog } from '../verification/verify.ts'
import { type ArchiveEntry, entriesOf, type Head, headOf, InvalidArchive, readAll, verifyArchive, version } from './archive.ts'
import { checkpointsIn, lineWriter, moveCheckpoints } from './log.ts'
import { markRestored } from './restored.ts'
import { clear, connected, copyIn, isEmpty, raise, running, type Sequences } from './tables.ts'
import { begun, mark, unmark } from './unfinished.ts'

export type Fit = { head: Head; id: string }

/** Checks an archive before any store is changed: its format, release, master key, event store engine and integrity. */
export async function fitting(file: string, key: Buffer | null, usesEventStoreDb: boolean): Promise<Fit> {
  const head = await headOf(file)
  const known = await migrationNames()
  if (head.version > version || !known.includes(head.migration))
    throw new InvalidArchive(`${file} was made by a newer release (${head.migration}): restore it with that one`)
  const named = head.key.slice(0, 8)
  if (!key) throw new InvalidArchive(`MASTER_KEY: is missing, and ${file} opens with key ${named}: put that one back first`)
  if (checkOf(key) !== head.key)
    throw new InvalidArchive(`MASTER_KEY: is key ${checkOf(key).slice(0, 8)}, and ${file} opens with key ${named}: put that one back first`)
  if (usesEventStoreDb !== (head.engine === 'eventstoredb'))
    throw new InvalidArchive(
      usesEventStoreDb
        ? `EVENTSTORE_URL: is set, and the log of ${file} was kept in Postgres`
        : `EVENTSTORE_URL: is missing, and the log of ${file} was kept in an EventStoreDB`,
    )
  return { head, id: await verifyArchive(file, key) }
}

type Into = {
  connectionString: string
  masterKey: Buffer
  blobs: Blobs
  uploadDir: string
  eventStore: EventStore
  say: (line: string) => void
}

/** Restores an archive into an empty store, or into one with an interrupted restore, which starts again from the first entry. */
export async function load(file: string, { head, id }: Fit, into: Into): Promise<Verdict> {
  const { connectionString, masterKey, eventStore, say } = into
  const client = await connected(connectionString)
  const { db, pool } = openStore(connectionString, 4)
  try {
    await ready(client, head, id, eventStore, say)
    await clear(client)
    await mark(client, id)
    await migrate(db, head.migration)
    const { seen, sequences } = await restoreEntries(client, file, head, into)
    await migrate(db)
    await verifyMasterKey(db, masterKey)
    await client.query('delete from checkpoint where name = any($1)', [projectors.map(({ name }) => name)])
    if (seen) await moveCheckpoints(client, eventStore, seen)
    say('The read models are built from the event store.')
    for (const of of projectors)
      await rebuild(of, { db, connectionString, eventStore, contactKeys: contactKeys(pool, masterKey) }, { withoutKeys: true })
    if (seen) await reclaim(db)
    await raise(client, { ...sequences, ...(await highest(client, sequences)) })
    const found = await findAnchors({ eventStore, keys: publicKeys(await readSigningKeys(db, masterKey)) })
    const verdict = await verifyLog(eventStore, streamPrefixes, await readLogKeys(db, masterKey), found)
    await markRestored(client, head.madeAt)
    await unmark(client)
    return verdict
  } finally {
    await db.destroy()
    await client.end()
  }
}

async function ready(client: pg.Client, { engine }: Head, id: string, eventStore: EventStore, say: (line: string) => void): Promise<void> {
  const others = await running(client)
  if (others > 0) throw new InvalidArchive(`${others} processes of Guichê run on this store: stop them first`)
  const unfinished = await begun(client)
  const usesEventStoreDb = engine === 'eventstoredb'
  if (unfinished !== null && usesEventStoreDb && unfinished !== id && (await eventStore.readHeadPosition()) !== null)
    throw new InvalidArchive(
      'EVENTSTORE_URL: the log holds a part of another archive, whose restore was not finished: finish that, or take an empty one',
    )
  if (unfinished !== null) return say('A restore into this store was not finished; it starts again.')
  if (!(await isEmpty(client))) throw new InvalidArchive('the store is not empty: a backup is restored into an empty one only')
  if (usesEventStoreDb && (await eventStore.readHeadPosition()) !== null)
    throw new InvalidArchive('EVENTSTORE_URL: the log is not empty: a backup is restored into an empty one only')
}

/** Restores the tables in one transaction. Files and an external event store are outside of it. */
async function restoreEntries(client: pg.Client, file: string, { tables }: Head, { blobs, uploadDir, eventStore }: Into) {
  let table: Awaited<ReturnType<typeof copyIn>> | null = null
  let lines: ReturnType<typeof lineWriter> | null = null
  let sequences: Sequences = {}
  const switchTable = async (name: string | null) => {
    if (table?.name === name) return
    await table?.end()
    const next = tables.find((one) => one.name === name)
    if (name !== null && !next) throw new InvalidArchive(`${file} names no columns of ${name}`)
    table = next ? await copyIn(client, next) : null
  }
  const handlers: Record<string, (entry: ArchiveEntry, rest: string[]) => Promise<void>> = {
    async tables({ content }, [name = '']) {
      await switchTable(name)
      for await (const chunk of content) await table!.write(chunk)
    },
    async log({ content }) {
      await switchTable(null)
      lines ??= lineWriter(eventStore, await checkpointsIn(client))
      for await (const chunk of content) await lines.take(chunk)
    },
    async media({ content }, rest) {
      await switchTable(null)
      if (rest.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part)))
        throw new InvalidArchive(`${file} names a file outside the folder`)
      const at = path.join(uploadDir, crypto.randomUUID())
      await mkdir(uploadDir, { recursive: true })
      await pipeline(content, createWriteStream(at))
      await blobs.put(rest.join('/'), { path: at, size: (await stat(at)).size, mime: 'application/octet-stream' })
    },
    async 'sequences.json'({ content }) {
      sequences = JSON.parse((await readAll(content)).toString()) as Sequences
    },
    async 'head.json'({ content }) {
      await readAll(content)
    },
  }
  await client.query('begin')
  for await (const entry of entriesOf(file)) {
    const [section = '', ...rest] = entry.name.split('/')
    await handlers[section]!(entry, rest)
  }
  await switchTable(null)
  await client.query('commit')
  return { sequences, seen: (lines as ReturnType<typeof lineWriter> | null)?.done().seen ?? null }
}

/** The highest ids in use, so that no id in the event store is assigned again. */
async function highest(client: pg.Client, saved: Sequences): Promise<Sequences> {
  const { rows } = await client.query<Record<string, string>>(`select
    greatest((select max(id) from ticket), (select max(id) from ticket_history)) as ticket_id,
    (select max(id) from message) as message_id, (select max(id) from note) as note_id,
    greatest((select max(contact_id) from contact_key), (select max(contact_id) from ticket)) as contact_id_seq`)
  const above = Object.entries(rows[0]!).filter(([name, last]) => last !== null && BigInt(last) > BigInt(saved[name] ?? 0))
  return Object.fromEntries(above)
}

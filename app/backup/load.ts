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
import { provenKey } from '../crypto/master-key.ts'
import { checkOf } from '../crypto/seal.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { rebuild } from '../event-store/rebuild.ts'
import { projectors, streamPrefixes } from '../modules.ts'
import { reclaim } from '../ticket/active-ticket-registry.ts'
import type { Verdict } from '../verification/verification-result.ts'
import { verifyLog } from '../verification/verify.ts'
import { type Entry, entriesOf, type Head, headOf, proven, Unfit, version, whole } from './archive.ts'
import { checkpointsIn, lineWriter, moveCheckpoints } from './log.ts'
import { markRestored } from './restored.ts'
import { clear, connected, copyIn, isEmpty, raise, running, type Sequences } from './tables.ts'
import { begun, mark, unmark } from './unfinished.ts'

export type Fit = { head: Head; id: string }

/** What can be said of an archive before any store is touched: whether it is one, of this release or older, of this key, and as it was written. */
export async function fitting(file: string, key: Buffer | null, elsewhere: boolean): Promise<Fit> {
  const head = await headOf(file)
  const known = await migrationNames()
  if (head.version > version || !known.includes(head.migration))
    throw new Unfit(`${file} was made by a newer release (${head.migration}): restore it with that one`)
  const named = head.key.slice(0, 8)
  if (!key) throw new Unfit(`MASTER_KEY: is missing, and ${file} opens with key ${named}: put that one back first`)
  if (checkOf(key) !== head.key)
    throw new Unfit(`MASTER_KEY: is key ${checkOf(key).slice(0, 8)}, and ${file} opens with key ${named}: put that one back first`)
  if (elsewhere !== (head.engine === 'eventstoredb'))
    throw new Unfit(
      elsewhere
        ? `EVENTSTORE_URL: is set, and the log of ${file} was kept in Postgres`
        : `EVENTSTORE_URL: is missing, and the log of ${file} was kept in an EventStoreDB`,
    )
  return { head, id: await proven(file, key) }
}

type Into = {
  connectionString: string
  masterKey: Buffer
  blobs: Blobs
  uploadDir: string
  eventStore: EventStore
  say: (line: string) => void
}

/** Into an empty store, or one where the same was begun before; whatever was half done is done again from the first entry. */
export async function load(file: string, { head, id }: Fit, into: Into): Promise<Verdict> {
  const { connectionString, masterKey, eventStore, say } = into
  const client = await connected(connectionString)
  const { db, pool } = openStore(connectionString, 4)
  try {
    await ready(client, head, id, eventStore, say)
    await clear(client)
    await mark(client, id)
    await migrate(db, head.migration)
    const { seen, sequences } = await filled(client, file, head, into)
    await migrate(db)
    await provenKey(db, masterKey)
    await client.query('delete from checkpoint where name = any($1)', [projectors.map(({ name }) => name)])
    if (seen) await moveCheckpoints(client, eventStore, seen)
    say('The read tables are built from the log.')
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
  if (others > 0) throw new Unfit(`${others} processes of Guichê run on this store: stop them first`)
  const half = await begun(client)
  const elsewhere = engine === 'eventstoredb'
  if (half !== null && elsewhere && half !== id && (await eventStore.readHeadPosition()) !== null)
    throw new Unfit(
      'EVENTSTORE_URL: the log holds a part of another archive, whose restore was not finished: finish that, or take an empty one',
    )
  if (half !== null) return say('A restore into this store was not finished; it begins anew.')
  if (!(await isEmpty(client))) throw new Unfit('the store is not empty: a backup is restored into an empty one only')
  if (elsewhere && (await eventStore.readHeadPosition()) !== null)
    throw new Unfit('EVENTSTORE_URL: the log is not empty: a backup is restored into an empty one only')
}

/** The tables in one transaction; the files and a log that stands elsewhere beside it. */
async function filled(client: pg.Client, file: string, { tables }: Head, { blobs, uploadDir, eventStore }: Into) {
  let table: Awaited<ReturnType<typeof copyIn>> | null = null
  let lines: ReturnType<typeof lineWriter> | null = null
  let sequences: Sequences = {}
  const turnTo = async (name: string | null) => {
    if (table?.name === name) return
    await table?.end()
    const next = tables.find((one) => one.name === name)
    if (name !== null && !next) throw new Unfit(`${file} names no columns of ${name}`)
    table = next ? await copyIn(client, next) : null
  }
  const rooms: Record<string, (entry: Entry, rest: string[]) => Promise<void>> = {
    async tables({ content }, [name = '']) {
      await turnTo(name)
      for await (const chunk of content) await table!.write(chunk)
    },
    async log({ content }) {
      await turnTo(null)
      lines ??= lineWriter(eventStore, await checkpointsIn(client))
      for await (const chunk of content) await lines.take(chunk)
    },
    async media({ content }, rest) {
      await turnTo(null)
      if (rest.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part))) throw new Unfit(`${file} names a file outside the folder`)
      const at = path.join(uploadDir, crypto.randomUUID())
      await mkdir(uploadDir, { recursive: true })
      await pipeline(content, createWriteStream(at))
      await blobs.put(rest.join('/'), { path: at, size: (await stat(at)).size, mime: 'application/octet-stream' })
    },
    async 'sequences.json'({ content }) {
      sequences = JSON.parse((await whole(content)).toString()) as Sequences
    },
    async 'head.json'({ content }) {
      await whole(content)
    },
  }
  await client.query('begin')
  for await (const entry of entriesOf(file)) {
    const [room = '', ...rest] = entry.name.split('/')
    await rooms[room]!(entry, rest)
  }
  await turnTo(null)
  await client.query('commit')
  return { sequences, seen: (lines as ReturnType<typeof lineWriter> | null)?.done().seen ?? null }
}

/** No number that stands in the log is given out again. */
async function highest(client: pg.Client, saved: Sequences): Promise<Sequences> {
  const { rows } = await client.query<Record<string, string>>(`select
    greatest((select max(id) from ticket), (select max(id) from ticket_history)) as ticket_id,
    (select max(id) from message) as message_id, (select max(id) from note) as note_id,
    greatest((select max(contact_id) from contact_key), (select max(contact_id) from ticket)) as contact_id_seq`)
  const above = Object.entries(rows[0]!).filter(([name, last]) => last !== null && BigInt(last) > BigInt(saved[name] ?? 0))
  return Object.fromEntries(above)
}

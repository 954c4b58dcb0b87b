import path from 'node:path'
import type { JWT } from '@fastify/jwt'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { prefixOf, type StreamCategory } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { migrate, newerMigrations } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import type { Projector } from '#projections/projector.ts'
import { type SigningKey, signingKey } from './anchor/signing-key.ts'
import { begun } from './backup/unfinished.ts'
import type { Blobs } from './blobs/blobs.ts'
import { localBlobs } from './blobs/local.ts'
import { s3Blobs } from './blobs/s3.ts'
import { withTimeout } from './concurrency/retry.ts'
import { type Config, ConfigError } from './config.ts'
import { type ConnectionTokens, connectionTokens } from './crypto/connection-tokens.ts'
import { type ContactKeys, contactKeys } from './crypto/contact-keys.ts'
import { type EventMacKey, type EventMacKeys, eventMacKeys } from './crypto/event-mac-keys.ts'
import { derived, provenKey } from './crypto/master-key.ts'
import { createAggregateRepository } from './event-store/aggregate-repository.ts'
import { type EventStore, Unavailable } from './event-store/event-store.ts'
import { createPostgresEventStore } from './event-store/postgres.ts'
import { openSnapshots } from './event-store/snapshots.ts'
import { idSource, type NextId } from './ids.ts'
import { type MetaAccounts, metaAccounts } from './meta/accounts.ts'
import { type Graph, graphAt } from './meta/graph.ts'
import { type MessageIds, messageIds } from './meta/message-ids.ts'
import { type NotificationBus, openNotificationBus } from './postgres/notification-bus.ts'
import { createProjectionWaiter, type WaitForProjection } from './projection/wait-for-projection.ts'
import { type Clock, clockOf, openClock } from './scheduler/clock.ts'
import { type EnqueueJob, type Jobs, openJobs } from './scheduler/jobs.ts'
import { openPauses, type Pauses } from './session/pauses.ts'
import { openViewers, type Viewers } from './session/viewers.ts'
import { type SettingStore, settingStore } from './setting/store.ts'
import { type MediaStore, openMedia } from './storage/media.ts'
import { type ActiveTicketRegistry, createActiveTicketRegistry } from './ticket/active-ticket-registry.ts'
import type { ExecuteTicketCommand, LoadTicket, WasExecuted } from './ticket/ticket-repository.ts'
import { type AccountKeys, accountKeys } from './whatsapp/account-keys.ts'

/** All that stands open in a process, whatever its roles: the stores, and what is asked of them. */
export type AppContext = {
  config: Config
  logger: Logger
  connectionString: string
  db: Kysely<Database>
  pool: pg.Pool
  eventStore: EventStore
  contactKeys: ContactKeys
  eventMacKeys: EventMacKeys & { current: EventMacKey }
  /** Signs anchors and exports. */
  signingKey: SigningKey
  /** Every kind of stream there is. */
  streams: StreamCategory[]
  notifications: NotificationBus
  jobs: Jobs
  enqueue: EnqueueJob
  clock: Clock
  /** The machine's: who is here and who is away goes by it, however far the house is ahead. */
  systemClock: Clock
  execute: ExecuteTicketCommand
  load: LoadTicket
  wasExecuted: WasExecuted
  activeTickets: ActiveTicketRegistry
  waitForProjection: WaitForProjection
  /** Of the tickets' streams, which is what a projector comes to. */
  readHeadPosition: () => Promise<bigint | null>
  nextTicketId: NextId
  nextMessageId: NextId
  nextNoteId: NextId
  media: MediaStore
  uploadDir: string
  /** What companies and the platform set, where `settings` is what the process was started with. */
  companySettingStore: SettingStore
  tokens: ConnectionTokens
  whatsappAccountKeys: AccountKeys
  /** What connections are at Meta, and the one way there. */
  meta: MetaAccounts
  messageIds: MessageIds
  graph: Graph
  viewerCache: Viewers
  loginThrottle: Pauses
  secret: Buffer
  /** Signs an access token; the server that can is set once it stands. */
  sign: (claims: { sid: string }) => string
  /** A frame for everyone of a company, or for the user that `to` names, in every process; in a transaction with the rows it is about, when that commits. */
  broadcast: (channel: string, frame: { to?: number; [field: string]: unknown }, on?: Kysely<Database>) => Promise<void>
  jwt: { current: JWT | null }
  /** Each store by its name, and how to ask whether it is there. */
  healthChecks: Record<string, () => Promise<unknown>>
  close: () => Promise<void>
}

type AppContextOptions = {
  config: Config
  masterKey: Buffer | null
  /** Where none is given and nothing is sealed yet. */
  makeKey?: () => Promise<Buffer>
  connectionString: string
  logger: Logger
  /** Who makes the rows that a call waits for. */
  projectors: Projector<any>[]
  /** What is anchored. */
  streams: StreamCategory[]
  /** Absent: the one that all processes of the store follow. */
  clock?: Clock
}

/** Loaded only where it is used: it brings a whole gRPC along. */
const eventStoreAt = async (url: string, logger?: Logger): Promise<EventStore> =>
  (await import('./event-store/eventstoredb.ts')).createEsdbEventStore(url, logger && { logger })

/** The log that the settings name. */
export const openEventStore = async ({ eventstoreUrl }: Config, connectionString: string, logger?: Logger): Promise<EventStore> =>
  eventstoreUrl ? eventStoreAt(eventstoreUrl, logger) : createPostgresEventStore({ connectionString, ...(logger && { logger }) })

/** Where the files of messages lie. */
export const blobsOf = ({ dataDir, s3 }: Config): Blobs => (s3 ? s3Blobs(s3) : localBlobs(path.join(dataDir, 'media')))
async function thereIs(blobs: Blobs): Promise<void> {
  if (!(await blobs.exists())) throw new Unavailable('the bucket is not there')
}
/** Where what comes in lies until it is kept; on the disk of the files, so that it only has to move. */
export const uploadDirOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'uploads')

export async function createAppContext({
  config,
  masterKey: given,
  makeKey,
  connectionString,
  logger,
  projectors,
  streams,
  clock: ownClock,
}: AppContextOptions): Promise<AppContext> {
  const { db, pool } = openStore(connectionString, 10)
  if ((await begun(pool)) !== null)
    throw new ConfigError(['a restore into this store was not finished: run npm run restore again with its archive'])
  const applied = await migrate(db)
  if (applied.length > 0) logger.info({ migrations: applied }, 'migrated')
  const newer = await newerMigrations(db)
  if (newer.length > 0) logger.warn({ migrations: newer }, 'the database is of a newer release; this one goes on beside it')
  const masterKey = await provenKey(db, given, makeKey)
  const keys = contactKeys(pool, masterKey)
  const log = await openEventStore(config, connectionString, logger)
  const ears = openNotificationBus(connectionString)
  const clock = ownClock ?? (await clockOf(config.sandbox, db, ears, logger))
  const jobs = await openJobs({ databaseUrl: connectionString, redisUrl: config.redisUrl, logger })
  const signing = await eventMacKeys(db, masterKey)
  if (signing.made && (await log.readHeadPosition(prefixOf(ticketStream))) !== null)
    logger.error('the log holds events and the key that they were signed with is gone: none of them holds any more')
  const snapshots = openSnapshots(db, signing.current, ticketStream.snapshot.version, logger)
  const { execute, load, wasExecuted } = createAggregateRepository(ticketStream, {
    eventStore: log,
    contactKeys: keys,
    signer: signing.current,
    snapshots,
    clock,
  })
  const nextTicketId = idSource(db, 'ticket_id', 1)
  const jwt: AppContext['jwt'] = { current: null }
  const blobs = blobsOf(config)

  return {
    ...{
      config,
      logger,
      connectionString,
      db,
      pool,
      eventStore: log,
      contactKeys: keys,
      eventMacKeys: signing,
      streams,
      signingKey: await signingKey(db, masterKey),
      notifications: ears,
      jobs,
      enqueue: jobs.enqueue,
      clock,
      systemClock: ownClock ?? openClock(),
      execute,
      load,
      wasExecuted,
      jwt,
    },
    activeTickets: createActiveTicketRegistry(db, nextTicketId, load),
    waitForProjection: createProjectionWaiter(
      projectors.flatMap(({ name, of }) => (of === ticketStream ? [name] : [])),
      db,
      ears,
    ),
    readHeadPosition: () => log.readHeadPosition(prefixOf(ticketStream)),
    nextTicketId,
    nextMessageId: idSource(db, 'message_id', 50),
    nextNoteId: idSource(db, 'note_id', 10),
    media: openMedia(db, {
      ...{ blobs, secret: derived(masterKey, 'media'), quotaMegabytes: config.uploadQuotaMb },
      inboundMegabytes: config.inboundFileMb,
    }),
    uploadDir: uploadDirOf(config),
    companySettingStore: settingStore({ db, masterKey }),
    tokens: connectionTokens(masterKey),
    whatsappAccountKeys: accountKeys(masterKey),
    messageIds: messageIds(derived(masterKey, 'message ids')),
    meta: metaAccounts(masterKey, config.meta.appSecret),
    graph: graphAt({ url: config.meta.graphUrl, version: config.meta.graphVersion, timeoutMs: config.meta.graphTimeoutMs }),
    viewerCache: openViewers(db, clock, () => jwt.current!),
    loginThrottle: openPauses(),
    secret: derived(masterKey, 'access tokens'),
    sign: (claims) => jwt.current!.sign(claims),
    broadcast: async (channel, frame, on = db) =>
      void (await sql`select pg_notify('frames', ${JSON.stringify({ channel, ...frame })})`.execute(on)),
    healthChecks: {
      Postgres: () => sql`select 1`.execute(db),
      ...(config.eventstoreUrl && { EventStoreDB: () => log.readHeadPosition() }),
      ...(jobs.ping && { Redis: jobs.ping }),
      ...(config.s3 && { S3: () => thereIs(blobs) }),
    },
    async close() {
      const parting = (end: Promise<unknown>, what: string) =>
        withTimeout(end, 4000, `closing ${what}`).catch((error) => logger.warn({ err: error }, 'a store was left open'))
      await jobs.close()
      await parting(Promise.all([ears.close(), log.close()]), 'the log')
      await parting(db.destroy(), 'the database')
    },
  }
}

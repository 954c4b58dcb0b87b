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
import { derived, verifyMasterKey } from './crypto/master-key.ts'
import { createAggregateRepository } from './event-store/aggregate-repository.ts'
import { type EventStore, Unavailable } from './event-store/event-store.ts'
import { createPostgresEventStore } from './event-store/postgres.ts'
import { openSnapshots } from './event-store/snapshots.ts'
import type { FindingsCursor } from './history/findings.ts'
import { idSource, type NextId } from './ids.ts'
import type { NameLookups } from './inbound/contact-names.ts'
import type { ContactCache } from './inbound/contact-resolver.ts'
import { createWorkerWakeups, type RegisterLeaseHolder, type WakeWorker } from './inbound/worker-wakeups.ts'
import { type MetaAccounts, metaAccounts } from './meta/accounts.ts'
import { createGraphClient, type Graph } from './meta/graph.ts'
import { type MessageIds, messageIds } from './meta/message-ids.ts'
import { assertDiskSpace } from './observability/disk.ts'
import type { ExpiredCompanies } from './plan/expired.ts'
import { type Broadcast, type NotificationBus, openNotificationBus } from './postgres/notification-bus.ts'
import { createProjectionWaiter, type WaitForProjection } from './projection/wait-for-projection.ts'
import { type Clock, clockOf, openClock } from './scheduler/clock.ts'
import { type EnqueueJob, type Jobs, openJobs } from './scheduler/jobs.ts'
import { createLoginThrottle, type LoginThrottle } from './session/pauses.ts'
import { createViewerCache, type ViewerCache } from './session/viewers.ts'
import { type SettingStore, settingStore } from './setting/store.ts'
import { type MediaStore, openMedia } from './storage/media.ts'
import { type ActiveTicketRegistry, createActiveTicketRegistry } from './ticket/active-ticket-registry.ts'
import type { ExecuteTicketCommand, LoadTicket, WasExecuted } from './ticket/ticket-repository.ts'
import { type AccountKeys, accountKeys } from './whatsapp/account-keys.ts'
import type { LiveSockets } from './whatsapp/live-sockets.ts'

/** Everything that a process holds open: connections, stores and the functions that use them. Built once; each role takes what it needs. */
export type AppContext = {
  config: Config
  logger: Logger
  connectionString: string
  db: Kysely<Database>
  pool: pg.Pool
  eventStore: EventStore
  contactKeys: ContactKeys
  eventMacKeys: EventMacKeys & { current: EventMacKey }
  /** The key that signs anchors and exports. */
  signingKey: SigningKey
  /** All stream categories. */
  streams: StreamCategory[]
  /** The names of the processors that the projector role runs. */
  projectorNames: string[]
  notifications: NotificationBus
  jobs: Jobs
  enqueue: EnqueueJob
  clock: Clock
  /** The real system clock. Presence uses it even when the sandbox has moved the simulated clock forward. */
  systemClock: Clock
  execute: ExecuteTicketCommand
  load: LoadTicket
  wasExecuted: WasExecuted
  activeTickets: ActiveTicketRegistry
  waitForProjection: WaitForProjection
  /** Position of the newest ticket event, the target that projectors must reach. */
  readHeadPosition: () => Promise<bigint | null>
  nextTicketId: NextId
  nextMessageId: NextId
  nextNoteId: NextId
  media: MediaStore
  uploadDir: string
  /** Settings of companies and the platform; `config` is the configuration of the process. */
  companySettingStore: SettingStore
  tokens: ConnectionTokens
  whatsappAccountKeys: AccountKeys
  /** Meta accounts of the connections; `graph` is the client of the Graph API. */
  meta: MetaAccounts
  messageIds: MessageIds
  graph: Graph
  viewerCache: ViewerCache
  loginThrottle: LoginThrottle
  caches: Caches
  wakeWorker: WakeWorker
  registerLeaseHolder: RegisterLeaseHolder
  secret: Buffer
  /** Signs an access token. Available only after the web server has started, because it owns the JWT plugin. */
  sign: (claims: { sid: string }) => string
  broadcast: Broadcast
  jwt: { current: JWT | null }
  /** Store name → function that checks whether the store answers. */
  healthChecks: Record<string, () => Promise<unknown>>
  close: () => Promise<void>
}

/** What this process remembers. Each cache belongs to one feature, which states how long an entry is used. */
export type Caches = {
  contacts: ContactCache
  nameLookups: NameLookups
  expiredCompanies: ExpiredCompanies | null
  /** The settings of the places where publishing anchors fails. */
  failingAnchorPlaces: Set<string>
  findingsCursor: FindingsCursor
  whatsappSockets: LiveSockets
}
const createCaches = (): Caches => ({
  contacts: new Map(),
  nameLookups: new Map(),
  expiredCompanies: null,
  failingAnchorPlaces: new Set(),
  findingsCursor: { ticketId: 0 },
  whatsappSockets: new Map(),
})

type AppContextOptions = {
  config: Config
  masterKey: Buffer | null
  /** Creates the master key if none is given and nothing is sealed yet. */
  makeKey?: () => Promise<Buffer>
  connectionString: string
  logger: Logger
  /** The projectors of the rows that calls wait for. */
  projectors: Projector<any>[]
  /** The stream categories to anchor. */
  streams: StreamCategory[]
  /** Defaults to the clock that all processes of the store share. */
  clock?: Clock
}

/** Loads the EventStoreDB client only if it is used, because it includes gRPC. */
const eventStoreAt = async (url: string, logger?: Logger): Promise<EventStore> =>
  (await import('./event-store/eventstoredb.ts')).createEsdbEventStore(url, logger && { logger })

/** Opens the configured event store. */
export const openEventStore = async ({ eventstoreUrl }: Config, connectionString: string, logger?: Logger): Promise<EventStore> =>
  eventstoreUrl ? eventStoreAt(eventstoreUrl, logger) : createPostgresEventStore({ connectionString, ...(logger && { logger }) })

/** The configured storage of media files. */
export const blobsOf = ({ dataDir, s3 }: Config): Blobs => (s3 ? s3Blobs(s3) : localBlobs(path.join(dataDir, 'media')))
async function assertBucketExists(blobs: Blobs): Promise<void> {
  if (!(await blobs.exists())) throw new Unavailable('The bucket does not exist')
}
/** The folder for incomplete uploads. It is on the same disk as the media files, so that finished files are only renamed. */
export const uploadDirOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'uploads')

export async function createAppContext(options: AppContextOptions): Promise<AppContext> {
  const { config, connectionString, logger, projectors, streams, clock: ownClock } = options
  const { db, pool } = await openMigratedStore(connectionString, logger)
  const masterKey = await verifyMasterKey(db, options.masterKey, options.makeKey)
  const keys = contactKeys(pool, masterKey)
  const log = await openEventStore(config, connectionString, logger)
  const notifications = openNotificationBus(connectionString)
  const clock = ownClock ?? (await clockOf(config.sandbox, db, notifications, logger))
  const jobs = await openJobs({ databaseUrl: connectionString, redisUrl: config.redisUrl, logger })
  const signing = await eventMacKeys(db, masterKey)
  if (signing.made && (await log.readHeadPosition(prefixOf(ticketStream))) !== null)
    logger.error('Event MAC key is missing; existing events cannot be verified')
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
  const broadcast = broadcaster(db)

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
      projectorNames: projectors.map(({ name }) => name),
      signingKey: await signingKey(db, masterKey),
      notifications,
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
      notifications,
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
    companySettingStore: settingStore({ db, masterKey, broadcast }),
    tokens: connectionTokens(masterKey),
    whatsappAccountKeys: accountKeys(masterKey),
    messageIds: messageIds(derived(masterKey, 'message ids')),
    meta: metaAccounts(masterKey, config.meta.appSecret),
    graph: createGraphClient({ url: config.meta.graphUrl, version: config.meta.graphVersion, timeoutMs: config.meta.graphTimeoutMs }),
    viewerCache: createViewerCache(db, clock, () => jwt.current!),
    loginThrottle: createLoginThrottle(),
    caches: createCaches(),
    ...createWorkerWakeups(db),
    secret: derived(masterKey, 'access tokens'),
    sign: (claims) => jwt.current!.sign(claims),
    broadcast,
    healthChecks: healthChecksOf(config, { db, eventStore: log, jobs }, blobs),
    close: () => closeStores({ db, eventStore: log, jobs, notifications }, logger),
  }
}

const broadcaster =
  (db: Kysely<Database>): Broadcast =>
  async (channel, frame, on = db) =>
    void (await sql`select pg_notify('frames', ${JSON.stringify({ channel, ...frame })})`.execute(on))

/** Opens the database and applies the migrations that are missing. */
async function openMigratedStore(connectionString: string, logger: Logger): Promise<ReturnType<typeof openStore>> {
  const store = openStore(connectionString, 10)
  if ((await begun(store.pool)) !== null)
    throw new ConfigError(['a restore into this store was not finished: run npm run restore again with its archive'])
  const applied = await migrate(store.db)
  if (applied.length > 0) logger.info({ migrations: applied }, 'Migrations applied')
  const newer = await newerMigrations(store.db)
  if (newer.length > 0) logger.warn({ migrations: newer }, 'Database belongs to a newer release; continuing')
  return store
}

const healthChecksOf = (
  config: Config,
  { db, eventStore, jobs }: Pick<AppContext, 'db' | 'eventStore' | 'jobs'>,
  blobs: Blobs,
): AppContext['healthChecks'] => ({
  Postgres: () => sql`select 1`.execute(db),
  ...(config.eventstoreUrl && { EventStoreDB: () => eventStore.readHeadPosition() }),
  ...(jobs.ping && { Redis: jobs.ping }),
  ...(config.s3 && { S3: () => assertBucketExists(blobs) }),
  Disk: () => assertDiskSpace(config.dataDir),
})

async function closeStores(
  { db, eventStore, jobs, notifications }: Pick<AppContext, 'db' | 'eventStore' | 'jobs' | 'notifications'>,
  logger: Logger,
): Promise<void> {
  const closeInTime = (end: Promise<unknown>, what: string) =>
    withTimeout(end, 4000, `closing ${what}`).catch((error) => logger.warn({ err: error }, 'Store not closed in time'))
  await jobs.close()
  await closeInTime(Promise.all([notifications.close(), eventStore.close()]), 'the event store')
  await closeInTime(db.destroy(), 'the database')
}

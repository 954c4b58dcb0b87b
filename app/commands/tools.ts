import { type ParseArgsConfig, parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { assertSupportedSchema } from '#projections/migrate.ts'
import { snakeCase } from '#projections/names.ts'
import { openStore } from '#projections/postgres.ts'
import { readSigningKeys, type SigningKey } from '../anchor/signing-key.ts'
import { checkConnections, readOrCreateMasterKey, type Stores, startDatabases } from '../bootstrap/databases.ts'
import { type Config, ConfigError, parseConfig } from '../config.ts'
import { type AppContext, createAppContext, openEventStore } from '../context.ts'
import { type ContactKeys, contactKeys } from '../crypto/contact-keys.ts'
import { type EventMacKeys, readLogKeys } from '../crypto/event-mac-keys.ts'
import { verifyMasterKey } from '../crypto/master-key.ts'
import { databaseIn, runningPostgres } from '../embedded/database.ts'
import { serializeError } from '../event-store/error-serializer.ts'
import { projectors, streamKinds } from '../modules.ts'

/** The exit code of a program whose reader has gone, as a shell reports SIGPIPE. */
const brokenPipeExitCode = 141
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(brokenPipeExitCode)
    throw error
  })

/** Runs a command with an app context but no roles, also while a server runs on the same data. */
export const withAppContext = (act: (ctx: AppContext) => Promise<number>, which?: Which): Promise<never> =>
  withStores(async (stores, settings, logger) => {
    if (which?.existing) await assertInstalled(stores.connectionString, settings, which.hint)
    const ctx = await createAppContext({ config: settings, ...stores, logger, projectors, streams: streamKinds })
    try {
      return await act(ctx)
    } finally {
      await ctx.close()
    }
  }, which)

/** Read access to the tables and the event store: nothing is created, migrated or claimed. */
type At = Pick<AppContext, 'db' | 'eventStore'> & {
  config: Config
  contactKeys: ContactKeys | null
  eventMacKeys: EventMacKeys | null
  signingKeys: SigningKey[]
}
export const withReadAccess = (act: (at: At) => Promise<number>): Promise<never> =>
  withStores(
    async ({ connectionString, masterKey }, settings) => {
      const { db, pool } = openStore(connectionString, 2)
      try {
        await assertSupportedSchema(db)
        const known = await db.introspection.getTables()
        for (const table of [
          'event',
          'company',
          'ticketHistory',
          'masterKey',
          'securityEvent',
          'contactKey',
          'eventMacKey',
          'signingKey',
          'anchor',
        ])
          if (!known.some(({ name }) => name === snakeCase(table)))
            throw new ConfigError([
              `the database holds no ${table === 'event' ? 'log of Guichê' : `table ${snakeCase(table)}; start this release once on it`}`,
            ])
        if (await db.selectFrom('masterKey').select('checkValue').executeTakeFirst()) await verifyMasterKey(db, masterKey)
        const log = await openEventStore(settings, connectionString)
        try {
          const logKeys = masterKey && (await readLogKeys(db, masterKey))
          const signingKeys = masterKey ? await readSigningKeys(db, masterKey) : []
          return await act({
            db,
            eventStore: log,
            config: settings,
            contactKeys: masterKey && contactKeys(pool, masterKey),
            eventMacKeys: logKeys,
            signingKeys,
          })
        } finally {
          await log.close()
        }
      } finally {
        await db.destroy()
      }
    },
    { existing: true },
  )

/** Parses the command line. Unknown arguments print one line, exit with code 2 and change nothing. */
export function parseArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: withDashedValues(config, process.argv.slice(2)) })
  } catch (error) {
    console.error((error as Error).message.split(/\n|\. To specify/)[0]) // without Node's advice about file names that begin with a dash
    process.exit(2)
  }
}

/** Joins option and value by an equals sign if the value begins with a dash, as one key in 64 does; Node would take it for an option. */
function withDashedValues({ options = {} }: ParseArgsConfig, args: string[]): string[] {
  const at = args.findIndex((arg, i) => {
    const value = args[i + 1] ?? ''
    return arg.startsWith('--') && options[arg.slice(2)]?.type === 'string' && value.startsWith('-') && !(value.slice(2) in options)
  })
  return at < 0 ? args : withDashedValues({ options }, [...args.slice(0, at), `${args[at]}=${args[at + 1]}`, ...args.slice(at + 2)])
}

/**
 * `existing`: refuse if there is no installation, because a command without the server's settings would create a second one. `hint`: what to do
 * then. `first`: checks to run before any store is created or opened.
 */
type Which = { existing: boolean; hint?: string; first?: (config: Config) => Promise<void> }

/** Refuses a database that no start of this product has prepared. */
export async function assertInstalled(connectionString: string, { databaseUrl, dataDir }: Config, hint?: string): Promise<void> {
  const { db } = openStore(connectionString, 1)
  try {
    const { rows } = await sql<{ there: boolean }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db)
    if (rows[0]!.there) return
  } finally {
    await db.destroy()
  }
  const place = databaseUrl ? 'DATABASE_URL: the database' : `DATA_DIR: the database of ${dataDir}`
  throw new ConfigError([withHint(`${place} holds no installation`, hint)])
}
const withHint = (line: string, hint: string | undefined) => (hint ? `${line}; ${hint}` : line)

/** Opens the databases only, runs `act` and exits the process with its code. An error is printed in one line. */
export async function withStores(
  act: (stores: Stores, config: Config, logger: Logger) => Promise<number>,
  { existing, hint, first }: Which = { existing: false },
): Promise<never> {
  process.umask(0o027)
  let code = 2
  try {
    const settings = parseConfig(process.env)
    const logger = pino({ level: 'warn', serializers: { err: serializeError } })
    if (existing && !settings.databaseUrl && !databaseIn(settings.dataDir))
      throw new ConfigError([withHint(`DATA_DIR: ${settings.dataDir} holds no database`, hint)])
    await first?.(settings)
    await checkConnections({ ...settings, s3: null }) // commands must not write a probe object into the bucket
    const running = settings.databaseUrl ? null : await runningPostgres(settings.dataDir)
    const stores = running
      ? { connectionString: running, ...(await readOrCreateMasterKey(settings)), close: async () => undefined }
      : await startDatabases(settings, logger)
    try {
      code = await act(stores, settings, logger)
    } finally {
      await stores.close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
  process.exit(code)
}

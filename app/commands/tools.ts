import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Logger, pino } from 'pino'
import { snakeCase } from '#projections/names.ts'
import { openStore } from '#projections/postgres.ts'
import { readSigningKeys, type SigningKey } from '../anchor/signing-key.ts'
import { checkConnections, readOrCreateMasterKey, type Stores, startDatabases } from '../bootstrap/databases.ts'
import { type Config, ConfigError, parseConfig } from '../config.ts'
import { type AppContext, createAppContext, openEventStore } from '../context.ts'
import { type ContactKeys, contactKeys } from '../crypto/contact-keys.ts'
import { type EventMacKeys, readLogKeys } from '../crypto/event-mac-keys.ts'
import { provenKey } from '../crypto/master-key.ts'
import { databaseIn, runningPostgres } from '../embedded/database.ts'
import { unquoted } from '../event-store/error-serializer.ts'
import { projectors, streamKinds } from '../modules.ts'

/** The house without a role, for a tool of the operator's: beside a server that runs on the same data, or alone. */
export const withHouse = (act: (ctx: AppContext) => Promise<number>, which?: Which): Promise<never> =>
  withStores(async (stores, settings, logger) => {
    const ctx = await createAppContext({ config: settings, ...stores, logger, projectors, streams: streamKinds })
    try {
      return await act(ctx)
    } finally {
      await ctx.close()
    }
  }, which)

/** The tables and the log as they stand, for a tool that looks on: nothing is made, migrated or claimed. */
type At = Pick<AppContext, 'db' | 'eventStore'> & {
  config: Config
  contactKeys: ContactKeys | null
  eventMacKeys: EventMacKeys | null
  houseKeys: SigningKey[]
}
export const looking = (act: (at: At) => Promise<number>): Promise<never> =>
  withStores(
    async ({ connectionString, masterKey }, settings) => {
      const { db, pool } = openStore(connectionString, 2)
      try {
        const known = await db.introspection.getTables()
        for (const table of [
          'event',
          'company',
          'ticketHistory',
          'masterKey',
          'securityEvent',
          'contactKey',
          'logKey',
          'houseKey',
          'anchor',
        ])
          if (!known.some(({ name }) => name === snakeCase(table)))
            throw new ConfigError([
              `the database holds no ${table === 'event' ? 'log of Guichê' : `table ${snakeCase(table)}; start this release once on it`}`,
            ])
        if (await db.selectFrom('masterKey').select('checkValue').executeTakeFirst()) await provenKey(db, masterKey)
        const log = await openEventStore(settings, connectionString)
        try {
          const logKeys = masterKey && (await readLogKeys(db, masterKey))
          const houseKeys = masterKey ? await readSigningKeys(db, masterKey) : []
          return await act({
            db,
            eventStore: log,
            config: settings,
            contactKeys: masterKey && contactKeys(pool, masterKey),
            eventMacKeys: logKeys,
            houseKeys,
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

/** The words of a command line; what it does not know is said in one line, and nothing is done. */
export function words<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: withDashedValues(config, process.argv.slice(2)) })
  } catch (error) {
    console.error((error as Error).message.split(/\n|\. To specify/)[0]) // Node goes on with how to name a file that begins with a dash
    process.exit(2)
  }
}

/** A value may begin with a dash, as one key in 64 does; Node takes it for an option unless an equals sign precedes it. */
function withDashedValues({ options = {} }: ParseArgsConfig, args: string[]): string[] {
  const at = args.findIndex((arg, i) => {
    const value = args[i + 1] ?? ''
    return arg.startsWith('--') && options[arg.slice(2)]?.type === 'string' && value.startsWith('-') && !(value.slice(2) in options)
  })
  return at < 0 ? args : withDashedValues({ options }, [...args.slice(0, at), `${args[at]}=${args[at + 1]}`, ...args.slice(at + 2)])
}

/** `existing`: a folder without a database stays without one. `first`: what may refuse before any store is made or opened. */
type Which = { existing: boolean; first?: (config: Config) => Promise<void> }

/** The stores alone. Ends the process: what goes wrong is told in a line. */
export async function withStores(
  act: (stores: Stores, config: Config, logger: Logger) => Promise<number>,
  { existing, first }: Which = { existing: false },
): Promise<never> {
  process.umask(0o027)
  let code = 2
  try {
    const settings = parseConfig(process.env)
    const logger = pino({ level: 'warn', serializers: { err: unquoted } })
    if (existing && !settings.databaseUrl && !databaseIn(settings.dataDir))
      throw new ConfigError([`DATA_DIR: ${settings.dataDir} holds no database`])
    await first?.(settings)
    await checkConnections({ ...settings, s3: null }) // a tool writes nothing of its own into the bucket
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

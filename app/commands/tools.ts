import { type Logger, pino } from 'pino'
import { runningPostgres } from '../embedded/database.ts'
import { type House, openHouse, unquoted } from '../house.ts'
import { readSettings, type Settings, SettingsFault } from '../settings.ts'
import { openStores, ourKey, type Stores } from '../stores.ts'

/** The house without a role, for a tool of the operator's: beside a server that runs on the same data, or alone. */
export const withHouse = (act: (house: House) => Promise<number>): Promise<never> =>
  withStores(async (stores, settings, logger) => {
    const house = await openHouse({ settings, ...stores, logger })
    try {
      return await act(house)
    } finally {
      await house.close()
    }
  })

/** The stores alone. Ends the process: what goes wrong is told in a line. */
export async function withStores(act: (stores: Stores, settings: Settings, logger: Logger) => Promise<number>): Promise<never> {
  let code = 1
  try {
    const settings = readSettings(process.env)
    const logger = pino({ level: 'warn', serializers: { err: unquoted } })
    const running = settings.databaseUrl ? null : await runningPostgres(settings.dataDir)
    const stores = running
      ? { connectionString: running, ...(await ourKey(settings)), close: async () => undefined }
      : await openStores(settings, logger)
    try {
      code = await act(stores, settings, logger)
    } finally {
      await stores.close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    if (error instanceof SettingsFault) code = 2
  }
  process.exit(code)
}

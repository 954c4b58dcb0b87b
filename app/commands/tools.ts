import { pino } from 'pino'
import { runningPostgres } from '../embedded/database.ts'
import { type House, openHouse, unquoted } from '../house.ts'
import { readSettings } from '../settings.ts'
import { openStores, ownKey } from '../stores.ts'

/** The house without a role, for a tool of the operator's: beside a server that runs on the same data, or alone. */
export async function withHouse(act: (house: House) => Promise<number>): Promise<never> {
  const settings = readSettings(process.env)
  const logger = pino({ level: 'warn', serializers: { err: unquoted } })
  const running = settings.databaseUrl ? null : await runningPostgres(settings.dataDir)
  const stores = running
    ? { connectionString: running, masterKey: settings.masterKey ?? (await ownKey(settings.dataDir)), close: async () => undefined }
    : await openStores(settings, logger)
  const house = await openHouse({ settings, ...stores, logger })
  let code = 1
  try {
    code = await act(house)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  } finally {
    await house.close()
    await stores.close()
  }
  process.exit(code)
}

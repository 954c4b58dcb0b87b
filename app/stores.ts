import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { startPostgres } from './embedded/database.ts'
import type { Settings } from './settings.ts'

export type Stores = { connectionString: string; masterKey: Buffer; close: () => Promise<void> }

/** What Postgres says of its daily business; the rest an operator should see. */
const daily = /^(LOG|HINT|DETAIL|STATEMENT|CONTEXT):/

/** Where the data are: the Postgres that is named, or one of our own; and the master key that opens what is sealed. */
export async function openStores(settings: Settings, logger: Logger): Promise<Stores> {
  const { dataDir, databaseUrl, masterKey } = settings
  if (databaseUrl) return { connectionString: databaseUrl, masterKey: masterKey!, close: async () => undefined }
  await mkdir(dataDir, { recursive: true })
  const postgres = await startPostgres({ dataDir, log: (line) => logger[daily.test(line) ? 'debug' : 'warn']({ from: 'postgres' }, line) })
  const close = () => postgres.stop()
  try {
    return { connectionString: postgres.url, masterKey: masterKey ?? (await ownKey(dataDir)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Made at the first start; whoever loses this file loses every name and message in the log. */
export async function ownKey(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'master.key')
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(randomBytes(32).toString('base64'))
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes; put the right one back`)
  return key
}

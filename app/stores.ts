import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { startPostgres } from './embedded/database.ts'
import { type Settings, SettingsFault } from './settings.ts'

export type Stores = {
  connectionString: string
  masterKey: Buffer | null
  /** Only for a store in which nothing is sealed yet. */
  makeKey?: () => Promise<Buffer>
  close: () => Promise<void>
}

/** What Postgres says of its daily business; the rest an operator should see. */
const daily = /^(LOG|HINT|DETAIL|STATEMENT|CONTEXT):/

/** Where the data are: the Postgres that is named, or one of our own; and the master key that opens what is sealed. */
export async function openStores(settings: Settings, logger: Logger): Promise<Stores> {
  const { dataDir, databaseUrl, masterKey } = settings
  if (databaseUrl) return { connectionString: databaseUrl, masterKey, close: async () => undefined }
  await mkdir(dataDir, { recursive: true })
  const postgres = await startPostgres({ dataDir, log: (line) => logger[daily.test(line) ? 'debug' : 'warn']({ from: 'postgres' }, line) })
  const close = () => postgres.stop()
  try {
    return { connectionString: postgres.url, ...(await ourKey(settings)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The key of an embedded store: the one that is named, else the one kept beside it. */
export const ourKey = async ({ dataDir, masterKey }: Settings): Promise<Pick<Stores, 'masterKey' | 'makeKey'>> => ({
  masterKey: masterKey ?? (await keptKey(dataDir)),
  makeKey: () => ownKey(dataDir),
})

export const keyFile = (dataDir: string): string => path.join(dataDir, 'master.key')

async function keptKey(dataDir: string): Promise<Buffer | null> {
  const file = keyFile(dataDir)
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new SettingsFault([`MASTER_KEY: ${file} does not hold a key of 32 bytes; put the right one back`])
  return key
}

/** Made at the first start; whoever loses this file loses every name and message in the log. */
export async function ownKey(dataDir: string): Promise<Buffer> {
  const known = await keptKey(dataDir)
  if (known) return known
  await writeKey(keyFile(dataDir), randomBytes(32))
  return (await keptKey(dataDir))!
}

/** A new file, or none at all; never over another key. */
export async function writeKey(file: string, key: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(key.toString('base64'))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

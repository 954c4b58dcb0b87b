import { rename, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { keyFile, writeKey } from '../bootstrap/databases.ts'
import { type Config, ConfigError } from '../config.ts'
import { rotate } from '../crypto/master-key.ts'
import { checkOf } from '../crypto/seal.ts'
import { assertInstalled, withStores } from './tools.ts'

const usage = `npm run keys -- rotate     replaces the master key by a new one; every process of Guichê must be stopped.
                           After an interruption, the same command resumes.`

const { positionals } = parseArgs({ allowPositionals: true, strict: false })

if (positionals.length !== 1 || positionals[0] !== 'rotate' || process.argv.length !== 3) {
  console.error(usage)
  process.exit(2)
}

await withStores(
  async ({ connectionString, masterKey: old }, settings) => {
    if (!old) throw new ConfigError(['MASTER_KEY: is missing; the key of this store is needed to rotate it'])
    await assertInstalled(connectionString, settings)
    const { db } = openStore(connectionString, 2)
    try {
      await migrate(db)
      let lastLine = ''
      const next = await rotate(db, old, (what, done) => {
        const line = `  ${done} ${what}`
        if (line !== lastLine) console.error(line)
        lastLine = line
      })
      await handOver(settings, old, next)
      return 0
    } finally {
      await db.destroy()
    }
  },
  { existing: true },
)

/** Puts the new key where the old one came from: into the key file, or on stdout for the operator, alone on its line. */
async function handOver(config: Config, old: Buffer, next: Buffer): Promise<void> {
  const named = `key ${checkOf(next).slice(0, 8)}`
  if (config.masterKey) {
    console.error(`Everything is under ${named} now. Put the line below in the place of MASTER_KEY, for every process, and start them.`)
    console.error('Keep the old key with the backups that were made under it: they open with no other.')
    console.log(next.toString('base64'))
    return
  }
  const file = keyFile(config.dataDir)
  const before = `${file}.${checkOf(old).slice(0, 8)}`
  const draft = `${file}.new`
  for (const [path, key] of [
    [draft, next],
    [before, old],
  ] as const) {
    await rm(path, { force: true }) // a partial file of an interrupted attempt
    await writeKey(path, key)
  }
  await rename(draft, file)
  console.error(`Everything is under ${named} now, which is in ${file}: back that file up.`)
  console.error(`The old key is kept in ${before}: backups made before now open with it and no other. Move it to where they are.`)
}

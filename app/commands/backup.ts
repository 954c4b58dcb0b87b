import { existsSync } from 'node:fs'
import path from 'node:path'
import { openStore } from '#projections/postgres.ts'
import { save } from '../backup/save.ts'
import { ConfigError } from '../config.ts'
import { blobsOf, openEventStore } from '../context.ts'
import { verifyMasterKey } from '../crypto/master-key.ts'
import { checkOf } from '../crypto/seal.ts'
import { databaseIn } from '../embedded/database.ts'
import { parseArguments, withStores } from './tools.ts'

const usage = `npm run backup -- FILE     saves tables, event log and files in one archive while the server runs; the archive does not contain the master key`

const { values, positionals } = parseArguments({ allowPositionals: true, options: { help: { type: 'boolean', default: false } } })
const [file, ...more] = positionals

if (values.help) console.log(usage)
else if (file === undefined || more.length > 0) wrong('backup takes one FILE to write')
else if (existsSync(file)) wrong(`${file} is there already: name another`)
else if (!existsSync(path.dirname(path.resolve(file)))) wrong(`${path.dirname(file)} is no folder`)
else
  await withStores(
    async ({ connectionString, masterKey }, settings) => {
      const { db } = openStore(connectionString, 1)
      const known = await db.introspection.getTables()
      const key = known.some(({ name }) => name === 'master_key')
        ? await verifyMasterKey(db, masterKey)
        : await Promise.reject(new ConfigError(['the database holds no store of this release; start it once']))
      await db.destroy()
      const log = settings.eventstoreUrl ? await openEventStore(settings, connectionString) : null
      try {
        const from = {
          connectionString,
          masterKey: key,
          checkValue: checkOf(key),
          eventStore: log,
          blobs: settings.s3 ? null : blobsOf(settings),
          bucket: settings.s3?.bucket ?? null,
        }
        const { entries, bytes, files } = await save(file, from)
        console.log(`${file}: ${entries} parts, ${files} files of messages, ${bytes} bytes.`)
        if (from.bucket)
          console.log(`The files of messages stay in the bucket ${from.bucket} and are not in it: copy that one too, after this.`)
        const ours = settings.databaseUrl ? null : databaseIn(settings.dataDir)
        if (ours) console.log(`The database itself is in ${ours.home}.`)
        console.log(`It opens with master key ${checkOf(key).slice(0, 8)}, which is not in it: keep that key, and somewhere else.`)
        return 0
      } finally {
        await log?.close()
      }
    },
    { existing: true },
  )

function wrong(line: string): void {
  console.error(line)
  process.exitCode = 2
}

import { existsSync } from 'node:fs'
import { type Fit, fitting, load } from '../backup/load.ts'
import { goLive } from '../backup/restored.ts'
import { connected } from '../backup/tables.ts'
import { readOrCreateMasterKey } from '../bootstrap/databases.ts'
import { blobsOf, openEventStore, uploadDirOf } from '../context.ts'
import { lineOf } from '../verification/verification-result.ts'
import { assertInstalled, parseArguments, withStores } from './tools.ts'

const usage = `npm run restore -- FILE          restores an archive of npm run backup into an empty store; needs the master key of the archive
npm run restore -- --go-live     starts the workers of the restored installation: it takes over the connections. Stop the original first`

const erasureLine = (file: string) =>
  existsSync(file)
    ? `Erasures recorded in ${file} since then are repeated at the next start.`
    : `No record of erasures is at ${file}. If people were erased since then, put it there before the next start, or name it by ERASURE_FILE.`

const options = { 'go-live': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const
const { values, positionals } = parseArguments({ allowPositionals: true, options })
const [file, ...more] = positionals
let checked: Fit | null = null

if (values.help) console.log(usage)
else if ((file === undefined) !== values['go-live'] || more.length > 0) {
  console.error('restore takes one FILE to read, or --go-live')
  process.exitCode = 2
} else if (file === undefined)
  await withStores(
    async ({ connectionString }, settings) => {
      await assertInstalled(connectionString, settings)
      const client = await connected(connectionString)
      try {
        if (await goLive(client))
          console.log('This installation is live: its workers take over the connections, and waiting messages are sent.')
        else console.error('Nothing to do: this store was not restored, or is live already.')
        return 0
      } finally {
        await client.end()
      }
    },
    { existing: true },
  )
else
  await withStores(
    async ({ connectionString, masterKey }, settings) => {
      const log = await openEventStore(settings, connectionString)
      try {
        const files = { blobs: blobsOf(settings), uploadDir: uploadDirOf(settings) }
        const into = { ...files, connectionString, masterKey: masterKey!, eventStore: log, say: (line: string) => console.error(line) }
        const { streams, events, bad } = await load(file, checked!, into)
        for (const one of bad) console.error(lineOf(one))
        console.log(
          `Restored from ${checked!.head.madeAt}. ${streams} streams, ${events} events: ${bad.length === 0 ? 'every event fits behind the one before it.' : `${bad.length} streams do not hold.`}`,
        )
        const { bucket } = checked!.head
        if (bucket)
          console.log(`Its files of messages were in the bucket ${bucket} and are not in it: npm run verify tells whether each is there.`)
        console.log('Its connections are inactive and nothing is sent: npm run restore -- --go-live, once no other installation uses them.')
        console.log(erasureLine(settings.erasureFile))
        return bad.length === 0 ? 0 : 1
      } finally {
        await log.close()
      }
    },
    {
      existing: false,
      async first(settings) {
        checked = await fitting(file, (await readOrCreateMasterKey(settings)).masterKey, settings.eventstoreUrl !== null)
      },
    },
  )

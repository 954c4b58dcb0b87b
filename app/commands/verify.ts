import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { streamOf } from '../eventlog/store.ts'
import { type Verdict, verifyExport, verifyLog, verifyStream } from '../eventlog/verify.ts'
import { withHouse } from './tools.ts'

const usage = `npm run verify                        every stream of the log
npm run verify -- --company ID        one company's
npm run verify -- --ticket UUID       one ticket's
npm run verify -- FILE                an exported history, offline`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { company: { type: 'string' }, ticket: { type: 'string' }, help: { type: 'boolean', default: false } },
})

function tell({ streams, events, bad }: Verdict): number {
  for (const { stream, revision, reason } of bad) console.error(`BROKEN ${stream} at revision ${revision ?? '?'}: ${reason}`)
  console.log(
    `${streams} streams, ${events} events: ${bad.length === 0 ? 'every event fits behind the one before it.' : `${bad.length} streams do not hold.`}`,
  )
  return bad.length === 0 ? 0 : 1
}

const [file] = positionals
if (values.help) console.log(usage)
else if (file !== undefined) {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    console.error(error.message)
    process.exit(2)
  })
  process.exitCode = tell(await verifyExport(text))
} else
  await withHouse(async ({ log, db }) => {
    if (values.ticket !== undefined) {
      const row = /^[0-9a-f-]{36}$/i.test(values.ticket)
        ? await db.selectFrom('ticketHistory').select(['id', 'companyId']).where('uuid', '=', values.ticket).executeTakeFirst()
        : undefined
      if (!row) {
        console.error(`no ticket ${values.ticket}`)
        return 2
      }
      return tell(await verifyStream(log, streamOf(row.companyId, row.id)))
    }
    if (values.company !== undefined && !/^\d+$/.test(values.company)) {
      console.error(usage)
      return 2
    }
    const enough = AbortSignal.timeout(60 * 60_000)
    return tell(await verifyLog(log, values.company === undefined ? 'ticket-' : `ticket-${values.company}-`, enough))
  })

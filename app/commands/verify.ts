import { readFile } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { streamOf } from '../eventlog/store.ts'
import { lineOf, type Verdict, verifyExport, verifyLog, verifyStream } from '../eventlog/verify.ts'
import { checkSecurityLog, noCompany } from '../security/log.ts'
import { looking, words } from './tools.ts'

const usage = `npm run verify                        every stream of the log, and the security logs
npm run verify -- --company ID        one company's
npm run verify -- --ticket UUID       one ticket's
npm run verify -- FILE                an exported history, offline`

const { values, positionals } = words({
  allowPositionals: true,
  options: { company: { type: 'string' }, ticket: { type: 'string' }, help: { type: 'boolean', default: false } },
})

async function tell(
  { streams, events, signed, macs, bad }: Verdict,
  what: string,
  uuidOf: (stream: string) => Promise<string | undefined>,
): Promise<number> {
  for (const one of bad) console.error(lineOf(one, await uuidOf(one.stream)))
  if (bad.length === 0 && events === 0) return wrong(`nothing to verify: ${what} holds no event`)
  console.log(
    `${streams} streams, ${events} events: ${bad.length === 0 ? 'every event fits behind the one before it.' : `${bad.length} streams do not hold.`}`,
  )
  if (!macs) console.log('MACs were not checked: that takes the keys of the store.')
  else if (signed < events) console.log(`${events - signed} of them are from before events were signed: only the chain speaks for those.`)
  return bad.length === 0 ? 0 : 1
}

/** Whose security logs do not hold is told; how many entries were looked at. */
async function tellSecurity(db: Kysely<Database>, companies: number[]): Promise<number> {
  let [entries, broken] = [0, 0]
  for (const id of companies) {
    const { events, holds, brokenAt } = await checkSecurityLog(db, id)
    entries += events
    if (holds) continue
    broken += 1
    console.error(`BROKEN security log of ${id === noCompany ? 'the platform' : `company ${id}`} at entry ${brokenAt}`)
  }
  console.log(
    `security logs: ${entries} entries: ${broken === 0 ? 'every entry fits behind the one before it.' : `${broken} logs do not hold.`}`,
  )
  return broken === 0 ? 0 : 1
}

const ofExport = `Checked: that each event fits behind the one before it, and that company, id and contact at the head are those of the first.
Not checked: the readable part of each event, and the names, number and status at the head; nothing in the file proves them.`

function wrong(line: string): 2 {
  console.error(line)
  return 2
}

const { company, ticket, help } = values
const [file, ...more] = positionals
if (help) console.log(usage)
else if (more.length > 0 || [file, company, ticket].filter((one) => one !== undefined).length > 1)
  process.exitCode = wrong('one FILE, one --company or one --ticket at a time')
else if (file !== undefined) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  const verdict = typeof text === 'string' ? await verifyExport(text) : null
  if (verdict === null) process.exitCode = wrong(`${file} cannot be read: ${(text as NodeJS.ErrnoException).code}`)
  else if (verdict.events === 0 && verdict.bad.some(({ reason }) => reason === 'unreadable'))
    process.exitCode = wrong(`${file} is no exported history`)
  else {
    const code = await tell(verdict, file, async () => undefined)
    process.exitCode = code
    if (code !== 2) console.log(ofExport)
  }
} else
  await looking(async ({ log, db, logKeys }) => {
    const of = logKeys?.of ?? null
    const uuidOf = async (stream: string) => {
      const [, companyId, id] = /^ticket-(\d+)-(\d+)$/.exec(stream)?.map(Number) ?? []
      if (companyId === undefined || id === undefined) return
      const row = await db
        .selectFrom('ticketHistory')
        .select('uuid')
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.uuid
    }
    if (ticket !== undefined) {
      const row = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ticket)
        ? await db.selectFrom('ticketHistory').select(['id', 'companyId']).where('uuid', '=', ticket).executeTakeFirst()
        : undefined
      if (!row) return wrong(`no ticket ${ticket}`)
      return tell(await verifyStream(log, streamOf(row.companyId, row.id), of), `ticket ${ticket}`, uuidOf)
    }
    const enough = AbortSignal.timeout(60 * 60_000)
    if (company === undefined) {
      const companies = await db.selectFrom('company').select('id').orderBy('id').execute()
      const told = await tell(await verifyLog(log, 'ticket-', of, enough), 'the log', uuidOf)
      return Math.max(told, await tellSecurity(db, [noCompany, ...companies.map(({ id: one }) => one)])) // no green where either is none
    }
    const id = /^\d{1,9}$/.test(company) ? Number(company) : 0
    if (!(await db.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst())) return wrong(`no company ${company}`)
    const told = await tell(await verifyLog(log, `ticket-${id}-`, of, enough), `company ${id}`, uuidOf)
    return told === 2 ? told : Math.max(told, await tellSecurity(db, [id]))
  })

import { readFile } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { hourMs } from '#domain/duration/rules.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { type Anchor, anchorPrefix } from '../anchor/anchor.ts'
import { findAnchors, type PublicKeys, publicKeys, publishedIn } from '../anchor/check.ts'
import { madeUntil } from '../anchor/make.ts'
import { fingerprint, fingerprintIn, grouped, type SigningKey } from '../anchor/signing-key.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { blobsOf } from '../context.ts'
import { readReceipt } from '../data-request/receipt.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { otherThan } from '../history/chains.ts'
import { type FileVerdict, verifyExport } from '../history/exported.ts'
import { checkFiles, filesNamed } from '../history/files.ts'
import { streamPrefixes } from '../modules.ts'
import { checkSecurityLog, noCompany } from '../security/log.ts'
import { createDecryptabilityCheck, type Illegible, lostLines } from '../verification/decryptability.ts'
import { timesGoOn } from '../verification/timestamp-check.ts'
import { type Compared, lineOf, type Verdict, type VerificationFault } from '../verification/verification-result.ts'
import { type Placed, verifyLog, verifyStream } from '../verification/verify.ts'
import { parseArguments, withReadAccess } from './tools.ts'

const usage = `npm run verify                        verifies every stream, its anchors, the files and the security logs
npm run verify -- --company ID        only one company
npm run verify -- --ticket UUID       only one ticket
npm run verify -- … --anchors FILE    compares with the anchors that were published to FILE
npm run verify -- … --key KEY         checks signatures with this public key instead of the one in the store
npm run verify -- FILE [--key KEY]    verifies an exported history or the receipt of an erasure offline, and that it is signed with this public key (or its fingerprint)`

const { values, positionals } = parseArguments({
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    ticket: { type: 'string' },
    anchors: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

type UuidOf = (stream: string) => Promise<string | undefined>
const noUuid: UuidOf = async () => undefined

async function report({ streams, events, signed, macs, bad, anchored }: Verdict, what: string, uuidOf: UuidOf = noUuid): Promise<number> {
  for (const one of bad) console.error(lineOf(one, await uuidOf(one.stream)))
  if (bad.length === 0 && events === 0) return wrong(`nothing to verify: ${what} holds no event`)
  const holds = 'every event fits behind the one before it.'
  console.log(`${streams} streams, ${events} events: ${bad.length === 0 ? holds : `${bad.length} streams do not hold.`}`)
  const compared = anchored ? reportAnchors(anchored, bad.some(isAnchor)) : 0
  if (!macs) console.log('MACs were not checked: that takes the keys of the store.')
  else if (signed < events) {
    const why = bad.length === 0 ? 'are from before events were signed: only the chain speaks for those.' : 'carry no MAC.'
    console.log(`${events - signed} of them ${why}`)
  }
  const unchecked = !macs && anchored !== null && signed > 0
  return bad.length > 0 || unchecked ? 1 : compared
}

const isAnchor = ({ stream }: VerificationFault) => stream.startsWith(anchorPrefix)
function reportAnchors({ anchors, firsts, newest, behind, published }: NonNullable<Verdict['anchored']>, unsound: boolean): number {
  if (newest === null) console.log(unsound ? 'anchors: none that holds.' : 'anchors: none is there.')
  else {
    const when = anchors === 1 ? `of ${newest.at}` : `since ${[...firsts.values()].sort()[0]}, the newest of ${newest.at}`
    console.log(`anchors: ${anchors}, ${when}; ${behind} events came since and are not anchored yet.`)
  }
  return Math.max(0, ...(published ?? []).map(reportPublished))
}

function reportPublished({ company: id, anchors: lines, newest, behind }: Compared): number {
  if (newest === null) {
    if (behind === 0 && anchors === undefined) return 0
    console.error(`published: not one anchor of company ${id}, which has ${behind}: nothing was compared.`)
    return 1
  }
  const since = behind > 0 ? ` ${behind} made since are not among them.` : ''
  console.log(`published: ${lines} anchors of company ${id} were compared, up to number ${newest.number} of ${newest.at}.${since}`)
  return 0
}

/** Reports security logs that fail verification, and the number of checked entries. */
async function reportSecurity(db: Kysely<Database>, companies: number[]): Promise<number> {
  let [entries, broken] = [0, 0]
  for (const id of companies) {
    const { events, holds, brokenAt } = await checkSecurityLog(db, id)
    entries += events
    if (holds) continue
    broken += 1
    console.error(`BROKEN security log of ${id === noCompany ? 'the platform' : `company ${id}`} at entry ${brokenAt}`)
  }
  console.log(
    broken === 0
      ? `security logs: ${entries} entries: every entry fits behind the one before it.`
      : `security logs: ${broken} of ${companies.length} do not hold; ${entries} entries fit up to where they break.`,
  )
  return broken === 0 ? 0 : 1
}

/** Reports sealed fields that cannot be read although they were not erased. */
function reportKeys(illegible: Illegible | undefined): number {
  if (!illegible) {
    console.log('words: whether they can still be read was not checked: that takes the master key.')
    return 0
  }
  const { events, contacts } = illegible.erased
  if (events > 0) console.log(`words: ${events} events of ${contacts.size} contacts were erased: their keys were destroyed.`)
  const lost = lostLines(illegible)
  for (const line of lost) console.error(line)
  return lost.length === 0 ? 0 : 1
}

async function reportFiles(
  named: ReturnType<typeof filesNamed> | null,
  at: { blobs: Blobs; eventStore: EventStore },
  uuidOf: UuidOf,
): Promise<number> {
  if (!named) {
    console.log('files: not checked: which there are takes the master key.')
    return 0
  }
  const found = await checkFiles(named, at)
  for (const one of found?.bad ?? []) console.error(lineOf(one, await uuidOf(one.stream)))
  const summary =
    found && `${found.files}: ${found.bad.length === 0 ? 'each has the bytes that its events name.' : `${found.bad.length} do not.`}`
  if (found === null || found.files > 0) console.log(`files: ${summary ?? 'not checked, for they are not in DATA_DIR.'}`)
  return found && found.bad.length > 0 ? 1 : 0
}

async function reportTimes(bad: VerificationFault[], uuidOf: UuidOf): Promise<number> {
  for (const one of bad) console.error(lineOf(one, await uuidOf(one.stream)))
  return bad.length > 0 ? 1 : 0
}

/** Formats a time from a file, which may contain any text. */
const moment = (text: string | null): string => (Number.isNaN(Date.parse(text ?? '')) ? 'no moment' : new Date(text!).toISOString())

/** Lists what a file proves and what it cannot prove. */
function ofExport({ publicKey, exportedAt, anchor, withheld }: FileVerdict): string[] {
  const print = grouped(fingerprint(publicKey!))
  return [
    ...(key === undefined
      ? [
          `The file fits itself: it says that it was given out at ${moment(exportedAt)}, and is signed with ${print}.`,
          'Whose key that is was not checked. Compare it with the one you know from elsewhere, or give that with --key "…": who makes a file anew signs with another.',
        ]
      : [`The file is as it was given out at ${moment(exportedAt)}, signed with ${print}.`]),
    anchor
      ? `Anchored up to revision ${anchor.revision}, by anchor ${anchor.number} of ${moment(anchor.at)}; ${anchor.behind} events came since and are not anchored yet.`
      : 'Not anchored yet: no anchor names this ticket.',
    ...(withheld > 0 ? [`${withheld} events lack an id that holds a phone number: only the signature speaks for their hashes.`] : []),
  ]
}

function wrong(line: string): 2 {
  console.error(line)
  return 2
}

function verifyReceipt(file: string, { receipt, holds }: NonNullable<ReturnType<typeof readReceipt>>): number {
  const isTrusted = key === undefined || fingerprintIn(key) === fingerprint(receipt.publicKey)
  if (!holds || !isTrusted) {
    console.error(`BROKEN ${file}: ${holds ? 'key (another key signed it)' : 'signature (the receipt was altered)'}`)
    return 1
  }
  const { company, contact, finishedAt, publicKey } = receipt
  console.log(
    `Contact ${contact} of company ${company} was erased at ${moment(finishedAt)}; signed with ${grouped(fingerprint(publicKey))}.`,
  )
  if (key === undefined)
    console.log('Whose key that is was not checked. Compare it with the one you know from elsewhere, or give that with --key "…".')
  return 0
}

async function verifyFile(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') return wrong(`${file} cannot be read: ${text.code}`)
  const receipt = readReceipt(text)
  if (receipt) return verifyReceipt(file, receipt)
  const verdict = await verifyExport(text, key)
  if (verdict.events === 0 && verdict.bad.some(({ reason }) => reason === 'unreadable')) return wrong(`${file} is no exported history`)
  if (verdict.events === 0 && verdict.bad.length === 0) {
    console.error(`BROKEN ${file}: it holds no event: they were taken out, or the ticket's were gone when it was made`)
    return 1
  }
  const code = await report(verdict, file)
  if (code === 0) for (const line of ofExport(verdict)) console.log(line)
  return code
}

/** Reads published anchors from the given file or the configured one; null if none is configured. Returns a text for an error. */
async function publishedTo(file: string | undefined, set: string | null): Promise<Anchor[] | string | null> {
  const named = file ?? set
  if (named === null) return null
  const text = await readFile(named, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string') return file === undefined && text.code === 'ENOENT' ? [] : `${named} cannot be read: ${text.code}`
  const lines = publishedIn(text)
  return lines === null || (lines.length === 0 && file !== undefined) ? `${named} holds no anchors` : lines
}

/** The keys to trust: those of the store, or only the key given by `--key`, which cannot be replaced by access to the store. */
function trusted(kept: SigningKey[]): PublicKeys | string {
  if (key === undefined) return publicKeys(kept)
  const print = fingerprintIn(key)
  const known = kept.filter(({ publicKey }) => fingerprint(publicKey) === print)
  if (known.length > 0) return publicKeys(known)
  const publicKey = key.trim()
  if (fingerprint(publicKey) !== print)
    return 'no key of this store has the fingerprint of --key: give the public key itself, of 43 characters'
  return publicKeys([{ id: fingerprint(publicKey).slice(0, 16), publicKey }])
}

/** The newest anchor number of each company in the tables. */
async function knownAnchors(db: Kysely<Database>, companyId: number | undefined): Promise<Map<number, number>> {
  let query = db.selectFrom('anchor').select((eb) => ['companyId', eb.fn.max('number').as('number')])
  if (companyId !== undefined) query = query.where('companyId', '=', companyId)
  const rows = await query.groupBy('companyId').execute()
  return new Map(rows.map((row) => [row.companyId, Number(row.number)]))
}

type At = Parameters<Parameters<typeof withReadAccess>[0]>[0]

async function verifyStore({ eventStore, db, config, contactKeys, eventMacKeys, signingKeys }: At): Promise<number> {
  const reading = contactKeys && createDecryptabilityCheck(contactKeys)
  const named = contactKeys && filesNamed(contactKeys)
  const times = timesGoOn()
  const look = async (events: Placed[]) => {
    for (const one of [reading, named, times]) await one?.take(events)
  }
  /** Reports the checks of sealed fields, files and times, and returns the exit code. */
  const rest = async () =>
    Math.max(
      reportKeys(reading?.illegible),
      await reportFiles(named, { blobs: blobsOf(config), eventStore }, uuidOf),
      await reportTimes(times.bad(), uuidOf),
    )
  const uuidOf: UuidOf = async (stream) => {
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
  const published = await publishedTo(anchors, config.anchorFile)
  if (typeof published === 'string') return wrong(published)
  const trust = trusted(signingKeys)
  if (typeof trust === 'string') return wrong(trust)
  const signal = AbortSignal.timeout(hourMs)
  const anchorsOf = async (companyId?: number, stream?: string) =>
    findAnchors({
      ...{ eventStore, keys: trust, companyId, published, signal, known: await knownAnchors(db, companyId) },
      ...(stream && { stream }),
    })

  if (ticket !== undefined) {
    const row = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ticket)
      ? await db.selectFrom('ticketHistory').select(['id', 'companyId', 'uuid', 'contactId']).where('uuid', '=', ticket).executeTakeFirst()
      : undefined
    if (!row) return wrong(`no ticket ${ticket}`)
    const stream = streamName(ticketStream, row.companyId, row.id)
    let first: Placed | undefined
    const lookOn = async (events: Placed[]) => {
      first ??= events[0]
      await look(events)
    }
    const verdict = await verifyStream(eventStore, stream, eventMacKeys, await anchorsOf(row.companyId, stream), lookOn)
    const code = await report(verdict, `ticket ${ticket}`, uuidOf)
    if (code === 2) return code
    const other = first && otherThan(row, first)
    if (other) console.error(lineOf({ stream, revision: 0n, event: null, reason: 'head', detail: other }, ticket))
    return Math.max(code, other ? 1 : 0, await rest())
  }
  if (company === undefined) {
    const companies = await db.selectFrom('company').select('id').orderBy('id').execute()
    const verdict = await verifyLog(eventStore, streamPrefixes, eventMacKeys, await anchorsOf(), signal, look)
    const code = await report(verdict, 'the log', uuidOf)
    const gone = verdict.anchored?.newest === null && !verdict.bad.some(isAnchor) && (await madeUntil(db, eventStore))
    if (gone) console.error(`BROKEN anchors: they were made until ${gone}, and none is there`)
    const others = Math.max(gone ? 1 : 0, await rest())
    return Math.max(code, others, await reportSecurity(db, [noCompany, ...companies.map(({ id: one }) => one)])) // fails if either fails
  }
  const id = /^\d{1,9}$/.test(company) ? Number(company) : 0
  if (!(await db.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst())) return wrong(`no company ${company}`)
  const own = streamPrefixes.map((prefix) => `${prefix}${id}-`)
  const verdict = await verifyLog(eventStore, own, eventMacKeys, await anchorsOf(id), signal, look)
  const security = await checkSecurityLog(db, id)
  if (verdict.events === 0 && verdict.bad.length === 0 && (security.events > 0 || !security.holds)) {
    console.log(`company ${id} holds no event.`)
    return reportSecurity(db, [id])
  }
  const code = await report(verdict, `company ${id}`, uuidOf)
  if (code === 2) return code
  return Math.max(code, await rest(), await reportSecurity(db, [id]))
}

const { company, ticket, anchors, key, help } = values
const [file, ...more] = positionals
if (help) console.log(usage)
else if (more.length > 0 || [file, company, ticket].filter((one) => one !== undefined).length > 1)
  process.exitCode = wrong('one FILE, one --company or one --ticket at a time')
else if (key !== undefined && fingerprintIn(key) === null)
  process.exitCode = wrong('--key takes a public key of 43 characters, or its fingerprint of 64 hex digits')
else if (file !== undefined) process.exitCode = await verifyFile(file)
else await withReadAccess(verifyStore)

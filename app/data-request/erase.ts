import { type Kysely, sql } from 'kysely'
import { type ErasureCounts, erasureCounts } from '#domain/data-request/contract.ts'
import type { ErasedPerson } from '#domain/data-request/rules.ts'
import { idIn, streamName } from '#domain/stream.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { rewriteTexts } from '#projections/data-request/rewrite-texts.ts'
import type { Database } from '#projections/database.ts'
import { dropReplacedTables } from '#projections/shadow-tables.ts'
import type { AppContext } from '../context.ts'
import { decodeEvents } from '../event-store/event-codec.ts'
import { infiniteRetryAttempts, job } from '../scheduler/jobs.ts'
import { recordSecurity } from '../security/log.ts'
import { isUsedBy } from '../ticket/jobs.ts'
import { appendReceipts } from './erasure-record.ts'
import { forgetExportsOf, removeExportsOf } from './export-files.ts'
import { findPersonInLog } from './person-in-log.ts'
import { clearPlaces, soughtBy } from './places.ts'
import { signedReceipt } from './receipt.ts'
import { clearSavedTexts } from './saved-texts.ts'

export type Deps = Pick<AppContext, 'db' | 'eventStore' | 'contactKeys' | 'media' | 'signingKey' | 'config'>
/** `contacts`: those that are this person. */
type Request = {
  id: number
  companyId: number
  contactId: number
  contacts: number[]
  userId: number
  requestedAt: string
  person: ErasedPerson
}

/** Each step may run twice; how the person is found is stored until the last one. */
export const erasePerson = job<Deps>()<{ requestId: number }>('erase-person', {
  attempts: infiniteRetryAttempts,
  queue: 'bulk',
  async run({ requestId }, deps) {
    const request = await runningErasure(deps.db, requestId)
    if (!request) return
    const person = request.person.files === null ? await findInEvents(deps, request) : request.person
    await destroyKeys(deps, request)
    await clearRows(deps, request, person.streams)
    await removeFiles(deps, request, person)
    await finish(deps, { ...request, person })
  },
})

async function runningErasure(db: Kysely<Database>, id: number): Promise<Request | null> {
  const row = await db
    .selectFrom('dataRequest')
    .select(['id', 'companyId', 'contactId', 'userId', 'requestedAt', 'person'])
    .where('id', '=', id)
    .where('kind', '=', 'erasure')
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row?.person ? { ...row, person: row.person, contacts: row.person.contacts } : null
}

/** Finds the person in the events while they can still be opened, and stores what was found. */
async function findInEvents(deps: Deps, request: Request): Promise<ErasedPerson> {
  const { id, companyId } = request
  const { counts, files, redactions } = await findPersonInLog(deps, { companyId, contactIds: request.contacts }, request.person)
  const pictures = deps.db.selectFrom('rowFile').select('key').where('companyId', '=', companyId).where('list', '=', 'contact')
  const own = await pictures.where('rowId', 'in', request.contacts).execute()
  const person = {
    ...request.person,
    files: [...files, ...own.map(({ key }) => key)],
    streams: [...new Set(redactions.map(({ stream }) => stream))],
  }
  await deps.db.transaction().execute(async (on) => {
    for (const { eventId, stream, fields } of redactions)
      await sql`insert into redaction (event_id, company_id, request_id, stream, fields)
        values (${eventId}, ${companyId}, ${id}, ${stream}, ${fields}::text[])
        on conflict (event_id) do update set fields = array(select distinct unnest(redaction.fields || excluded.fields) order by 1)`.execute(
        on,
      )
    await on
      .updateTable('dataRequest')
      .set({ person: JSON.stringify(person), counts: JSON.stringify(counts) })
      .where('id', '=', id)
      .execute()
  })
  return person
}

async function destroyKeys({ db, contactKeys }: Deps, request: Request): Promise<void> {
  const { companyId } = request
  for (const contactId of request.contacts) {
    await db.deleteFrom('rowFile').where('companyId', '=', companyId).where('list', '=', 'contact').where('rowId', '=', contactId).execute()
    await contactKeys.destroy({ companyId, contactId })
  }
}

/** Writes the rows of the person's tickets, and of other tickets with redacted fields, as their events read now. */
async function clearRows(deps: Deps, request: Pick<Request, 'id' | 'companyId' | 'contacts'>, streams: string[]): Promise<void> {
  const { db } = deps
  const { id, companyId } = request
  await dropReplacedTables(db)
  await deps.contactKeys.refreshRedactions()
  const own = await db
    .selectFrom('ticketHistory')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', 'in', request.contacts)
    .execute()
  const tickets = [...new Set([...own.map((row) => row.id), ...streams.map(idIn)])]
  const progress = (done: number) => db.updateTable('dataRequest').set({ done, total: tickets.length }).where('id', '=', id).execute()
  await progress(0)
  for (const [at, ticketId] of tickets.entries()) {
    await rewriteTicket(deps, companyId, ticketId)
    if ((at + 1) % 20 === 0) await progress(at + 1)
  }
  await progress(tickets.length)
}
async function rewriteTicket({ db, eventStore, contactKeys }: Deps, companyId: number, ticketId: number): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const { events } = await eventStore.read(streamName(ticketStream, companyId, ticketId))
    isDone = await rewriteTexts(db, ticketId, await decodeEvents<TicketEvent>(ticketStream, events, contactKeys))
  }
}

async function removeFiles({ db, media }: Deps, { companyId }: Request, { files }: ErasedPerson): Promise<void> {
  for (const key of files ?? []) if (!(await isUsedBy(db, companyId, key))) await media.forget(companyId, key)
}

/** Clears all plain tables, forgets how the person is found, and signs the receipt, in one commit. Then the receipt is recorded outside the stores. */
async function finish(deps: Deps, request: Request): Promise<void> {
  const { id, companyId, contactId, userId, requestedAt, person } = request
  await removeExportsOf(deps, request.contacts)
  const signed = await deps.db.transaction().execute(async (on) => {
    await sql`set local statement_timeout = 0`.execute(on)
    const running = on.selectFrom('dataRequest').select('counts').where('id', '=', id).where('state', '=', 'running').forUpdate()
    const row = await running.executeTakeFirst()
    if (!row) return [] // another run was faster
    const cleared = await clearPlaces(on, soughtBy(companyId, request.contacts, person))
    const saved = await clearSavedTexts(on, companyId, person)
    const exports = await forgetExportsOf(on, request.contacts)
    const removed = { ...noCounts, ...row.counts, ...cleared, ...saved, exports }
    await on
      .updateTable('contact')
      .set({
        deletedAt: sql`coalesce(deleted_at, app_now())`,
        name: '',
        number: '',
        numberKey: sql`'deleted-' || id`,
        email: '',
        extraInfo: '[]',
        urlPicture: null,
        lgpdText: null,
      })
      .where('id', 'in', request.contacts)
      .execute()
    const contacts = await on.selectFrom('contact').select(['id', 'createdAt']).where('id', 'in', request.contacts).orderBy('id').execute()
    const { rows: now } = await sql<{ at: string }>`select now() as at`.execute(on)
    const finishedAt = now[0]!.at
    const receipt = signedReceipt(deps.signingKey, {
      ...{ company: companyId, request: id, contact: contactId, contacts, requestedBy: userId, requestedAt, finishedAt, removed },
    })
    await on
      .updateTable('dataRequest')
      .set({ state: 'done', person: null, counts: JSON.stringify(removed), receipt, finishedAt, rowsAt: finishedAt })
      .where('id', '=', id)
      .execute()
    await recordSecurity(on, { companyId, userId, address: null, kind: 'erased', detail: { contact: contactId, request: id, done: true } })
    return [receipt]
  })
  await appendReceipts(deps, signed)
}
const noCounts = Object.fromEntries(erasureCounts.map((name) => [name, 0])) as ErasureCounts

/**
 * Writes the rows of erased people again, after a rebuild that began before the erasure, and once after the other processes have forgotten the
 * destroyed key.
 */
export async function repeatErasures(deps: Deps): Promise<void> {
  const { rows } = await sql<{ id: number; companyId: number; contactId: number }>`
    select id, company_id, contact_id from data_request where kind = 'erasure' and state = 'done' and finished_at < now() - interval '2 minutes'
      and rows_at < greatest(finished_at + interval '2 minutes', (select max(built_at) from read_model))
    order by id limit 100`.execute(deps.db)
  for (const { id, companyId, contactId } of rows) {
    const redacted = await deps.db.selectFrom('redaction').select('stream').distinct().where('requestId', '=', id).execute()
    const streams = redacted.map(({ stream }) => stream)
    const same = await deps.db.selectFrom('contact').select('id').where('personId', '=', contactId).execute() // the pointers of a merge stay
    await clearRows(deps, { id, companyId, contacts: same.map((one) => one.id) }, streams)
    await deps.db.updateTable('dataRequest').set({ rowsAt: sql`now()` }).where('id', '=', id).execute()
  }
}

import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { ErasedPerson } from '#domain/data-request/rules.ts'
import { hourMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { inOneCommit } from '../bulk-operation/bulk-operations.ts'
import { contactList } from '../contact/labels.ts'
import type { AppContext } from '../context.ts'
import { rememberErased } from '../inbound/erased-identities.ts'
import { recordSecurity } from '../security/log.ts'
import { releaseClosed } from '../ticket/active-ticket-rows.ts'
import { heldTickets } from '../ticket/held-tickets.ts'
import { refuseConversationTaken } from '../ticket/visibility.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { subjectOf } from './preview.ts'

type Deps = Pick<AppContext, 'db' | 'load' | 'enqueue' | 'signingKey'>

/** The active tickets of a person. `closed`: the tickets that hold a place, also those that have ended and not released theirs yet. */
export async function activeTicketsOf(deps: Pick<Deps, 'db' | 'load'>, companyId: number, personId: number) {
  const held = await heldTickets(deps, companyId, [personId])
  const active = held.filter(({ isOver }) => !isOver).map(({ ticketId: id, uuid }) => ({ id, uuid }))
  return { active, closed: held.map(({ ticketId }) => ticketId) }
}

/**
 * Starts the erasure of a person, and returns its id. From this commit on the contact is deleted, so that a message of the same person gets a new
 * contact. A person is erased once: a repeated start returns the first erasure.
 */
export async function startErasure(deps: Deps, viewer: Viewer, address: string, contactId: number, typedName: string): Promise<number> {
  const { db } = deps
  const { companyId, id: userId } = viewer
  const before = await subjectOf(db, viewer, contactId)
  const { id } = before
  const known = await db.selectFrom('dataRequest').select('id').where('contactId', '=', id).where('kind', '=', 'erasure').executeTakeFirst()
  if (known) return known.id
  if (typedName.trim() !== before.person.name.trim()) refuse('ERR_ERASURE_NAME')
  const {
    active: [active],
    closed,
  } = await activeTicketsOf(deps, companyId, id)
  if (active) await refuseConversationTaken(deps, companyId, active)
  return inOneCommit(deps, async ({ db: on, enqueue }) =>
    insertErasure({ on, enqueue, signingKey: deps.signingKey }, { companyId, userId, address, requestedAt: null }, id, closed),
  )
}

type By = {
  companyId: number
  userId: number
  address: string | null
  /** When the first erasure was requested, if this one repeats it after a restore. */
  requestedAt: string | null
}
/** Stores the request, deletes the contact and adds the job. Refused while the person has an active ticket; `closed`: those that have ended. */
export async function insertErasure(
  { on, enqueue, signingKey }: { on: Kysely<Database> } & Pick<Deps, 'enqueue' | 'signingKey'>,
  { companyId, userId, address, requestedAt }: By,
  id: number,
  closed: number[],
): Promise<number> {
  await on.selectFrom('contact').select('id').where('personId', '=', id).orderBy('id').forUpdate().execute()
  const { id: shownId, person, keys, deletedAt } = await subjectOf(on, { companyId }, id)
  if (shownId !== id) refuse('ERR_ERASURE_NAME') // it was merged into another contact meanwhile
  await releaseClosed(on, { companyId, personId: id }, closed)
  if (await on.selectFrom('activeTicket').select('ticketId').where('personId', '=', id).executeTakeFirst()) refuse('ERR_OTHER_OPEN_TICKET')
  const found: ErasedPerson = { ...person, files: null, streams: [] }
  const request = await on
    .insertInto('dataRequest')
    .values({ companyId, contactId: id, userId, kind: 'erasure', person: JSON.stringify(found), ...(requestedAt && { requestedAt }) })
    .onConflict((row) => row.column('contactId').where('kind', '=', 'erasure').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!request)
    return (
      await on.selectFrom('dataRequest').select('id').where('contactId', '=', id).where('kind', '=', 'erasure').executeTakeFirstOrThrow()
    ).id
  await rememberErased(on, signingKey, companyId, keys, requestedAt)
  await on
    .updateTable('contact')
    .set({ deletedAt: sql`app_now()`, version: sql`version + 1` })
    .where('id', 'in', person.contacts)
    .where('deletedAt', 'is', null)
    .execute()
  if (deletedAt === null) {
    const before = { id, companyId, name: person.name, number: person.number }
    await recordChange(on, contactList, { id: userId, companyId }, { before, after: null })
  }
  const detail = { contact: id, request: request.id, ...(requestedAt && { by: 'restore' }) }
  await recordSecurity(on, { companyId, userId, address, kind: 'erased', detail })
  await enqueue(erasePerson, { requestId: request.id }, { id: `erase-${request.id}` })
  return request.id
}

/** Starts an export, and returns its id. While one runs, a repeated start returns that one. An erased person has nothing to export. */
export async function startExport(deps: Deps, viewer: Viewer, address: string, contactId: number): Promise<number> {
  const { companyId, id: userId } = viewer
  const { id } = await subjectOf(deps.db, viewer, contactId)
  return inOneCommit(deps, async ({ db: on, enqueue }) => {
    await on.selectFrom('contact').select('id').where('id', '=', id).forUpdate().execute()
    const requests = on.selectFrom('dataRequest').select('id').where('contactId', '=', id)
    if (await requests.where('kind', '=', 'erasure').executeTakeFirst()) refuse('ERR_NO_CONTACT_FOUND')
    const running = await requests.where('kind', '=', 'export').where('state', '=', 'running').executeTakeFirst()
    if (running) return running.id
    const values = { companyId, contactId: id, userId, kind: 'export' as const }
    const request = await on.insertInto('dataRequest').values(values).returning('id').executeTakeFirstOrThrow()
    const detail = { list: 'person', contact: id, request: request.id }
    await recordSecurity(on, { companyId, userId, address, kind: 'exported', detail })
    await enqueue(exportPerson, { requestId: request.id }, { id: `export-person-${request.id}` })
    return request.id
  })
}

/** Adds the jobs of unfinished requests again, because a job that failed too often is given up. */
export async function resumeRequests({ db, clock, enqueue }: Pick<AppContext, 'db' | 'clock' | 'enqueue'>): Promise<void> {
  const left = db.selectFrom('dataRequest').select(['id', 'kind']).where('state', '=', 'running')
  const overdue = await left.where('requestedAt', '<', sql<string>`now() - interval '1 hour'`).execute()
  const turn = Math.floor(clock.now() / hourMs)
  for (const { id, kind } of overdue)
    await enqueue(kind === 'erasure' ? erasePerson : exportPerson, { requestId: id }, { id: `${kind}-again-${id}-${turn}` })
}

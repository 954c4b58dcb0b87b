import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Stamp } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { sees } from '#domain/ticket/contract.ts'
import type { Database } from '#projections/database.ts'
import { acceptedAt, queueBefore, type Standing, standing, ticketById } from '#projections/ticket/read.ts'

export const stamp = ({ id, companyId }: Viewer): Stamp => ({ companyId, by: { kind: 'user', id }, at: new Date().toISOString() })
export const isAdmin = ({ profile }: Viewer): boolean => profile === 'admin'

/** How long somebody who comes second may still be told so: what they clicked on waited on their screen. */
const raceMs = 60_000

/** A ticket that this viewer sees, or that waited in their sight a moment ago; any other does not exist (A-TICKET-04). */
export async function acceptable(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Standing> {
  const row = (await standing(db, viewer.companyId, id)) ?? refuse('ERR_NO_TICKET_FOUND')
  if (sees(viewer, row)) return row
  const waited = (queueId: number | null) => sees(viewer, { ...row, userId: null, queueId })
  const since = row.status === 'closed' ? null : await acceptedAt(db, id)
  if (since === null || Date.parse(since) < Date.now() - raceMs) refuse('ERR_NO_TICKET_FOUND')
  return waited(row.queueId) || waited(await queueBefore(db, row)) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** Somebody else was first: who, and in which queue, and nothing else (A-TICKET-04). */
export async function lost(db: Kysely<Database>, companyId: number, ticketId: number): Promise<never> {
  const row = await ticketById(db, companyId, ticketId)
  const named = (one: { name: string } | null | undefined) => (one ? { name: one.name } : null)
  refuse('ERR_OTHER_OPEN_TICKET', { user: named(row?.user), queue: named(row?.queue) })
}

/** A ticket that this viewer may see; any other does not exist. */
export async function sighted(db: Kysely<Database>, viewer: Viewer, id: number | undefined): Promise<Standing> {
  const row = id === undefined ? undefined : await standing(db, viewer.companyId, id)
  return row && sees(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** A-TICKET-02. */
export async function busy(db: Kysely<Database>, companyId: number, ticketId: number): Promise<never> {
  const row = await ticketById(db, companyId, ticketId)
  refuse('ERR_OTHER_OPEN_TICKET', {
    userId: row?.userId ?? null,
    user: row?.user ? { id: row.user.id, name: row.user.name } : null,
    queue: row?.queue ?? null,
    ticket: row ? { id: row.id, uuid: row.uuid } : null,
  })
}

import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Stamp } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { sees } from '#domain/ticket/contract.ts'
import type { Database } from '#projections/database.ts'
import { queueBefore, type Standing, standing, ticketById } from '#projections/ticket/read.ts'

export const stamp = ({ id, companyId }: Viewer): Stamp => ({ companyId, by: { kind: 'user', id }, at: new Date().toISOString() })
export const isAdmin = ({ profile }: Viewer): boolean => profile === 'admin'

/** What waited in their sight a moment ago: whoever comes second is told who has it (A-TICKET-04). */
export async function waitedInSight(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Standing> {
  const row = await standing(db, viewer.companyId, id)
  if (!row) refuse('ERR_NO_TICKET_FOUND')
  if (row.status === 'closed') return sees(viewer, row) ? row : refuse('ERR_NO_TICKET_FOUND') // nobody comes second to what is over
  const waited = (queueId: number | null) => sees(viewer, { ...row, userId: null, queueId })
  return waited(row.queueId) || waited(await queueBefore(db, row)) ? row : refuse('ERR_NO_TICKET_FOUND')
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

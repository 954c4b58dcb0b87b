import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Command } from '../http/serve.ts'
import { refuseConversationTaken } from '../ticket/visibility.ts'
import { contactList } from './labels.ts'

type Deps = Pick<AppContext, 'db' | 'load'>
const auditedFields = ['id', 'name', 'number', 'email', 'extraInfo', 'active', 'disableBot', 'acceptAudioMessage', 'version'] as const

/**
 * Deletes a contact; refused while it has an active ticket on any connection. Its closed tickets stay with its name, and its number can be
 * used again at once (A-CONTACT-01).
 */
export async function removeContact(deps: Deps, viewer: Viewer, command: Command, id: number): Promise<void> {
  const { db, load } = deps
  const { companyId } = viewer
  const claims = await db
    .selectFrom('activeTicket')
    .select(['ticketId', 'uuid'])
    .where('companyId', '=', companyId)
    .where('contactId', '=', id)
    .execute()
  for (const { ticketId, uuid } of claims) {
    const { status } = await load(companyId, ticketId)
    if (status !== 'closed' && status !== 'deleted') await refuseConversationTaken(deps, companyId, { id: ticketId, uuid })
  }
  const closed = [0, ...claims.map(({ ticketId }) => ticketId)]
  await audited(db, contactList, { viewer, command }, async (on) => {
    const mine = on.selectFrom('contact').select(auditedFields).where('id', '=', id).where('companyId', '=', companyId)
    const before = (await mine.where('deletedAt', 'is', null).forUpdate().executeTakeFirst()) ?? refuse('ERR_NO_CONTACT_FOUND')
    const others = on.selectFrom('activeTicket').select('ticketId').where('companyId', '=', companyId).where('contactId', '=', id)
    if (await others.where('ticketId', 'not in', closed).executeTakeFirst()) refuse('ERR_OTHER_OPEN_TICKET')
    await on
      .updateTable('contact')
      .set({ deletedAt: sql`app_now()`, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
    return { before, after: null }
  })
}

/** Erases the personal fields of contacts that were deleted 30 days ago (A-CONTACT-01). */
export const eraseDeletedContacts = ({ db }: Pick<AppContext, 'db'>): Promise<unknown> =>
  db
    .updateTable('contact')
    .set({ name: '', number: '', numberKey: sql`'deleted-' || id`, email: '', extraInfo: '[]', urlPicture: null })
    .where('deletedAt', '<', sql<string>`app_now() - interval '30 days'`)
    .where('number', '<>', '')
    .execute()

import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Command } from '../http/serve.ts'
import { changeFile } from '../storage/row-file.ts'
import { releaseClosed } from '../ticket/active-ticket-rows.ts'
import { heldTickets } from '../ticket/held-tickets.ts'
import { refuseConversationTaken } from '../ticket/visibility.ts'
import { contactList } from './labels.ts'

type Deps = Pick<AppContext, 'db' | 'load'>
const auditedFields = ['id', 'name', 'number', 'email', 'extraInfo', 'active', 'disableBot', 'acceptAudioMessage', 'version'] as const

/**
 * Deletes a contact with those merged into it; refused while it has an active ticket on any connection. Its closed tickets stay with its
 * name, and its number can be used again at once (A-CONTACT-01).
 */
export async function removeContact(deps: Deps, viewer: Viewer, command: Command, id: number): Promise<void> {
  const { db } = deps
  const { companyId } = viewer
  const held = await heldTickets(deps, companyId, [id])
  const active = held.find((one) => !one.isOver)
  if (active) await refuseConversationTaken(deps, companyId, { id: active.ticketId, uuid: active.uuid })
  const closed = held.map(({ ticketId }) => ticketId)
  await audited(db, contactList, { viewer, command }, async (on) => {
    const mine = on.selectFrom('contact').select(auditedFields).where('id', '=', id).where('companyId', '=', companyId)
    const before =
      (await mine.where('deletedAt', 'is', null).where('mergedIntoId', 'is', null).forUpdate().executeTakeFirst()) ??
      refuse('ERR_NO_CONTACT_FOUND')
    await releaseClosed(on, { companyId, personId: id }, closed) // a row that stays could be claimed for a new ticket
    const taken = on.selectFrom('activeTicket').select('ticketId').where('companyId', '=', companyId).where('personId', '=', id)
    if (await taken.executeTakeFirst()) refuse('ERR_OTHER_OPEN_TICKET') // it was opened meanwhile
    await on.updateTable('contact').set({ deletedAt: sql`app_now()`, version: sql`version + 1` }).where('personId', '=', id).execute()
    return { before, after: null }
  })
}

/**
 * Erases the personal fields and the pictures of contacts that were deleted 30 days ago, also in the phone's address book and in the records of
 * merges (A-CONTACT-01). Merged contacts are deleted with their target, so they are erased with it.
 */
export async function eraseDeletedContacts({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await db.transaction().execute(async (on) => {
    const { rows } = await sql<{ id: number; companyId: number }>`
      with due as (
        select id, company_id, number_key from contact where deleted_at < app_now() - interval '30 days' and number <> '' for update
      ), forgotten as (
        delete from phone_book b using due d where b.company_id = d.company_id and b.number_key = d.number_key
          and not exists (select from contact c where c.company_id = d.company_id and c.number_key = d.number_key and c.deleted_at is null)
      ), renumbered as (
        delete from contact_former_number f using due d where f.contact_id = d.id
      ), unmerged as (
        update contact_merge m set changes = '{}' from due d where d.id in (m.source_id, m.target_id)
      )
      update contact c set name = '', number = '', number_key = 'deleted-' || c.id, email = '', extra_info = '[]', url_picture = null
      from due where c.id = due.id returning c.id, c.company_id`.execute(on)
    for (const { id, companyId } of rows) await changeFile(on, 'contact', companyId, id, null)
  })
}

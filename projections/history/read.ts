import { type Kysely, sql } from 'kysely'
import { pageSize } from '#domain/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { Database } from '../database.ts'
import { containing } from '../postgres.ts'
import { ticketsById } from '../ticket/rows.ts'

/** Any ticket of the company, whoever serves it: an auditor finds by contact, number or id (A-ROLE-00). */
export async function listHistories(
  db: Kysely<Database>,
  companyId: number,
  { searchParam = '', pageNumber = 1 }: { searchParam?: string; pageNumber?: number },
): Promise<{ tickets: TicketRow[]; hasMore: boolean }> {
  const search = searchParam.trim()
  const number = search.replace(/\D/g, '')
  let query = db.selectFrom('ticket').innerJoin('contact', 'contact.id', 'ticket.contactId').where('ticket.companyId', '=', companyId)
  if (search !== '')
    query = query.where((eb) =>
      eb.or([
        sql<boolean>`plain(contact.name) like plain(${containing(search)})`,
        ...(number.length >= 4 ? [eb('contact.number', 'like', containing(number))] : []),
        ...(/^\d{1,9}$/.test(search) ? [eb('ticket.id', '=', Number(search))] : []),
      ]),
    )
  const found = await query
    .select('ticket.id')
    .orderBy('ticket.updatedAt', 'desc')
    .orderBy('ticket.id', 'desc')
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
    .execute()
  const shown = found.slice(0, pageSize).map(({ id }) => id)
  const byId = new Map((await ticketsById(db, shown)).map((row) => [row.id, row]))
  return { tickets: shown.flatMap((id) => byId.get(id) ?? []), hasMore: found.length > pageSize }
}

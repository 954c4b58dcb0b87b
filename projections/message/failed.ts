import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskMentions } from '#domain/contact/mask.ts'
import { maskedName } from '#domain/contact/phone.ts'
import type { FailedMessage } from '#domain/message/contract.ts'
import { canSee, type Sighted } from '#domain/ticket/topic.ts'
import { joinShown } from '../contact/person.ts'
import type { Database } from '../database.ts'

const most = 100
const shownOfBody = 200
/** Longer than the excerpt, so that a mentioned number is not cut before it is masked. */
const readOfBody = shownOfBody + 20

type Raw = Omit<FailedMessage, 'inSight' | 'contact'> & Sighted & { name: string; n: number }
/**
 * Undelivered messages: those sent by the viewer, and those in tickets that the viewer serves. `only`: one
 * message.
 */
export async function failedMessages(db: Kysely<Database>, viewer: Viewer, only: number | null = null) {
  const { rows } = await sql<Raw>`
    select m.id, m.ticket_id, t.uuid, c.name, m.media_type, left(m.body, ${readOfBody}) as body, m.failed, m.uncertain, m.created_at,
      t.status, t.is_group, t.queue_id, t.user_id, (count(*) over ())::int as n
    from ticket t
    cross join lateral jsonb_array_elements_text(t.failed_ids) as of (id)
    join message m on m.id = of.id::int and m.ticket_id = t.id
    ${joinShown(sql`t.contact_id`)}
    where t.company_id = ${viewer.companyId} and t.failed_ids <> '[]'
      and (m.user_id = ${viewer.id} or (t.user_id = ${viewer.id} and t.status in ('open', 'group')))
      and (${only}::int is null or m.id = ${only})
      and not exists (select from failure_dismissal d where d.user_id = ${viewer.id} and d.message_id = m.id)
    order by m.created_at desc, m.id desc limit ${most}`.execute(db)
  const messages = rows.map(({ name, status, isGroup, queueId, userId, n: _, ...row }) => ({
    ...row,
    body: (viewer.masked ? maskMentions(row.body) : row.body).slice(0, shownOfBody).toWellFormed(),
    inSight: canSee(viewer, { status, isGroup, queueId, userId }),
    contact: { name: viewer.masked ? maskedName(name) : name },
  }))
  return { messages, count: rows[0]?.n ?? 0 }
}

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/contract.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { Media } from '#domain/ticket/events.ts'
import type { Database } from '../database.ts'

/** How a file of a company is addressed: the caller signs. */
export type MediaUrl = (companyId: number, media: Media) => string

type Raw = Omit<MessageRow, 'mediaUrl' | 'media' | 'quotedMsg' | 'isDeleted' | 'read'> & {
  media: Media | null
  quotedMsg:
    | (Omit<NonNullable<MessageRow['quotedMsg']>, 'mediaUrl' | 'isDeleted'> & { media: Media | null; deletedBy: string | null })
    | null
}

/** Messages as the contract says them, oldest first. */
export async function messagesById(db: Kysely<Database>, list: number[], url: MediaUrl): Promise<MessageRow[]> {
  return list.length === 0 ? [] : told(db, sql`m.id = any(${list}::int[])`, url)
}

async function told(db: Kysely<Database>, which: RawBuilder<unknown>, url: MediaUrl): Promise<MessageRow[]> {
  const { rows } = await sql<Raw>`
    select m.id, m.company_id, m.ticket_id, m.queue_id, m.body, m.from_me, m.deleted_by, m.is_edited, m.is_forwarded, m.is_private,
      m.ack, m.failed, m.uncertain, m.media_type, m.media, m.v_card, m.reactions, m.revision, m.created_at,
      json_build_object('id', t.id, 'uuid', t.uuid, 'queueId', t.queue_id, 'whatsappId', t.whatsapp_id, 'isGroup', t.is_group, 'userId', t.user_id) as ticket,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user",
      case when not m.from_me then json_build_object('name', coalesce(m.sender_name, c.name)) end as contact,
      case when q.id is not null then json_build_object('id', q.id, 'body', q.body, 'fromMe', q.from_me, 'deletedBy', q.deleted_by,
        'mediaType', q.media_type, 'media', q.media, 'contact', case when not q.from_me then json_build_object('name', coalesce(q.sender_name, c.name)) end) end as quoted_msg
    from message m
    join ticket t on t.id = m.ticket_id
    join contact c on c.id = t.contact_id
    left join "user" u on u.id = m.user_id
    left join message q on q.id = m.quoted_id and q.company_id = m.company_id
    where ${which}
    order by m.ticket_id, m.revision`.execute(db)
  return rows.map((row) => shown(row, url))
}

function shown({ media, quotedMsg, ...row }: Raw, url: MediaUrl): MessageRow {
  const { companyId } = row
  return {
    ...row,
    isDeleted: row.deletedBy !== null,
    read: row.fromMe || row.ack >= 3,
    mediaUrl: media && url(companyId, media),
    media: media && {
      mime: media.mime,
      name: media.name,
      size: media.size,
      width: media.width,
      height: media.height,
      seconds: media.seconds,
    },
    quotedMsg: quotedMsg && {
      ...{ id: quotedMsg.id, body: quotedMsg.body, fromMe: quotedMsg.fromMe, mediaType: quotedMsg.mediaType, contact: quotedMsg.contact },
      isDeleted: quotedMsg.deletedBy !== null,
      mediaUrl: quotedMsg.media && url(companyId, quotedMsg.media),
    },
  }
}

/**
 * A page of a conversation, newest page first: the ticket's own messages, then those of earlier tickets of the contact on the connection,
 * in all queues for whoever has allHistoric, otherwise in the viewer's (A-VIS-02).
 */
export async function listMessages(db: Kysely<Database>, viewer: Viewer, ticketId: number, pageNumber: number, url: MediaUrl) {
  const wide = viewer.profile === 'admin' || viewer.flags.allHistoric
  const earlier = wide ? sql`true` : sql`(e.queue_id is null or e.queue_id = any(${viewer.queueIds}::int[]))`
  const size = pageSize * 2
  const page = sql`m.id in (
    select p.id from message p
    where p.ticket_id in (
      select e.id from ticket e join ticket t on t.id = ${ticketId}
      where e.id = t.id or (e.contact_id = t.contact_id and e.whatsapp_id = t.whatsapp_id and e.id < t.id and ${earlier}))
    order by p.ticket_id desc, p.revision desc limit ${size + 1} offset ${(pageNumber - 1) * size})`
  const rows = await told(db, page, url)
  return { messages: rows.slice(-size), hasMore: rows.length > size } // the one too many is the oldest
}

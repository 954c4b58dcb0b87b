import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskReportRow } from '#domain/contact/mask.ts'
import type { ReportFilter, Sortable, TicketReportRow } from '#domain/report/contract.ts'
import { contactsOfPerson } from '../contact/person.ts'
import { contactsNamed, nameless } from '../contact/read.ts'
import type { Database } from '../database.ts'
import { inNameOrder } from '../name-order.ts'
import { weekHourOf } from './breakdown.ts'
import { openMeasures } from './open-hours.ts'
import { closingsIn, createdIn, filtered, finalizedIn, type OpenHours, ratedIn, type Scope, within } from './range.ts'

type Db = Kysely<Database>
/** The tickets that a report lists, and their order. */
export type ReportRequest = {
  viewer: Viewer
  scope: Scope
  tagIds: number[]
  statuses: string[] | null
  /** Measure in open hours only, with these. */
  openHours: OpenHours | null
  /** The ids of the tickets that the target counts, if only those are listed. */
  targeted?: RawBuilder<unknown> | null
} & Pick<ReportFilter, 'searchParam' | 'contactId' | 'dateField' | 'onlyRated' | 'imported' | 'counted' | 'weekHour' | 'sort' | 'direction'>

/** Rows read from the cursor at once. */
const batchSize = 500

/**
 * The tickets of the range with the queue and user that count, as `l`. `revision`: the closing that the row shows; null: the last one.
 * The dashboard counts the same tickets (A-COUNT-11).
 */
function listed({ scope, dateField, statuses, imported, counted, onlyRated }: ReportRequest): RawBuilder<unknown> {
  if (dateField === 'closedAt')
    return sql`select ticket_id as id, queue_id, user_id, revision from (${onlyRated ? ratedIn(scope) : finalizedIn(scope)}) f`
  const created = sql`select id, queue_id, user_id, null::int as revision from (${createdIn(scope)}) c`
  if (counted) return created
  const { companyId, range, filters } = scope
  const names = (status: string) => statuses?.includes(status) ?? false
  return sql`${created} union all
    select id, queue_id, user_id, null from ticket_fact
    where created_at is null and deleted_at is null and ${filtered(filters)}
      and id in (select id from ticket where company_id = ${companyId} and created_at >= ${range.from}::timestamptz and created_at < ${range.to}::timestamptz)
      and (predecessor_id is not null and not is_group
        or is_imported and not is_group and ${imported === true}
        or is_group and ${names('group')} and (not is_imported or ${imported === true})
        or ${names('lgpd')} and not is_group and not is_imported)`
}

const createdAt = sql`coalesce(f.created_at, t.created_at)`
/** The listed tickets joined with all that a filter, a column or the order needs, and the filters. */
function found(asked: ReportRequest): RawBuilder<unknown> {
  const { viewer, scope, statuses, tagIds, contactId, onlyRated, weekHour, targeted } = asked
  const conditions: RawBuilder<unknown>[] = [sql`t.company_id = ${scope.companyId}`]
  if (statuses) conditions.push(sql`t.status = any(${statuses}::text[])`)
  if (contactId !== undefined) conditions.push(sql`t.contact_id in ${contactsOfPerson(contactId)}`)
  if (tagIds.length > 0)
    conditions.push(sql`(exists (select from contact_tag ct where ct.contact_id = contact.id and ct.tag_id = any(${tagIds}::int[]))
      or ${tagIds.includes(0)} and not exists (select from contact_tag ct where ct.contact_id = contact.id))`)
  if (targeted) conditions.push(sql`l.id in (${targeted})`)
  if (onlyRated) conditions.push(sql`c.rating is not null`)
  if (weekHour !== undefined) conditions.push(sql`${weekHourOf(createdAt, viewer.timeZone)} = ${weekHour}`)
  const sought = wanted(asked)
  if (sought) conditions.push(sought)
  return sql`from (${listed(asked)}) l
    join ticket t on t.id = l.id
    join ticket_fact f on f.id = l.id
    left join lateral (
      select * from ticket_closing where ticket_id = l.id and (l.revision is null or revision = l.revision) order by revision desc limit 1) c on true
    left join contact own on own.id = t.contact_id
    left join contact on contact.id = own.person_id
    left join "user" u on u.id = l.user_id
    left join queue q on q.id = l.queue_id
    left join connection w on w.id = t.whatsapp_id
    where ${sql.join(conditions, sql` and `)}`
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Searches as the list of histories does. */
function wanted({ viewer, searchParam = '' }: ReportRequest): RawBuilder<unknown> | null {
  const search = searchParam.trim()
  if (search === '') return null
  if (uuid.test(search)) return sql`t.uuid = ${search}::uuid`
  const ways: RawBuilder<unknown>[] = [sql`t.contact_id in ${contactsNamed(viewer, search)}`]
  if (/^#?\d{1,9}$/.test(search)) ways.push(sql`t.id = ${Number(search.replace('#', ''))}`)
  return sql`(${sql.join(ways, sql` or `)})`
}

/**
 * The columns of a row. Of a ticket that has left the limit, and of one before or after a transfer outside of it, the row shows nothing
 * (A-VIS-04). Postgres measures open time only in the rows of a page, because it is in the selected list.
 */
const columnsOf = ({
  openHours,
  scope: {
    filters: { limit },
  },
}: ReportRequest): RawBuilder<unknown> => sql`t.id, t.uuid, t.revision, t.status, t.is_group, coalesce(contact.id, t.contact_id) as contact_id, w.name as whatsapp_name, w.id is null as whatsapp_removed,
  coalesce(contact.name, '') as contact_name, coalesce(contact.number, '') as contact_number,
  l.user_id, u.name as user_name, l.user_id is not null and (u.id is null or u.retired_at is not null) as user_removed,
  l.queue_id, q.name as queue_name, q.color as queue_color, l.queue_id is not null and (q.id is null or q.retired_at is not null) as queue_removed,
  case when t.last_message_deleted or not ${within(limit, 't.queue_id')} then '' else t.last_message end as last_message,
  ${createdAt} as created_at, c.at as closed_at, c.reopened_at, c.support_seconds, c.waiting_seconds,
  c.first_answer_seconds, c.resolution_seconds, c.rating as nps,
  ${openHours ? sql`(select to_jsonb(o) from (${openMeasures(openHours)}) o)` : sql`null::jsonb`} as open, f.is_imported as imported,
  (select jsonb_build_object('id', p.id, 'uuid', p.uuid) from ticket p where p.id = f.predecessor_id and ${within(limit, 'p.queue_id')}) as predecessor,
  (select jsonb_build_object('id', s.id, 'uuid', s.uuid) from ticket s where s.id = f.successor_id and ${within(limit, 's.queue_id')}) as successor`

function orderOf({ viewer, openHours, sort = 'createdAt', direction = 'desc' }: ReportRequest): RawBuilder<unknown> {
  const named = (name: RawBuilder<string>) => inNameOrder(viewer.companyLanguage, name)
  /* The visible order must not reveal the number of a contact without a name. */
  const contactName = viewer.masked ? sql<string>`case when ${nameless} then '' else contact.name end` : sql<string>`contact.name`
  const by: Record<Sortable, RawBuilder<unknown>> = {
    id: sql`t.id`,
    createdAt,
    closedAt: sql`c.at`,
    contactName: named(sql`nullif(${contactName}, '')`),
    userName: named(sql`u.name`),
    queueName: named(sql`q.name`),
    whatsappName: named(sql`w.name`),
    status: sql`t.status`,
    supportTime: openHours
      ? sql`case when c.support_seconds is not null then (select o.support from (${openMeasures(openHours)}) o) end`
      : sql`c.support_seconds`,
    NPS: sql`c.rating`,
  }
  const way = sql.raw(direction)
  return sql`order by ${by[sort]} ${way} nulls last, t.id ${way}`
}

type Closed = 'closedWaitingSeconds' | 'closedFirstAnswerSeconds' | 'closedSupportSeconds' | 'closedResolutionSeconds'
type Open = Record<'waiting' | 'first_answer' | 'support' | 'resolution', number>
type Read = Omit<TicketReportRow, 'NPS' | 'supportTime' | Closed> & { nps: number | null; open: Open | null }

/** The open part of a time and the closed rest; without opening hours the whole time and null. */
function divided(whole: number | null, open: number | undefined): [open: number | null, closed: number | null] {
  if (whole === null || open === undefined) return [whole, null]
  const part = Math.min(whole, open)
  return [part, whole - part]
}
const shown =
  ({ masked }: Viewer) =>
  ({ nps, open, ...row }: Read): TicketReportRow => {
    const [waitingSeconds, closedWaitingSeconds] = divided(row.waitingSeconds, open?.waiting)
    const [firstAnswerSeconds, closedFirstAnswerSeconds] = divided(row.firstAnswerSeconds, open?.first_answer)
    const [supportSeconds, closedSupportSeconds] = divided(row.supportSeconds, open?.support)
    const [resolutionSeconds, closedResolutionSeconds] = divided(row.resolutionSeconds, open?.resolution)
    const answer = {
      ...row,
      ...{ waitingSeconds, firstAnswerSeconds, supportSeconds, resolutionSeconds },
      ...{ closedWaitingSeconds, closedFirstAnswerSeconds, closedSupportSeconds, closedResolutionSeconds },
      ...{ supportTime: supportSeconds === null ? null : Math.floor(supportSeconds / 60), NPS: nps },
    }
    return masked ? maskReportRow(answer) : answer
  }
type Totals = { total: number; counted: number }
/** How many tickets are listed, and how many of them the dashboard counts as created. */
const totalsOf = async (db: Db, asked: ReportRequest): Promise<Totals> =>
  (
    await sql<Totals>`select count(*)::int as total, count(*) filter (where f.created_at is not null)::int as counted ${found(asked)}`.execute(
      db,
    )
  ).rows[0]!

/**
 * How many of the listed tickets were reopened after the closing that they are listed for, and how many were deleted. Only queue, connection
 * and agent of a deleted ticket are known, so none is counted if anything else is filtered.
 */
export async function changedSince(db: Db, asked: ReportRequest): Promise<{ reopened: number; deleted: number }> {
  const { tagIds, statuses, contactId, searchParam = '', onlyRated, weekHour, targeted } = asked
  const isNarrowed =
    tagIds.length > 0 ||
    statuses !== null ||
    contactId !== undefined ||
    searchParam.trim() !== '' ||
    onlyRated === true ||
    Boolean(targeted) ||
    weekHour !== undefined
  const [reopened, deleted] = await Promise.all([
    sql<{ n: number }>`select count(*) filter (where c.reopened_at is not null)::int as n ${found(asked)}`.execute(db),
    sql<{
      n: number
    }>`select count(distinct ticket_id)::int as n from (${closingsIn(asked.scope)} and is_deleted and ${!isNarrowed}) d`.execute(db),
  ])
  return { reopened: reopened.rows[0]!.n, deleted: deleted.rows[0]!.n }
}

/** One page of the report and the number of all its rows. */
export async function reportPage(
  db: Db,
  asked: ReportRequest,
  page: number,
  pageSize: number,
): Promise<Totals & { rows: TicketReportRow[] }> {
  const [totals, { rows }] = await Promise.all([
    totalsOf(db, asked),
    sql<Read>`select ${columnsOf(asked)} ${found(asked)} ${orderOf(asked)} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db),
  ])
  return { ...totals, rows: rows.map(shown(asked.viewer)) }
}

/**
 * All rows of the report in batches, from one snapshot, with their number. The first batch always comes, perhaps empty. A consumer
 * that stops early ends the transaction.
 */
export async function* reportBatches(db: Db, asked: ReportRequest): AsyncGenerator<{ total: number; rows: TicketReportRow[] }> {
  const snapshot = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    await sql`select set_config('statement_timeout', '300000', true)`.execute(snapshot)
    const { total } = await totalsOf(snapshot, asked)
    await sql`declare report no scroll cursor for select ${columnsOf(asked)} ${found(asked)} ${orderOf(asked)}`.execute(snapshot)
    for (let isFirst = true; ; isFirst = false) {
      const rows = await nextRows(snapshot)
      if (rows.length > 0 || isFirst) yield { total, rows: rows.map(shown(asked.viewer)) }
      if (rows.length < batchSize) return
    }
  } finally {
    await snapshot.rollback().execute()
  }
}
const nextRows = async (snapshot: Transaction<Database>): Promise<Read[]> =>
  (await sql<Read>`fetch ${sql.lit(batchSize)} from report`.execute(snapshot)).rows

import { type Kysely, sql } from 'kysely'
import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import type { Gap, Traffic, TrafficDay } from '#domain/traffic/contract.ts'
import { dayIn, endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '../database.ts'

type Of = { companyId: number; connectionId: number }
/** The last days in a time zone, including today. */
type Range = { zone: string; days: number; now: number }
type Span = { from: number; to: number }

const shownGaps = 50

export async function trafficOf(
  db: Kysely<Database>,
  of: Of,
  range: Range,
): Promise<Pick<Traffic, 'days' | 'reasons' | 'gaps' | 'gapsInAll'>> {
  const names = daysOf(range)
  const from = startOfDay(range.zone, names[0]!)
  const [sums, gaps] = await Promise.all([sumsOf(db, of, range.zone, from), gapsOf(db, of, from)])
  const byDay = Map.groupBy(sums, ({ day }) => day)
  const away = gaps.map(({ beganAt, endedAt }) => ({ from: Date.parse(beganAt), to: endedAt ? Date.parse(endedAt) : range.now }))
  const days = names.map((day) => {
    const whole = { from: startOfDay(range.zone, day).getTime(), to: endOfDay(range.zone, day).getTime() }
    return summed(
      day,
      byDay.get(day) ?? [],
      away.reduce((minutes, gap) => minutes + minutesWithin(whole, gap), 0),
    )
  })
  const failed = [...Map.groupBy(sums, ({ failed }) => failed)].filter(([code]) => code !== '')
  const reasons = failed
    .map(([code, some]) => ({ code, n: lost(some), overcome: total(some, 'overcome') }))
    .sort((a, b) => b.n - a.n || b.overcome - a.overcome)
  return { days, reasons, gaps: gaps.slice(0, shownGaps), gapsInAll: gaps.length }
}

function daysOf({ zone, days, now }: Range): string[] {
  const today = Date.parse(dayIn(zone, new Date(now)))
  return Array.from({ length: days }, (_, i) => new Date(today - (days - 1 - i) * dayMs).toISOString().slice(0, 10))
}
const minutesWithin = (day: Span, gap: Span) => Math.max(0, Math.min(day.to, gap.to) - Math.max(day.from, gap.from)) / minuteMs

type Sum = { day: string; failed: string } & Record<
  'sent' | 'taken' | 'delivered' | 'soon' | 'read' | 'uncertain' | 'overcome' | 'retried' | 'timed' | 'tookMs' | 'received',
  number
>
async function sumsOf(db: Kysely<Database>, { companyId, connectionId }: Of, zone: string, from: Date): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select (slot at time zone ${zone})::date as day, failed, sum(sent)::int as sent, sum(taken)::int as taken, sum(delivered)::int as delivered,
      sum(soon)::int as soon, sum(read)::int as read, sum(uncertain)::int as uncertain, sum(overcome)::int as overcome, sum(retried)::int as retried,
      sum(timed)::int as timed, sum(took_ms)::bigint as took_ms, sum(received)::int as received
    from traffic_sum where company_id = ${companyId} and connection_id = ${connectionId} and slot >= ${from.toISOString()}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}
const total = (some: Sum[], what: Exclude<keyof Sum, 'day' | 'failed'>) => some.reduce((sum, one) => sum + one[what], 0)
/** Failed messages that were never delivered. */
const lost = (some: Sum[]) => total(some, 'sent') - total(some, 'overcome')
function summed(day: string, some: Sum[], awayMinutes: number): TrafficDay {
  const timed = total(some, 'timed')
  return {
    ...{ day, sent: total(some, 'sent'), taken: total(some, 'taken'), delivered: total(some, 'delivered'), soon: total(some, 'soon') },
    ...{ read: total(some, 'read'), uncertain: total(some, 'uncertain'), timed, awayMinutes },
    ...{ retried: total(some, 'retried'), received: total(some, 'received') },
    failed: lost(some.filter(({ failed }) => failed !== '')),
    answerMs: timed === 0 ? null : total(some, 'tookMs') / timed,
  }
}

/** The newest first. */
const gapsOf = (db: Kysely<Database>, { companyId, connectionId }: Of, from: Date): Promise<Gap[]> =>
  db
    .selectFrom('connectionGap')
    .select(['id', 'beganAt', 'endedAt', 'reason', 'anew'])
    .where('companyId', '=', companyId)
    .where('connectionId', '=', connectionId)
    .where(({ eb, or }) => or([eb('endedAt', 'is', null), eb('endedAt', '>=', from.toISOString())]))
    .orderBy('beganAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** What waits to be sent on the connection, and the inbound events not yet processed. */
export async function waitingAt(db: Kysely<Database>, { connectionId }: Of): Promise<Pick<Traffic, 'leaving' | 'coming' | 'roundTripAt'>> {
  const { rows } = await sql<{ leaving: number; leavingSince: string | null; coming: number; comingSince: string | null }>`
    select leaving.n as leaving, leaving.since as leaving_since, coming.n as coming, coming.since as coming_since
    from (select count(*) as n, min(created_at) as since from outbox where connection_id = ${connectionId} and state = 'waiting') leaving,
      (select count(*) as n, min(received_at) as since from inbound_event where connection_id = ${connectionId} and done_at is null) coming`.execute(
    db,
  )
  const { leaving, leavingSince, coming, comingSince } = rows[0]!
  const lease = await db.selectFrom('connectionLease').select('roundTripAt').where('connectionId', '=', connectionId).executeTakeFirst()
  return {
    leaving: { n: leaving, since: leavingSince },
    coming: { n: coming, since: comingSince },
    roundTripAt: lease?.roundTripAt ?? null,
  }
}

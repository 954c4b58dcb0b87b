import { sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { reportRange } from '#domain/report/days.ts'
import { project } from '#projections/projector.ts'
import type { ReportRequest } from '#projections/report/tickets.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { placed } from '#tests/support/history.ts'
import { tables as filled } from '#tests/support/recompute-read-models.ts'
import { closed, contact, type Fact, opened, servedBy, user } from '#tests/support/story.ts'
import type { openTables } from '#tests/support/tables.ts'

/* Tickets of November 2026 as events. Company 1 is in São Paulo (UTC-3); Ana is user 7, Davi 8. Times are local. */
export const zone = 'America/Sao_Paulo'
export const [ana, davi] = [7, 8]
export const [vendas, suporte] = [5, 6]
export const person = 3
type Tables = Awaited<ReturnType<typeof openTables>>
export type TicketFact = Fact & { of: number }

/** A local moment: `on('10 09:00')` is 10 November, `on('2026-10-30 09:00')` that day. */
export function on(text: string): { at: string } {
  const [day = '', clock = ''] = text.split(' ')
  return { at: new Date(`${day.length > 2 ? day : `2026-11-${day}`}T${clock}:00-03:00`).toISOString() }
}
export const uuidOf = (of: number) => `00000000-0000-4000-8000-${String(of).padStart(12, '0')}`
type How = { who?: number; queueId?: number | null; closing?: object; opening?: object }
/** A ticket: opened by the contact, accepted, closed; each at a local moment, if given. */
export function ticket(
  of: number,
  begins: string,
  accepts: string | null = null,
  closes: string | null = null,
  how: How = {},
): TicketFact[] {
  const { who = ana, queueId = vendas, closing, opening } = how
  return [
    { ...opened({ queueId, ticketId: of, uuid: uuidOf(of), ...opening }), by: contact, ...on(begins), of },
    ...(accepts === null ? [] : [{ ...servedBy(who, queueId ?? vendas), ...on(accepts), of }]),
    ...(closes === null ? [] : [closingOf(of, closes, who, closing)]),
  ]
}
export const closingOf = (of: number, when: string, who = ana, to: object = {}): TicketFact =>
  ({ ...closed, userId: who, by: user(who), ...on(when), ...to, of }) as TicketFact

/** Replaces all tickets by those of the events. */
export async function tell({ db, pool }: Tables, ...facts: TicketFact[]): Promise<void> {
  await sql`delete from checkpoint`.execute(db)
  for (const table of filled) await sql`delete from ${sql.table(table)}`.execute(db)
  const events = placed(facts.toSorted((a, b) => Date.parse(a.at!) - Date.parse(b.at!)))
  await project(pool, ticketProjector, events, events.at(-1)!.position)
}

/** The company, its users, queues, connection and contact. Davi is retired. */
export async function company({ db }: Tables, name = 'Maria Silva', number = '5511987654321'): Promise<void> {
  await sql`delete from contact`.execute(db)
  await sql`insert into company (id, name) overriding system value values (1, 'Lume') on conflict do nothing`.execute(db)
  await sql`insert into "user" (id, company_id, name, email, password_hash, retired_at) overriding system value
    values (${ana}, 1, 'Ana', 'ana@lume.test', '', null), (${davi}, 1, 'Davi', 'davi@lume.test', '', now()) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into queue (id, company_id, name, color) overriding system value
    values (${vendas}, 1, 'Vendas', '#112233'), (${suporte}, 1, 'Suporte', '#445566') on conflict do nothing`.execute(db)
  await sql`insert into connection (id, company_id, name, channel, provider, status) overriding system value
    values (4, 1, 'Loja', 'whatsapp', 'sandbox', 'CONNECTED') on conflict do nothing`.execute(db)
  await sql`insert into contact (id, company_id, name, number, number_key, channel) overriding system value
    values (${person}, 1, ${name}, ${number}, ${number}, 'whatsapp')`.execute(db)
}

const viewerOf = (to: Partial<Viewer>) =>
  ({ companyId: 1, reportQueueIds: null, masked: false, timeZone: zone, phoneCountry: 'BR', companyLanguage: 'pt-BR', ...to }) as Viewer
type Asked = Partial<Omit<ReportRequest, 'viewer' | 'scope'>> & {
  first?: string
  last?: string
  filters?: Partial<ReportRequest['scope']['filters']>
  viewer?: Partial<Viewer>
}
/** A request for the report of November 2026. */
export function request({ first = '2026-11-01', last = '2026-11-30', filters, viewer = {}, ...to }: Asked = {}): ReportRequest {
  const { from, to: until } = reportRange(zone, Date.parse('2026-12-01T12:00:00Z'), first, last)
  return {
    viewer: viewerOf(viewer),
    scope: {
      companyId: viewerOf(viewer).companyId,
      range: { from, to: until },
      filters: { queueIds: [], connectionIds: [], userIds: [], limit: null, ...filters },
    },
    ...{ tagIds: [], statuses: null, openHours: null },
    ...to,
  }
}

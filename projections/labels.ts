import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'

export type Label = { id: number; name: string; color: string }
/** Names and colours that many rows of a company show. */
export type Labels = {
  connections: Map<number, Omit<Label, 'color'> & { color: string | null; groupAsTicket: string }>
  queues: Map<number, Label>
  /** The queues with rotation (A-ROT-01). */
  rotating: Set<number>
  users: Map<number, Label>
  tags: Map<number, Label>
}
type CachedLabels = { version: number; labels: Promise<Labels> }

/**
 * By database, so that queries need no further argument and a closed database takes its entries along. Each use proves its entry by the
 * version that was read with the rows.
 */
const cached = new WeakMap<Kysely<Database>, Map<number, CachedLabels>>()
const mostCompanies = 1000

/**
 * Returns the labels of the rows' companies, at least as new as the `label_version` read with the rows. They
 * are cached per process. Joining them to every row took a third of the time of reading a list.
 */
export async function labelsFor(
  db: Kysely<Database>,
  rows: { companyId: number; labelVersion: number | null }[],
): Promise<Map<number, Labels>> {
  const versions = new Map(rows.map(({ companyId, labelVersion }) => [companyId, labelVersion ?? 0]))
  return new Map(await Promise.all([...versions].map(async ([id, version]) => [id, await labelsOf(db, id, version)] as const)))
}

async function labelsOf(db: Kysely<Database>, companyId: number, version: number): Promise<Labels> {
  const companies = cached.get(db) ?? new Map<number, CachedLabels>()
  cached.set(db, companies)
  const known = companies.get(companyId)
  if (known && known.version >= version) return known.labels
  const fresh = { version, labels: read(db, companyId) }
  companies.delete(companyId)
  companies.set(companyId, fresh)
  if (companies.size > mostCompanies) companies.delete(companies.keys().next().value!)
  fresh.labels.catch(() => companies.get(companyId) === fresh && companies.delete(companyId))
  return fresh.labels
}

async function read(db: Kysely<Database>, companyId: number): Promise<Labels> {
  type Kind = Exclude<keyof Labels, 'rotating'>
  const { rows } = await sql<{ kind: Kind; id: number; name: string; color: string; groupAsTicket: string; rotates: boolean }>`
    select 'connections' as kind, id, name, color, group_as_ticket, false as rotates from connection where company_id = ${companyId}
    union all select 'queues', id, name, color, null, ativar_roteador and tempo_roteador > 0 from queue where company_id = ${companyId}
    union all select 'users', id, name, color, null, false from "user" where company_id = ${companyId}
    union all select 'tags', id, name, color, null, false from tag where company_id = ${companyId}`.execute(db)
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind)
  const plain = (kind: Kind) => new Map(of(kind).map(({ id, name, color }) => [id, { id, name, color }]))
  return {
    connections: new Map(of('connections').map(({ id, name, color, groupAsTicket }) => [id, { id, name, groupAsTicket, color }])),
    queues: plain('queues'),
    rotating: new Set(rows.filter(({ rotates }) => rotates).map(({ id }) => id)),
    users: plain('users'),
    tags: plain('tags'),
  }
}

import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { newDataKey, wrapKey } from '#app/crypto/seal.ts'
import { planFlags } from '#domain/access.ts'
import type { Database } from '#projections/database.ts'

/** The size of the data set and its users. */
export type Size = { seed: number; tickets: number; contacts: number; open: number; waiting: number; longest: number; endless: number }
/** A signed-in user. `queueIds` are the queues of an agent; an admin has none. */
export type Person = { userId: number; sessionId: string; admin: boolean; queueIds: number[] }
export type BenchPlace = {
  size: Size
  companyId: number
  connectionId: number
  queueIds: number[]
  admins: Person[]
  agents: Person[]
  /** Uuid of the ticket with `size.longest` events. The next ticket has `size.endless` events and is still open. */
  longUuid: string
}

export const sizeOf = (small: boolean, seed: number): Size => {
  const tickets = small ? 5000 : 100_000
  return {
    seed,
    tickets,
    contacts: Math.max(4500, tickets / 5),
    open: Math.max(2700, tickets * 0.06),
    waiting: small ? 1500 : 3000,
    longest: 1000,
    endless: small ? 20_000 : 100_000,
  }
}
const people = 60

/** Inserts company, queues, users with sessions and contacts with keys as plain rows, like the routes would. */
export async function furnish(db: Kysely<Database>, masterKey: Buffer, size: Size): Promise<Omit<BenchPlace, 'longUuid'>> {
  const flags = JSON.stringify(Object.fromEntries(planFlags.map((name) => [name, true])))
  const plan = await db.insertInto('plan').values({ name: 'Bench', flags }).returning('id').executeTakeFirstOrThrow()
  const company = { name: 'Bench', planId: plan.id, dueDate: null, lastLogin: null }
  const { id: companyId } = await db.insertInto('company').values(company).returning('id').executeTakeFirstOrThrow()
  const queueIds: number[] = []
  for (const [i, name] of ['Vendas', 'Suporte', 'Financeiro', 'Cobrança'].entries()) {
    const row = { companyId, name, color: `#00000${i}`, greetingMessage: null, orderQueue: i }
    queueIds.push((await db.insertInto('queue').values(row).returning('id').executeTakeFirstOrThrow()).id)
  }
  const { id: connectionId } = await db
    .insertInto('connection')
    .values({
      ...{ companyId, name: 'Bench', number: '5511900000001', channel: 'whatsapp', provider: 'sandbox', status: 'CONNECTED' },
      ...{ isDefault: true, allowGroup: true, groupAsTicket: 'disabled', color: null, greetingMessage: null, complationMessage: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('connectionQueue').values({ companyId, connectionId, queueId: queueIds[0]! }).execute()

  const tag = { kanban: 0, timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }
  for (const [i, name] of ['VIP', 'Novo', 'Atraso'].entries())
    await db
      .insertInto('tag')
      .values({ ...tag, companyId, name, color: `#11111${i}` })
      .execute()

  const crowd: Person[] = []
  for (let i = 0; i < 2 * people; i++) crowd.push(await enter(db, companyId, i, queueIds))
  await meet(db, masterKey, companyId, connectionId, size)
  return { size, companyId, connectionId, queueIds, admins: crowd.slice(0, people), agents: crowd.slice(people) }
}

/** Inserts the `i`-th signed-in user of the benchmark's company. */
export async function enter(db: Kysely<Database>, companyId: number, i: number, queueIds: number[]): Promise<Person> {
  const admin = i < people
  const own = admin ? [] : [queueIds[i % 4]!, queueIds[(i + 1) % 4]!]
  const may = { allTicket: true, allowGroup: true, userClosePendingTicket: true, allowAudit: admin }
  const user = await db
    .insertInto('user')
    .values({
      ...{
        companyId,
        name: `${admin ? 'Admin' : 'Agente'} ${i}`,
        email: `p${i}@bench.test`,
        passwordHash: '-',
        flags: JSON.stringify(may),
      },
      ...{ profile: admin ? ('admin' as const) : ('user' as const), whatsappId: null, farewellMessage: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const queueId of own) await db.insertInto('userQueue').values({ companyId, userId: user.id, queueId }).execute()
  const session = { id: randomUUID(), companyId, userId: user.id, remember: true, secretHash: '-', previousHash: null, endedAt: null }
  const moments = { rotatedAt: new Date().toISOString(), expiresAt: '2100-01-01T00:00:00.000Z' }
  await db
    .insertInto('session')
    .values({ ...session, ...moments })
    .execute()
  return { userId: user.id, sessionId: session.id, admin, queueIds: own }
}

export const phoneOf = (contact: number) => `5511${900_000_000 + contact}`

async function meet(db: Kysely<Database>, masterKey: Buffer, companyId: number, connectionId: number, { contacts }: Size): Promise<void> {
  await sql`
    insert into contact (company_id, name, number, number_key, channel, whatsapp_id)
    select ${companyId}::int, 'Cliente ' || i, '5511' || 900000000 + i, '5511' || lpad(i::text, 8, '0'), 'whatsapp', ${connectionId}::int
    from generate_series(1, ${contacts}::int) i order by i`.execute(db)
  await sql`insert into contact_tag (company_id, contact_id, tag_id)
    select ${companyId}::int, c.id, t.id from contact c join tag t on t.id % 3 = c.id % 3 where c.id % 2 = 0`.execute(db)
  for (let from = 1; from <= contacts; from += 5000) {
    const ids = Array.from({ length: Math.min(5000, contacts - from + 1) }, (_, i) => from + i)
    const wrapped = ids.map((id) => wrapKey(masterKey, newDataKey(), companyId, id))
    await sql`insert into contact_key (company_id, contact_id, wrapped)
      select ${companyId}::int, id, wrapped from unnest(${ids}::int[], ${wrapped}::bytea[]) as k(id, wrapped)`.execute(db)
  }
}

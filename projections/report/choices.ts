import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskedName } from '#domain/contact/phone.ts'
import type { ReportChoice } from '#domain/report/contract.ts'
import type { Database } from '../database.ts'
import { inNameOrder } from '../name-order.ts'

type Choices = Record<'users' | 'queues' | 'connections' | 'tags', ReportChoice[]>

/** What the report can be filtered by. Removed users and queues stay, because their tickets stay (A-COUNT-04). */
export async function reportChoices(db: Kysely<Database>, { companyId, companyLanguage, masked }: Viewer): Promise<Choices> {
  const order = inNameOrder(companyLanguage, 'name')
  const [users, queues, connections, tags] = await Promise.all([
    db.selectFrom('user').select(['id', 'name', 'color', 'retiredAt']).where('companyId', '=', companyId).orderBy(order).execute(),
    db.selectFrom('queue').select(['id', 'name', 'color', 'retiredAt']).where('companyId', '=', companyId).orderBy(order).execute(),
    db.selectFrom('connection').select(['id', 'name', 'color']).where('companyId', '=', companyId).orderBy(order).execute(),
    db
      .selectFrom('tag')
      .select(['id', 'name', 'color'])
      .where('companyId', '=', companyId)
      .where('kanban', '=', 0)
      .orderBy(order)
      .execute(),
  ])
  const choice = ({
    id,
    name,
    color,
    retiredAt = null,
  }: {
    id: number
    name: string
    color: string | null
    retiredAt?: string | null
  }) => ({
    ...{ id, color, removed: retiredAt !== null },
    name: masked ? maskedName(name) : name,
  })
  return { users: users.map(choice), queues: queues.map(choice), connections: connections.map(choice), tags: tags.map(choice) }
}

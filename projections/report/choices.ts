import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskedName } from '#domain/contact/phone.ts'
import type { ReportChoice } from '#domain/report/contract.ts'
import type { Database } from '../database.ts'
import { inNameOrder } from '../name-order.ts'
import { agentsEver } from './agents.ts'
import { within } from './range.ts'

type Choices = Record<'users' | 'queues' | 'connections' | 'tags', ReportChoice[]>

/**
 * What the report can be filtered by. Removed users and queues stay, because their tickets stay (A-COUNT-04). A limit leaves its queues,
 * and the users who serve them or have tickets in them.
 */
export async function reportChoices(
  db: Kysely<Database>,
  { companyId, companyLanguage, masked, reportQueueIds: limit }: Viewer,
): Promise<Choices> {
  const order = inNameOrder(companyLanguage, 'name')
  const [users, queues, connections, tags] = await Promise.all([
    db
      .selectFrom('user as u')
      .select(['id', 'name', 'color', 'retiredAt'])
      .where('companyId', '=', companyId)
      .where(agentsEver(companyId, limit))
      .orderBy(order)
      .execute(),
    db
      .selectFrom('queue')
      .select(['id', 'name', 'color', 'retiredAt'])
      .where('companyId', '=', companyId)
      .where(within(limit, 'id'))
      .orderBy(order)
      .execute(),
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

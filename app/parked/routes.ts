import { type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { parked } from '#domain/parked/contract.ts'
import { kindIn } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { giveUp, release } from '../event-store/parked-streams.ts'
import type { Handlers } from '../http/serve.ts'

const most = 200

export const parkedRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof parked> => ({
  async list() {
    const rows = await db
      .selectFrom('parkedStream as p')
      .innerJoin('company as c', 'c.id', 'p.companyId')
      .select([
        'p.id',
        'p.follower',
        'c.id as companyId',
        'c.name',
        'p.ticketId as streamId',
        'p.stream',
        'p.eventId',
        'p.eventType',
        'p.revision',
        'p.reason',
      ])
      .select(['p.since', 'p.releasedAt', sql<number>`p.behind - p.revision`.as('waiting'), sql<number>`count(*) over ()`.as('count')])
      .orderBy('p.id')
      .limit(most)
      .execute()
    const streams = rows.map(({ companyId, name, releasedAt, count: _, stream, ...row }) => ({
      ...row,
      kind: kindIn(stream),
      company: { id: companyId, name },
      released: releasedAt !== null,
    }))
    return { streams, count: rows[0]?.count ?? 0 }
  },
  async release({ params }) {
    if (!(await release(db, params.id))) refuse('ERR_NOT_FOUND')
  },
  async giveUp({ viewer, params, body }) {
    if (!(await giveUp(db, params.id, body.eventId, `user ${viewer.id}`, body.reason.trim()))) refuse('ERR_NOT_FOUND')
  },
})

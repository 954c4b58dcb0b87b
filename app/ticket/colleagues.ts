import { type Kysely, sql } from 'kysely'
import * as Type from 'typebox'
import { Check } from 'typebox/value'
import { type Activity, activities, type WorkingSignal } from '#domain/live/contract.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { ticketSights } from '#projections/ticket/read.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { type Gateway, type SocketSession, showsLists } from '../live/gateway.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'

/* What colleagues do in a ticket (A-HERE-01). Nothing is stored, because clients repeat it and forget who stops. */

const colleagues = 'colleagues'
const Signal = Type.Object({
  ticketId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  doing: Type.Enum([...activities]),
  tab: Type.String({ pattern: '^[\\w-]{1,40}$' }),
  asks: Type.Optional(Type.Boolean()),
})
type WorkNotice = WorkingSignal & { companyId: number; userId: number; name: string }

type Deps = { db: Kysely<Database>; notifications: NotificationBus; live: Pick<Gateway, 'sessions'> }
/** Returns the function that tells the colleagues of a session what its user does. Malformed data and tickets out of sight are ignored. */
export function openColleagues({ db, notifications, live }: Deps) {
  const isInterested = ({ viewer, expired, ...session }: SocketSession, { userId, ticketId }: WorkNotice) =>
    viewer.id !== userId && !expired && (session.rooms.ChatBox.has(ticketId) || showsLists({ viewer, expired, ...session }))

  async function show(notice: WorkNotice): Promise<void> {
    const { companyId, ticketId } = notice
    const interested = live.sessions(companyId).filter((session) => isInterested(session, notice))
    const [ticket] = interested.length === 0 ? [] : await ticketSights(db, companyId, [ticketId])
    if (!ticket) return
    const { companyId: _, ...fields } = notice
    const frame = Buffer.from(JSON.stringify({ channel: `company-${companyId}-colleague`, action: 'update', ...fields }))
    for (const session of interested) if (canSee(session.viewer, ticket)) session.send(frame)
  }
  notifications.on(colleagues, (text) => void ignoreErrors(show(JSON.parse(text)), 'clients repeat it'))

  return async ({ viewer }: SocketSession, data: unknown): Promise<void> => {
    if (!Check(Signal, data)) return
    const { id: userId, name, companyId } = viewer
    const { ticketId, doing, tab, asks } = data
    const [ticket] = await ticketSights(db, companyId, [ticketId])
    if (!ticket || !canSee(viewer, ticket)) return
    const notice: WorkNotice = { companyId, ticketId, userId, name, doing: doing as Activity, tab, ...(asks && { asks }) }
    await sql`select pg_notify(${colleagues}, ${JSON.stringify(notice)})`.execute(db)
  }
}

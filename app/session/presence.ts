import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { beatMs } from '#domain/live/contract.ts'
import type { Database } from '#projections/database.ts'
import type { SocketSession } from '../live/gateway.ts'
import type { Clock } from '../scheduler/clock.ts'

type Deps = { db: Kysely<Database>; clock: Clock; sessionsOf: (companyId?: number) => SocketSession[] }
export type Presence = ReturnType<typeof openPresence>

/** A user stays online this long after the last socket closed. */
export const lingerMs = minuteMs
/** A user who was not renewed for this long is offline, because the process stopped. */
const goneMs = lingerMs + 2 * beatMs
/** A user who was silent for this long is not renewed, and is therefore offline after eleven minutes. */
const silentMs = 11 * minuteMs - goneMs
const leastMs = 5000

/** Tracks who is online. Only a change is sent to colleagues (A-RT-03). */
export function openPresence({ db, clock, sessionsOf }: Deps) {
  const activeAt = new WeakMap<SocketSession, number>()
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString()
  const offline = () => db.updateTable('userPresence').set({ online: false }).where('online', '=', true)

  return {
    /** Records that a user connected or reported presence. `idle`: no input for a long time. */
    async recordActivity(session: SocketSession, idle?: boolean): Promise<void> {
      if (idle === undefined && clock.now() - (activeAt.get(session) ?? 0) < leastMs) return
      activeAt.set(session, clock.now())
      const { id, companyId } = session.viewer
      const now = { online: true, seenAt: ago(0), ...(idle !== undefined && { idle }) }
      await db
        .insertInto('userPresence')
        .values({ id, companyId, ...now })
        .onConflict((row) =>
          row
            .column('id')
            .doUpdateSet(now)
            .where((eb) =>
              eb.or([
                eb('userPresence.online', '=', false),
                eb('userPresence.seenAt', '<', ago(10_000)),
                eb('userPresence.idle', '!=', idle ?? eb.ref('userPresence.idle')),
              ]),
            ),
        )
        .execute()
    },
    /** Runs `lingerMs` after a socket closed. */
    async recordDisconnect({ id, companyId }: Viewer): Promise<void> {
      if (sessionsOf(companyId).some(({ viewer }) => viewer.id === id)) return
      await offline()
        .where('id', '=', id)
        .where('seenAt', '<', ago(lingerMs - 1000))
        .execute()
    },
    /** Runs at every heartbeat and at the start, because a killed process reports nothing. */
    async renew(): Promise<void> {
      const activeSessions = sessionsOf().filter((session) => clock.now() - (activeAt.get(session) ?? 0) < silentMs)
      const onlineIds = [...new Set(activeSessions.map(({ viewer }) => viewer.id))]
      if (onlineIds.length > 0)
        await db
          .updateTable('userPresence')
          .set({ online: true, seenAt: ago(0) })
          .where('id', 'in', onlineIds)
          .execute()
      await offline().where('seenAt', '<', ago(goneMs)).execute()
    },
  }
}

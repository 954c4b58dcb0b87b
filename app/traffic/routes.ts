import type { Quality, traffic } from '#domain/traffic/contract.ts'
import { trafficOf, waitingAt } from '#projections/traffic/read.ts'
import { connectionsIn, ownerOf } from '../connection/routes.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { qualityOf } from '../meta/quality.ts'
import { settingsOf } from '../setting/read.ts'

export function trafficRoutes({ db, clock, ...deps }: AppContext): Handlers<typeof traffic> {
  /** For a number linked by QR code, WhatsApp reports only that it may not start conversations. */
  async function blockedNow(id: number): Promise<Quality | null> {
    const row = await db.selectFrom('connection').select('noNewChatsUntil as blockedUntil').where('id', '=', id).executeTakeFirst()
    const over = !row?.blockedUntil || Date.parse(row.blockedUntil) <= clock.now()
    return over ? null : { rating: null, limit: 0, unlimited: false, blockedUntil: row.blockedUntil }
  }
  return {
    async quality({ viewer, params: { id } }) {
      await ownerOf(db, viewer, id)
      return { quality: (await qualityOf({ db, clock, ...deps }, id)) ?? (await blockedNow(id)) }
    },
    async ofConnection({ viewer, params: { id }, query: { days = 30 } }) {
      const { companyId } = await ownerOf(db, viewer, id)
      const of = { companyId, connectionId: id }
      const { timeZone: zone } = await settingsOf(db, companyId)
      const [connection, been, waits] = await Promise.all([
        connectionsIn(db, companyId).where('id', '=', id).executeTakeFirstOrThrow(),
        trafficOf(db, of, { zone, days, now: clock.now() }),
        waitingAt(db, of),
      ])
      return { connection, ...been, ...waits }
    },
  }
}

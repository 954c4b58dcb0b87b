import type { traffic } from '#domain/traffic/contract.ts'
import { trafficOf, waitingAt } from '#projections/traffic/read.ts'
import { connectionsIn, ownerOf } from '../connection/routes.ts'
import type { House } from '../house.ts'
import type { Handlers } from '../http/serve.ts'
import { qualityOf } from '../meta/quality.ts'
import { settingsOf } from '../setting/read.ts'

export const trafficRoutes = ({ db, clock, ...deps }: House): Handlers<typeof traffic> => ({
  async quality({ viewer, params: { id } }) {
    await ownerOf(db, viewer, id)
    return { quality: await qualityOf({ db, clock, ...deps }, id) }
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
})

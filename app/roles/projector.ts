import { ticketProjector } from '#projections/ticket/projector.ts'
import { claim, follow } from '../eventlog/follower.ts'
import { applying, rebuild } from '../eventlog/rebuilding.ts'
import type { House } from '../house.ts'

/** The projector role: keeps every projector's tables up with the log. Ends when `signal` does. */
export async function openProjector(house: House, signal: AbortSignal): Promise<void> {
  const of = ticketProjector
  await renew(house, signal)
  await follow({ ...applying(of, house.pool), version: of.version, from: 'start' }, house, signal)
}

/** Tables that an older version filled are built anew beside themselves before this one goes on. */
async function renew(house: House, signal: AbortSignal): Promise<void> {
  const stored = () => house.db.selectFrom('checkpoint').select('version').where('name', '=', ticketProjector.name).executeTakeFirst()
  const older = async () => ((await stored())?.version ?? ticketProjector.version) < ticketProjector.version
  if (!(await older())) return
  const release = await claim(ticketProjector.name, house, signal, () => {})
  try {
    if (release && (await older())) {
      house.logger.warn({ version: ticketProjector.version }, 'the read tables are of an older version and are built anew')
      const { events } = await rebuild(ticketProjector, house)
      house.logger.warn({ events }, 'the read tables are new')
    }
  } finally {
    await release?.()
  }
}

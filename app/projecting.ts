import { project } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { follow } from './follower.ts'
import type { House } from './house.ts'

/** The projector role: keeps every projector's tables up with the log. Ends when `signal` does. */
export async function openProjector(house: House, signal: AbortSignal): Promise<void> {
  const of = ticketProjector
  await follow(
    { name: of.name, version: of.version, from: 'start', apply: (events, position) => project(house.db, of, events, position) },
    house,
    signal,
  )
}

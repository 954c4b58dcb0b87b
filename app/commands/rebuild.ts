import { ticketProjector } from '#projections/ticket/projector.ts'
import { rebuild } from '../eventlog/rebuilding.ts'
import { withHouse, words } from './tools.ts'

const usage = `npm run rebuild                                     builds the read tables anew from the log, beside the live ones, and swaps them
npm run rebuild -- --skip EVENT --reason "…"        lets a stopped projector or reactor go on without this event, on record
                   [--follower NAME]                which one: tickets (default) or attend`

const { values } = words({
  options: {
    skip: { type: 'string' },
    reason: { type: 'string' },
    follower: { type: 'string', default: 'tickets' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else
  await withHouse(
    async (house) => {
      const { skip, reason, follower } = values
      if (skip !== undefined) {
        if (!reason?.trim() || !/^[0-9a-f-]{36}$/.test(skip)) {
          console.error('--skip names an event by its id, and --reason says why')
          return 2
        }
        const stops = await house.db.selectFrom('projectorStop').select('eventId').where('name', '=', follower).executeTakeFirst()
        if (stops?.eventId !== skip) {
          console.error(stops ? `${follower} stands at event ${stops.eventId}, not at ${skip}` : `${follower} stands at no event`)
          return 2
        }
        const row = { name: follower, eventId: skip, saidBy: process.env.USER ?? 'operator', reason }
        await house.db
          .insertInto('projectorSkip')
          .values(row)
          .onConflict((known) => known.doNothing())
          .execute()
        console.log(`${follower} may leave out event ${skip}: ${reason}`)
        return 0
      }
      const began = performance.now()
      let last = 0
      const { events, position, sums, differences } = await rebuild(ticketProjector, house, (now) => {
        if (now - last < 100_000) return
        last = now
        console.log(`  ${now} events`)
      })
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      for (const { table, rows, checksum } of sums)
        console.log(`  ${table.padEnd(16)} ${String(rows).padStart(9)} rows  checksum ${checksum}`)
      console.log(`${events} events up to position ${position} in ${seconds} s; the new tables are in place.`)
      for (const { table, live, rebuilt } of differences)
        console.error(
          `DIFFERS ${table}: ${live.rows} rows (${live.checksum}) stood there, the log says ${rebuilt.rows} (${rebuilt.checksum})`,
        )
      return differences.length > 0 ? 3 : 0
    },
    { existing: true },
  )

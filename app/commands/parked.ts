import { kindIn } from '#domain/stream.ts'
import { giveUp, release } from '../eventlog/parking.ts'
import { withHouse, words } from './tools.ts'

const usage = `npm run parked                                    the streams, such as tickets, that wait at an event which a projector or a reactor cannot apply
npm run parked -- --release N                     number N of that list is tried again; all: every one
npm run parked -- --give-up N --reason "…"        it goes on without that event, on record and for good: a rebuild leaves it out too`

const { values } = words({
  options: {
    release: { type: 'string' },
    'give-up': { type: 'string' },
    reason: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { release: again, 'give-up': left, reason = '' } = values
const fault =
  again !== undefined && left !== undefined
    ? '--release and --give-up do not go together'
    : again !== undefined && again !== 'all' && !/^\d{1,9}$/.test(again)
      ? '--release names a stream by its number in the list, or all'
      : left !== undefined && (!/^\d{1,9}$/.test(left) || reason.trim() === '')
        ? '--give-up names a stream by its number in the list, and --reason says why'
        : reason !== '' && left === undefined
          ? '--reason belongs to --give-up'
          : null

if (values.help) console.log(usage)
else if (fault) {
  console.error(fault)
  process.exitCode = 2
} else
  await withHouse(
    async ({ db }) => {
      const rows = await db.selectFrom('parked').selectAll().orderBy('id').execute()
      const asked = again ?? left
      const chosen = asked === undefined || asked === 'all' ? rows : rows.filter(({ id }) => id === Number(asked))
      if (asked !== undefined && asked !== 'all' && chosen.length === 0) {
        console.error(`no stream waits under ${asked}`)
        return 2
      }
      for (const { id, follower, companyId, stream, ticketId, eventType, eventId, revision, behind, since, ...row } of chosen) {
        const at = `${id}: ${kindIn(stream)} ${ticketId} of company ${companyId}, ${follower}, at ${eventType} ${eventId} (revision ${revision})`
        if (left !== undefined) {
          if (!(await giveUp(db, id, eventId, process.env.USER ?? 'operator', reason.trim()))) {
            console.error(`${id} went on meanwhile`)
            return 2
          }
          console.log(`${at} goes on without that event: ${reason.trim()}`)
        } else if (again !== undefined) {
          await release(db, id)
          console.log(`${at} is tried again`)
        } else console.log(`${at}, ${behind - revision} behind it, since ${since}${row.releasedAt ? ', released' : ''}\n   ${row.reason}`)
      }
      if (chosen.length === 0) console.log('No stream waits.')
      return 0
    },
    { existing: true },
  )

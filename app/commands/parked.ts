import { kindIn } from '#domain/stream.ts'
import { giveUp, release } from '../event-store/parked-streams.ts'
import { discardDeadLetter, retryDeadLetter, selectDeadLetters } from '../inbound/dead-letters.ts'
import { parseArguments, withAppContext } from './tools.ts'

const usage = `npm run parked                                    lists streams, such as tickets, that are parked at an event which a projector or a reactor cannot apply,
                                                  and, as h1, h2, …, the dead letters: inbound events that could not be processed
npm run parked -- --release N                     retries number N of that list; all: every one
npm run parked -- --give-up N --reason "…"        continues without that event, on record and permanently: a rebuild skips it too;
                                                  the content of a dead letter is deleted`

const { values } = parseArguments({
  options: {
    release: { type: 'string' },
    'give-up': { type: 'string' },
    reason: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const isNumber = (text: string) => /^h?\d{1,9}$/.test(text)
const { release: again, 'give-up': left, reason = '' } = values
const fault =
  again !== undefined && left !== undefined
    ? '--release and --give-up do not go together'
    : again !== undefined && again !== 'all' && !isNumber(again)
      ? '--release names what waits by its number in the list, or all'
      : left !== undefined && (!isNumber(left) || reason.trim() === '')
        ? '--give-up names what waits by its number in the list, and --reason says why'
        : reason !== '' && left === undefined
          ? '--reason belongs to --give-up'
          : null

const operator = process.env.USER ?? 'operator'
if (values.help) console.log(usage)
else if (fault) {
  console.error(fault)
  process.exitCode = 2
} else
  await withAppContext(
    async ({ db }) => {
      const asked = again ?? left
      const isAsked = (one: string) => asked === undefined || asked === 'all' || asked === one
      const rows = await db.selectFrom('parkedStream').selectAll().orderBy('id').execute()
      const chosen = rows.filter(({ id }) => isAsked(String(id)))
      const inbound = (await selectDeadLetters(db).execute()).filter(({ id }) => isAsked(`h${id}`))
      if (asked !== undefined && asked !== 'all' && chosen.length + inbound.length === 0) {
        console.error(`nothing waits under ${asked}`)
        return 2
      }
      for (const { id, follower, companyId, stream, ticketId, eventType, eventId, revision, behind, since, ...row } of chosen) {
        const at = `${id}: ${kindIn(stream)} ${ticketId} of company ${companyId}, ${follower}, at ${eventType} ${eventId} (revision ${revision})`
        if (left !== undefined) {
          if (!(await giveUp(db, id, eventId, operator, reason.trim()))) {
            console.error(`${id} went on meanwhile`)
            return 2
          }
          console.log(`${at} goes on without that event: ${reason.trim()}`)
        } else if (again !== undefined) {
          await release(db, id)
          console.log(`${at} is tried again`)
        } else console.log(`${at}, ${behind - revision} behind it, since ${since}${row.releasedAt ? ', released' : ''}\n   ${row.reason}`)
      }
      for (const { id, type, externalId, companyId, connectionId, receivedAt, refused } of inbound) {
        const at = `h${id}: ${type} ${externalId} of company ${companyId}, told to connection ${connectionId}`
        if (left !== undefined) {
          await discardDeadLetter(db, id, operator, reason.trim())
          console.log(`${at} is left out: ${reason.trim()}`)
        } else if (again !== undefined) {
          await retryDeadLetter(db, id)
          console.log(`${at} is tried again`)
        } else console.log(`${at}, at ${receivedAt}\n   ${refused}`)
      }
      if (chosen.length + inbound.length === 0) console.log('Nothing waits.')
      return 0
    },
    { existing: true },
  )

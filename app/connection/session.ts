import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { Clock } from '../work/clock.ts'
import { job, type Later } from '../work/jobs.ts'

type Deps = { db: Kysely<Database>; later: Later; clock: Clock; settings: { sandbox: boolean } }
type Linkable = { id: number; provider: string; number: string | null }
/** What of a connection its session changes. */
type State = { status: 'qrcode' | 'OPENING' | 'CONNECTED' | 'DISCONNECTED'; qrcode: string; number?: string }

/** How a provider’s session begins, begins anew and ends. */
type Sessions = {
  begin: (one: Linkable) => State
  renew: (one: Linkable) => State
  end: State
  /** A phone has read the code. */
  read: (one: Linkable) => State
}

const toRead = (): State => ({ status: 'qrcode', qrcode: `guiche-${randomBytes(24).toString('base64url')}` })
const opening: State = { status: 'OPENING', qrcode: '' }
/** A number that nobody has: Brazilian ones do not begin with 0. */
const madeUp = (id: number) => `5511${String(id).padStart(9, '0')}`

/** The sandbox’s phones are linked like real ones: a code is read once, and from then on a session that ended is only begun again. */
const sandbox: Sessions = {
  begin: ({ number }) => (number === null ? toRead() : opening),
  renew: toRead,
  end: { status: 'DISCONNECTED', qrcode: '' },
  read: ({ id, number }) => ({ ...opening, number: number ?? madeUp(id) }),
}

/** Of the providers whose sessions this house can hold; the others say that theirs is not there. */
export const sessionsOf = ({ settings }: Pick<Deps, 'settings'>, provider: string): Sessions | undefined =>
  provider === 'sandbox' && settings.sandbox ? sandbox : undefined

/** What of a session is asked for, in the transaction that asks. `later`: what is to be done once that is done. */
export async function turn(
  deps: Deps,
  on: Kysely<Database>,
  one: Linkable,
  how: 'begin' | 'renew' | 'end' | 'read',
): Promise<() => Promise<void>> {
  const sessions = sessionsOf(deps, one.provider) ?? refuse('ERR_WAPP_NOT_INITIALIZED')
  const next = how === 'end' ? sessions.end : sessions[how](one)
  await on
    .updateTable('connection')
    .set({ ...next, updatedAt: deps.clock.iso() })
    .where('id', '=', one.id)
    .execute()
  return async () => {
    if (next.status === 'OPENING') await deps.later(link, { connectionId: one.id }, { id: `link-${crypto.randomUUID()}`, delay: 300 })
  }
}

/** The other side answers: a session that still opens stands. */
export const link = job<Pick<Deps, 'db' | 'clock'>>()<{ connectionId: number }>('link', {
  attempts: 10,
  concurrency: 1,
  async run({ connectionId }, { db, clock }) {
    const opening = db.updateTable('connection').where('id', '=', connectionId).where('status', '=', 'OPENING')
    await opening.set({ status: 'CONNECTED', updatedAt: clock.iso() }).execute()
  },
})

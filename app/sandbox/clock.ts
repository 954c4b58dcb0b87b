import { refuse } from '#domain/errors.ts'
import type { sandboxClock } from '#domain/sandbox/contract.ts'
import type { House } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { advanceClock } from '../scheduler/clock.ts'

export const clockRoutes = ({ db, ears, clock, tell }: Pick<House, 'db' | 'ears' | 'clock' | 'tell'>): Handlers<typeof sandboxClock> => {
  const now = () => ({ now: clock.iso(), aheadMs: clock.ahead() })
  return {
    now: async () => now(),
    async advance({ body: { advanceMs }, commandId }) {
      const real = db.selectFrom('connection').select('id').where('provider', '!=', 'sandbox').limit(1)
      if (await real.executeTakeFirst()) refuse('ERR_REAL_CONNECTION') // whoever waits there waits by the clock on the wall
      const aheadMs = await advanceClock(db, ears, { byMs: advanceMs, commandId })
      for (const { id } of await db.selectFrom('company').select('id').execute())
        await tell(`company-${id}-clock`, { action: 'update', aheadMs })
      return now()
    },
  }
}

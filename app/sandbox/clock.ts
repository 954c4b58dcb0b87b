import { refuse } from '#domain/errors.ts'
import type { sandboxClock } from '#domain/sandbox/contract.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { advanceClock } from '../scheduler/clock.ts'

export const clockRoutes = ({
  db,
  notifications,
  clock,
  broadcast,
}: Pick<AppContext, 'db' | 'notifications' | 'clock' | 'broadcast'>): Handlers<typeof sandboxClock> => {
  const now = () => ({ now: clock.iso(), aheadMs: clock.offsetMs() })
  return {
    now: async () => now(),
    async advance({ body: { advanceMs }, commandId }) {
      const real = db.selectFrom('connection').select('id').where('provider', '!=', 'sandbox').limit(1)
      if (await real.executeTakeFirst()) refuse('ERR_REAL_CONNECTION') // customers on a real connection live in real time
      const aheadMs = await advanceClock(db, notifications, { byMs: advanceMs, commandId })
      for (const { id } of await db.selectFrom('company').select('id').execute())
        await broadcast(`company-${id}-clock`, { action: 'update', aheadMs })
      return now()
    },
  }
}

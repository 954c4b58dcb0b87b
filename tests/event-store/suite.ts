import { afterAll, beforeAll, describe, it as plain, type TestContext } from 'vitest'
import type { EventStore } from '#app/event-store/event-store.ts'
import { following } from '#tests/event-store/following.ts'
import type { EngineIt, Rig } from '#tests/event-store/rig.ts'
import { writing } from '#tests/event-store/writing.ts'

/** The contract of every event store engine. `rigOf` returns a reason if the engine cannot run here. */
export function contract(name: string, rigOf: () => Promise<Rig | string>) {
  describe(name, () => {
    let rig: Rig | string = 'not started'
    let log: EventStore
    const it: EngineIt = (says, check, needs = () => null) =>
      plain(says, async (context: TestContext) => {
        if (typeof rig === 'string') return context.skip(rig)
        const lacking = needs(rig)
        if (lacking) return context.skip(lacking)
        await check({ eventStore: log, rig })
      })
    beforeAll(async () => {
      rig = await rigOf()
      if (typeof rig === 'string') console.info(`skipped: ${name}: ${rig}`)
      else log = await rig.open()
    })
    afterAll(async () => {
      if (typeof rig === 'string') return
      await log.close()
      await rig.close()
    })

    writing(it)
    following(it)
  })
}

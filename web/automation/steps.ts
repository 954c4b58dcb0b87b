import { type AutomationStep, stepsEdge } from '#domain/automation/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

type Steps = Awaited<ReturnType<typeof api.automation.show>>
const behind = (known: AutomationStep[], fresh: Steps) => [...known.filter(({ revision }) => revision < fresh.from), ...fresh.steps]

type Ask = (query: { from?: number; before?: number }) => Promise<Steps>

/**
 * A ticket’s steps: the newest first load, then new ones; `earlier` loads older ones. `forget` clears the cache,
 * so the next mount loads again.
 */
export function stepsBy(ask: Ask) {
  let cached: Steps | null = null
  const stepsAtom = createRemoteAtom(async () => {
    const asked = cached && Math.max(cached.from, cached.to - stepsEdge)
    const fresh = await ask(asked === null ? {} : { from: asked })
    if (asked !== null && !cached) return fresh // the cache was cleared meanwhile
    const goesOn = cached && fresh.from === asked // otherwise more steps are new than one answer holds
    cached = goesOn && cached ? { ...fresh, from: cached.from, steps: behind(cached.steps, fresh) } : fresh
    return cached
  })
  async function earlier(): Promise<void> {
    for (let some = 0; cached && cached.from > 0 && some === 0; ) {
      const { from } = cached
      const before = await ask({ before: from })
      if (cached?.from !== from) return // the cache was cleared meanwhile, or begins at another step
      some = before.steps.length
      cached = { ...cached, from: before.from, steps: [...before.steps, ...cached.steps] }
    }
  }
  const forget = () => {
    cached = null
  }
  return Object.assign(stepsAtom, { earlier, forget })
}

export const stepsOf = createLruCache((id: number) => stepsBy((query) => api.automation.show({ params: { id }, query })), 8)

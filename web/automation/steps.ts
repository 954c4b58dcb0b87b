import { type AutomationStep, stepsEdge } from '#domain/automation/contract.ts'
import { api } from '#web/api.ts'
import { loaded } from '#web/ui/loaded.ts'
import { recent } from '#web/ui/recent.ts'

type Steps = Awaited<ReturnType<typeof api.automation.show>>
const behind = (known: AutomationStep[], fresh: Steps) => [...known.filter(({ revision }) => revision < fresh.from), ...fresh.steps]

type Ask = (query: { from?: number; before?: number }) => Promise<Steps>

/** A ticket’s steps: the newest at first, then what is new; `earlier` brings those before. `forget`: they are read anew when shown again. */
export function stepsBy(ask: Ask) {
  let held: Steps | null = null
  const shown = loaded(async () => {
    const asked = held && Math.max(held.from, held.to - stepsEdge)
    const fresh = await ask(asked === null ? {} : { from: asked })
    if (asked !== null && !held) return fresh // it was forgotten meanwhile
    const goesOn = held && fresh.from === asked // else more has happened than comes at once
    held = goesOn && held ? { ...fresh, from: held.from, steps: behind(held.steps, fresh) } : fresh
    return held
  })
  async function earlier(): Promise<void> {
    for (let some = 0; held && held.from > 0 && some === 0; ) {
      const { from } = held
      const before = await ask({ before: from })
      if (held?.from !== from) return // it was forgotten meanwhile, or begins elsewhere
      some = before.steps.length
      held = { ...held, from: before.from, steps: [...before.steps, ...held.steps] }
    }
  }
  const forget = () => {
    held = null
  }
  return Object.assign(shown, { earlier, forget })
}

export const stepsOf = recent((id: number) => stepsBy((query) => api.automation.show({ params: { id }, query })), 8)

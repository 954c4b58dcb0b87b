import type { BrowserContext, Route } from 'playwright-core'

/** Holds calls, or what else fits, back for so many milliseconds; `set` changes how long. The route stays: Chromium loses requests as one is taken away. */
export async function holdBack(context: BrowserContext, what: string | RegExp = '**/api/**'): Promise<{ set: (ms: number) => void }> {
  let ms = 0
  await context.route(what, async (route: Route) => {
    if (ms > 0) await new Promise((resume) => setTimeout(resume, ms))
    await route.continue().catch(() => undefined) // its page was left meanwhile
  })
  return {
    set: (to) => {
      ms = to
    },
  }
}

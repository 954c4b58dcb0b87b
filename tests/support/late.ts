import type { BrowserContext, Route } from 'playwright-core'

export type Late = {
  /** Delays each request by this time. */
  set: (ms: number) => void
  /** Also holds the requests until the returned function is called, however fast the machine is. */
  hold: () => () => void
}

/**
 * Delays the requests of a context. The route stays in place, because Chromium loses requests when a route is
 * removed.
 */
export async function holdBack(context: BrowserContext, what: string | RegExp = '**/api/**'): Promise<Late> {
  let ms = 0
  let held = Promise.resolve()
  await context.route(what, async (route: Route) => {
    const released = held
    if (ms > 0) await new Promise((resume) => setTimeout(resume, ms))
    await released
    await route.continue().catch(() => undefined) // the page was left meanwhile
  })
  return {
    set: (to) => {
      ms = to
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = Promise.resolve()
        resolve()
      }
    },
  }
}

import type { BrowserContext, Route } from 'playwright-core'

export type Late = {
  /** Delays each request by so many milliseconds. */
  set: (ms: number) => void
  /** Holds the requests as well until the returned function is called, however fast or slow the machine is. */
  hold: () => () => void
}

/** Delays the requests of a context. The route stays in place, because Chromium loses requests when a route is removed. */
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

import type { Tabs } from './outbox.ts'

const mine = crypto.randomUUID()
const nameOf = (tab: string) => `tab-${tab}`

/** The browser lets go of a lock when its page goes, however it goes. */
void navigator.locks.request(nameOf(mine), () => new Promise(() => {}))
export const tabs: Tabs = {
  mine,
  stands: async (tab) => (await navigator.locks.query()).held?.some(({ name }) => name === nameOf(tab)) ?? false,
  turn: (name, work) => navigator.locks.request(name, work),
}

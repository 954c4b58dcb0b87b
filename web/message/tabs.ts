import type { Tabs } from './outbox.ts'

const mine = crypto.randomUUID()
const nameOf = (tab: string) => `tab-${tab}`

/** The browser releases the lock whenever and however the page ends. */
void navigator.locks.request(nameOf(mine), () => new Promise(() => {}))
export const tabs: Tabs = {
  mine,
  stands: async (tab) => (await navigator.locks.query()).held?.some(({ name }) => name === nameOf(tab)) ?? false,
  turn: (name, work) => navigator.locks.request(name, work),
}

/// <reference types="vite-plugin-pwa/client" />
import { store } from '#web/session.ts'
import { updateAtom } from './atoms.ts'

const afterwards = 4000 // the first page comes first

/** Nobody's page is replaced under their hands: the new one is offered. */
export function watchForUpdates(): void {
  setTimeout(() => void watch().catch(() => {}), afterwards) // without a line there is nothing to watch for
}

async function watch(): Promise<void> {
  const { registerSW } = await import('virtual:pwa-register')
  const take = registerSW({ immediate: true, onNeedRefresh: () => store.set(updateAtom, { take: () => void take(true) }) })
}

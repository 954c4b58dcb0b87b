/// <reference types="vite-plugin-pwa/client" />
import { registerSW } from 'virtual:pwa-register'
import { store } from '#web/session.ts'
import { updateAtom } from './atoms.ts'

/** Nobody's page is replaced under their hands: the new one is offered. */
export function watchForUpdates(): void {
  const take = registerSW({ onNeedRefresh: () => store.set(updateAtom, { take: () => void take(true) }) })
}

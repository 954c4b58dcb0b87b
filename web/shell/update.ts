/// <reference types="vite-plugin-pwa/client" />

import { label } from '#domain/version/label.ts'
import { api } from '#web/api.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { store } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { updateAtom } from './atoms.ts'

const afterwards = 4000 // milliseconds; the first page loads before

/** Offers a new version instead of replacing the page of a working user. */
export function watchForUpdates(): void {
  setTimeout(() => void ignoreErrors(watch(), 'without a connection there is nothing to watch'), afterwards)
  live.onReconnect(() => void compare()) // the server may have been updated while it was down
}

async function watch(): Promise<void> {
  await compare()
  const { registerSW } = await import('virtual:pwa-register')
  const take = registerSW({ immediate: true, onNeedRefresh: () => store.set(updateAtom, { take: () => void take(true) }) })
}

/**
 * Stores the version of the server on this device. A failed request is only logged (R-AUTH-11). Pages of another
 * version are offered the new one.
 */
async function compare(): Promise<void> {
  try {
    const { version } = await api.version.show()
    localStorage.setItem('frontendVersion', version)
    if (version === label) return
    const worker = await navigator.serviceWorker?.getRegistration()
    if (worker) await ignoreErrors(worker.update(), 'the worker may offer the new pages itself')
    store.set(updateAtom, (now) => now ?? { take: () => location.reload() })
  } catch (error) {
    console.warn(error)
  }
}

/// <reference types="vite-plugin-pwa/client" />
import { label } from '#domain/version/label.ts'
import { api } from '#web/api.ts'
import { store } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { updateAtom } from './atoms.ts'

const afterwards = 4000 // the first page comes first

/** Nobody's page is replaced under their hands: the new one is offered. */
export function watchForUpdates(): void {
  setTimeout(() => void watch().catch(() => {}), afterwards) // without a line there is nothing to watch for
  live.onReconnect(() => void compare()) // a server that was away may have come back as another
}

async function watch(): Promise<void> {
  await compare()
  const { registerSW } = await import('virtual:pwa-register')
  const take = registerSW({ immediate: true, onNeedRefresh: () => store.set(updateAtom, { take: () => void take(true) }) })
}

/** What the server says it is stays on this device; that it cannot be asked is only logged (R-AUTH-11). Pages of another version are offered the new ones. */
async function compare(): Promise<void> {
  try {
    const { version } = await api.version.show()
    localStorage.setItem('frontendVersion', version)
    if (version === label) return
    const worker = await navigator.serviceWorker?.getRegistration()
    await worker?.update().catch(() => {}) // where it brings the new pages, those are what is offered
    store.set(updateAtom, (now) => now ?? { take: () => location.reload() })
  } catch (error) {
    console.warn(error)
  }
}

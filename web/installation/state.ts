import { atom } from 'jotai'
import type { Installation } from '#domain/installation/contract.ts'
import { api } from '#web/api.ts'

/** The role that ends tells nobody, so the state is read regularly. */
const everyMs = 20_000

const loaded = atom<Installation | null>(null)
loaded.onMount = (set) => {
  const load = () => void api.installation.show().then(set, () => undefined) // the bars report a lost connection already
  load()
  const timer = setInterval(load, everyMs)
  return () => clearInterval(timer)
}
/** The state of the server's processes, read while a view shows it; null until it is loaded. */
export const installationAtom = atom((get) => get(loaded))

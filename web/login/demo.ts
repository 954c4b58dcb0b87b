import { atom } from 'jotai'
import { base } from '#web/api.ts'

export type DemoSignIn = { email: string; name: string; role: string; password: string }

/** Only a demonstration server offers these; any other answers with none. */
export const demoAtom = atom<DemoSignIn[]>([])
demoAtom.onMount = (set) => {
  void fetch(`${base}/demo`)
    .then((response) => (response.ok ? (response.json() as Promise<unknown>) : []))
    .then((answer) => set(Array.isArray(answer) ? (answer as DemoSignIn[]) : []))
    .catch(() => {})
}

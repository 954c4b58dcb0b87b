import { atom } from 'jotai'
import { base } from '#web/api.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'

export type DemoSignIn = { email: string; name: string; role: string; password: string }

/** Only a demonstration server offers these; any other answers with none. */
export const demoAtom = atom<DemoSignIn[]>([])
demoAtom.onMount = (set) => {
  const load = async () => {
    const response = await fetch(`${base}/demo`)
    const answer: unknown = response.ok ? await response.json() : []
    set(Array.isArray(answer) ? (answer as DemoSignIn[]) : [])
  }
  void ignoreErrors(load(), 'without these the form is as usual')
}

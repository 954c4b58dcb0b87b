import { api } from '#web/api.ts'
import { loaded } from '#web/ui/remote-atom.ts'

export const parkedAtom = loaded(() => api.parked.list())

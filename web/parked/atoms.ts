import { api } from '#web/api.ts'
import { loaded } from '#web/ui/loaded.ts'

export const parkedAtom = loaded(() => api.parked.list())

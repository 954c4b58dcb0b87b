import { atom } from 'jotai'
import { defaults } from '#domain/setting/contract.ts'

/** The company's zone, in which everything is shown: what is drawn is drawn again in another (A-TZ-01). */
export const zoneAtom = atom(defaults.timeZone)

import { atom } from 'jotai'
import { defaults } from '#domain/setting/contract.ts'

/** The company's zone of all displayed times; a change renders them again (A-TZ-01). */
export const zoneAtom = atom(defaults.timeZone)

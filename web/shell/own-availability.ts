import { atom } from 'jotai'
import type { Availability } from '#domain/user/contract.ts'
import { expiredAtom, meAtom } from '#web/session.ts'
import { userChoices } from '#web/ticket/choices.ts'

/**
 * The signed-in user's availability as colleagues see it. `away` is known at once; the others come with the list of
 * users, which a company whose calls are refused does not load.
 */
export const ownAvailabilityAtom = atom((get): Availability => {
  const me = get(meAtom)
  if (me?.away) return 'away'
  if (!me || get(expiredAtom)) return 'available'
  return get(userChoices.all).find(({ id }) => id === me.id)?.availability ?? 'available'
})

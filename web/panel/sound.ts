import { useAtomValue } from 'jotai'
import { atomWithStorage } from 'jotai/utils'
import { useEffect, useRef } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { isQuietAtom, notificationSettingsAtom } from '#web/notification/atoms.ts'
import { tones } from '#web/notification/tones.ts'
import { limitsAtom } from '#web/ticket/list/Waited.tsx'
import { nowAtom } from '#web/ui/now.ts'
import { lateTickets } from './columns.ts'

/** Kept on this device, because a wall display and a desk want different things. */
export const panelSoundAtom = atomWithStorage('panelSound', false)

/** Plays a tone when one more ticket is late, if the sound is on, at the user's volume and outside the quiet hours. */
export function useSound(rows: TicketRow[]): void {
  const isOn = useAtomValue(panelSoundAtom)
  const isQuiet = useAtomValue(isQuietAtom)
  const { volume } = useAtomValue(notificationSettingsAtom)
  const now = useAtomValue(nowAtom)
  const limits = useAtomValue(limitsAtom)
  const known = useRef<Set<number> | null>(null)
  useEffect(() => {
    const late = lateTickets(rows, now, limits)
    const before = known.current
    known.current = late
    if (isOn && !isQuiet && before && [...late].some((id) => !before.has(id))) tones.play({ sound: 'late', volume })
  }, [rows, now, limits, isOn, isQuiet, volume])
}

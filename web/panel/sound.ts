import { useAtomValue } from 'jotai'
import { atomWithStorage } from 'jotai/utils'
import { useEffect, useRef } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { limitsAtom } from '#web/ticket/list/Waited.tsx'
import { nowAtom } from '#web/ui/now.ts'
import { lateTickets } from './columns.ts'

/** Kept on this device, because a wall display and a desk want different things. */
export const panelSoundAtom = atomWithStorage('panelSound', false)

/** Plays a short tone when one more ticket is late, if the sound is on. */
export function useSound(rows: TicketRow[]): void {
  const isOn = useAtomValue(panelSoundAtom)
  const now = useAtomValue(nowAtom)
  const limits = useAtomValue(limitsAtom)
  const known = useRef<Set<number> | null>(null)
  useEffect(() => {
    const late = lateTickets(rows, now, limits)
    const before = known.current
    known.current = late
    if (isOn && before && [...late].some((id) => !before.has(id))) playTone()
  }, [rows, now, limits, isOn])
}

function playTone(): void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const volume = context.createGain()
  volume.gain.value = 0.15
  tone.frequency.value = 660
  tone.connect(volume).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + 0.25)
  tone.onended = () => void context.close()
}

import { useAtom } from 'jotai'
import { useSearchParams } from 'wouter'
import { pickedAtom } from './atoms.ts'
import { addressOf, momentIn } from './steps.ts'

/** The shown moment, null while the screen is live; it is in the address, so that it can be shared. */
export function useMoment() {
  const [address, setAddress] = useSearchParams()
  const [picked, setPicked] = useAtom(pickedAtom)
  const write = (to: string | null) => {
    setAddress(
      (before) => {
        const after = new URLSearchParams(before)
        if (to === null) after.delete('at')
        else after.set('at', addressOf(to))
        return after
      },
      { replace: true },
    )
    setPicked(null)
  }
  const inAddress = momentIn(address)
  return {
    moment: inAddress === null ? null : (picked ?? inAddress),
    /** Shows a moment at once; the address follows when the slider rests. */
    pick: setPicked,
    picked,
    write,
    goLive: () => write(null),
  }
}

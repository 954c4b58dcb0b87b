import { useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useHeldFocus } from './heldFocus.ts'
import { toast, toastFailure } from './toaster.ts'

type Options = {
  /** Said when it went well. */
  done?: string
  /** True: this refusal was dealt with and is not said. */
  refused?: (refusal: ApiError) => boolean
}
/** What a click starts. Resolves to whether it went well; never rejects. */
export type AsyncAction = ((work: () => Promise<unknown>, options?: Options) => () => Promise<boolean>) & { pending: boolean }

/** Runs one piece of work at a time, says why it was refused, and knows while it is under way. */
export function useAsyncAction(): AsyncAction {
  const [pending, setPending] = useState(false)
  useHeldFocus(pending)
  const busy = useRef(false)
  const act =
    (work: () => Promise<unknown>, { done, refused }: Options = {}) =>
    async (): Promise<boolean> => {
      if (busy.current) return false
      busy.current = true
      setPending(true)
      try {
        await work()
        if (done) toast(done)
        return true
      } catch (error) {
        if (!(error instanceof ApiError && refused?.(error))) toastFailure(error)
        return false
      } finally {
        busy.current = false
        setPending(false)
      }
    }
  return Object.assign(act, { pending })
}

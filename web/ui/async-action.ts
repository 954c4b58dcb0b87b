import { useRef, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useHeldFocus } from './heldFocus.ts'
import { toast, toastFailure } from './toaster.ts'

type Options = {
  /** Text of the toast after success. */
  done?: string
  /** True: the caller handled this refusal, and no toast shows it. */
  refused?: (refusal: ApiError) => boolean
}
/** A click handler. Resolves to whether it succeeded; never rejects. */
export type AsyncAction = ((work: () => Promise<unknown>, options?: Options) => () => Promise<boolean>) & { pending: boolean }

/** Runs one task at a time, shows its refusal, and knows whether it is pending. */
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

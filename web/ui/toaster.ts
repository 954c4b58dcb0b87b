import type { Toaster } from '@blueprintjs/core'
import { Offline, Refused } from '#web/api.ts'
import { errorWords, failureWords } from '#web/errors.ts'
import { say } from '#web/i18n.ts'

let made: Promise<Toaster> | undefined
const toaster = () => (made ??= import('./toasts.ts').then(({ create }) => create()))

/** R-LAYOUT-10, and longer where there is more to read. */
const readingTime = (text: string, least: number) => Math.max(least, 1000 + text.length * 55)

export function toast(message: string, intent: 'success' | 'primary' | 'warning' | 'danger' = 'success'): void {
  const timeout = readingTime(message, intent === 'danger' ? 2000 : 3000)
  void toaster().then((shown) => shown.show({ message, intent, timeout }, message)) // the same text twice is one toast
}

/** Whatever went wrong, as a person may read it. */
export function failure(error: unknown): string {
  if (error instanceof Offline) return say(failureWords, 'offline')
  if (!(error instanceof Refused)) return say(errorWords, 'ERR_INTERNAL')
  if (error.code === 'ERR_INVALID_CREDENTIALS' && error.status === 429) return say(failureWords, 'tooManySignIns')
  if (error.code === 'ERR_NO_PERMISSION' && error.status === 401) return say(failureWords, 'companyOff')
  return error.code in errorWords ? say(errorWords, error.code) : say(errorWords, 'ERR_INTERNAL')
}

export function toastFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (!(error instanceof Refused || error instanceof Offline)) console.error(error)
  toast(failure(error), 'danger')
}

import { atom, getDefaultStore } from 'jotai'
import { ApiError, Offline } from '#web/api.ts'
import { errorWords, failureWords } from '#web/errors.ts'
import { translate, type Values } from '#web/i18n.ts'

export type Intent = 'success' | 'primary' | 'warning' | 'danger'
export type Toast = {
  key: string
  message: string
  intent: Intent
  /** An action such as undo. */
  action: { text: string; run: () => unknown } | null
  timeout: number
}
/** `timeout`: in milliseconds; by default the reading time. */
type More = { action?: Toast['action']; timeout?: number }

/** The newest is last; nobody reads more than three at once. */
const most = 3
export const toastsAtom = atom<Toast[]>([])
const store = getDefaultStore()

let drawn = false
const readingTime = (text: string) => Math.max(3000, 1000 + text.length * 55)

/**
 * Announces what is not visible otherwise. A repeated text replaces its toast. Returns a function that removes it.
 */
export function toast(message: string, intent: Intent = 'success', { action = null, timeout }: More = {}): () => void {
  const one = { key: crypto.randomUUID(), message, intent, action, timeout: timeout ?? readingTime(message) * (action ? 2 : 1) }
  store.set(toastsAtom, (now) => [...now.filter((other) => other.message !== message), one].slice(-most))
  if (!drawn) void import('./toasts.tsx').then(({ draw }) => draw())
  drawn = true
  return () => leave(one.key)
}
export const leave = (key: string): void => store.set(toastsAtom, (now) => now.filter((other) => other.key !== key))

/** Announces an action and offers to undo it for ten seconds; a second press does nothing. */
export function toastUndo(message: string, verb: string, undo: () => Promise<unknown>): void {
  let pressed = false
  const run = () => {
    if (pressed) return
    pressed = true
    undo().catch(toastFailure)
  }
  toast(message, 'success', { action: { text: verb, run }, timeout: 10_000 })
}

/** The text of any error for the user. */
export function failure(error: unknown): string {
  if (error instanceof Offline) return translate(failureWords, 'offline')
  if (!(error instanceof ApiError)) return translate(errorWords, 'ERR_INTERNAL')
  if (error.code === 'ERR_INVALID_CREDENTIALS' && error.status === 429) return translate(failureWords, 'tooManySignIns')
  if (error.code === 'ERR_NO_PERMISSION' && error.status === 401) return translate(failureWords, 'companyOff')
  if (error.code in errorWords) return translate(errorWords, error.code, error.detail as Values)
  const { message } = error.detail // a newer server knows more codes than this page (A-ERR-01)
  return typeof message === 'string' && message.trim() !== '' ? message : translate(errorWords, 'ERR_INTERNAL')
}

export function toastFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (error instanceof ApiError && error.code === 'ERR_SUBSCRIPTION_EXPIRED') return // the whole screen shows it
  if (!(error instanceof ApiError || error instanceof Offline)) console.error(error)
  toast(failure(error), 'danger')
}

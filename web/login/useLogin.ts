import { useAtomValue } from 'jotai'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Me } from '#domain/user/contract.ts'
import { ApiError, Offline } from '#web/api.ts'
import { language, translate, useWords } from '#web/i18n.ts'
import { daysLeft, endedAtom, signIn } from '#web/session.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { failure, toast } from '#web/ui/toaster.ts'
import { loginWords } from './words.ts'

type Draft = { email: string; password: string; remember: boolean }

/** The form of the login: its draft, what is missing or wrong, and the sign-in that leads to the address `wanted`. */
export function useLogin(wanted: string) {
  const t = useWords(loginWords)
  const [, go] = useLocation()
  const ended = useAtomValue(endedAtom)
  const [draft, setDraft] = useState<Draft>(() => ({
    email: (ended && sessionStorage.getItem('endedFor')) ?? '',
    password: '',
    remember: true,
  }))
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [missing, setMissing] = useState<'email' | 'password' | null>(null)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)

  const enter = async (as: Draft) => {
    setIsBusy(true)
    setProblem(null)
    try {
      const me = await signIn(as)
      go(wanted, { replace: true })
      welcome(me)
    } catch (error) {
      setProblem(failureOf(error, t))
      if (!(error instanceof Offline)) password.current?.select()
    }
    setIsBusy(false)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const lacks = draft.email.trim() === '' ? 'email' : draft.password === '' ? 'password' : null
    setMissing(lacks)
    if (lacks === null) return void enter(draft)
    setProblem(null)
    ;(lacks === 'email' ? email : password).current?.focus()
  }
  return { draft, setDraft, isBusy, problem, missing, email, password, enter, handleSubmit }
}

/**
 * Welcomes the user, and warns before and after the end of the company's subscription (R-AUTH-01, R-AUTH-02). In the
 * language of the account, which may differ from that of the sign-in page.
 */
function welcome(me: Me): void {
  const left = daysLeft(me)
  if (left !== null && left < 0)
    return void toast(translate(loginWords, 'expired', { date: calendarDay(me.company.dueDate!, language()) }), 'danger')
  toast(translate(loginWords, 'welcome', { name: me.name.split(' ')[0]! }))
  if (left === null || left >= 5) return
  toast(
    left < 2 ? translate(loginWords, left === 0 ? 'dueToday' : 'dueTomorrow') : translate(loginWords, 'dueSoon', { days: left }),
    'warning',
  )
}

function failureOf(error: unknown, t: ReturnType<typeof useWords<keyof typeof loginWords>>): string {
  if (!(error instanceof ApiError)) return failure(error)
  if (error.code === 'ERR_INVALID_CREDENTIALS' && error.status === 401) return t('wrong')
  const { retryAfter, dueDate: due } = error.detail
  if (error.code === 'ERR_INVALID_CREDENTIALS' && typeof retryAfter === 'number')
    return retryAfter > 90 ? t('pausedMinutes', { n: Math.ceil(retryAfter / 60) }) : t('pausedSeconds', { n: retryAfter })
  if (error.code === 'ERR_SUBSCRIPTION_EXPIRED' && typeof due === 'string') return t('expired', { date: calendarDay(due, language()) })
  return failure(error)
}

import { Button } from '@blueprintjs/core'
import { Calendar, Lock, Search } from '@blueprintjs/icons'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useLanguage, useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { refreshPayment, useMe } from '#web/session.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { Empty } from '#web/ui/states.tsx'
import { CallSupport } from './CallSupport.tsx'
import { askToSignOut } from './leaving.ts'
import { shellWords } from './words.ts'

function ToInbox() {
  const t = useWords(shellWords)
  const [, go] = useLocation()
  return <Button intent="primary" text={t('toInbox')} onClick={() => go('/tickets')} />
}

export function NoAccess() {
  const t = useWords(shellWords)
  return (
    <Empty heading="h1" icon={<Lock size={20} />} title={t('noAccess')} action={<ToInbox />}>
      {t('noAccessWhy')}
    </Empty>
  )
}

export function NotFound() {
  const t = useWords(shellWords)
  return (
    <Empty heading="h1" icon={<Search size={20} />} title={t('notFound')} action={<ToInbox />}>
      {t('notFoundWhy')}
    </Empty>
  )
}

const whenLooked = [
  [window, 'focus'],
  [document, 'visibilitychange'],
] as const
/** R-AUTH-02: the user is signed in, but every other call is refused until the invoice is paid. */
export function Expired() {
  const t = useWords(shellWords)
  const language = useLanguage()
  const { dueDate } = useMe().company
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void ignoreErrors(refreshPayment(), 'the next look tries again')
    for (const [at, name] of whenLooked) at.addEventListener(name, look)
    return () => {
      for (const [at, name] of whenLooked) at.removeEventListener(name, look)
    }
  }, [])
  return (
    <Empty
      heading="h1"
      icon={<Calendar size={20} />}
      title={t('expired', { date: dueDate === null ? '' : calendarDay(dueDate, language) })}
      action={
        <>
          <CallSupport />
          <Button text={t('signOut')} onClick={() => void askToSignOut()} />
        </>
      }
    >
      {t('expiredWhy')}
    </Empty>
  )
}

import { Button } from '@blueprintjs/core'
import { ChevronDown, Error as ErrorIcon, Geosearch, Menu as Lines, Refresh } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { BulkOperations } from '#web/bulk-operation/BulkOperations.tsx'
import { useLanguage, useWords } from '#web/i18n.ts'
import { NotificationButton } from '#web/notification/NotificationButton.tsx'
import { SoundButton } from '#web/notification/SoundButton.tsx'
import { daysLeft, expiredAtom, useMe } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { caps } from '#web/ui/keys.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { menuOpenAtom, paletteOpenAtom } from './atoms.ts'
import { LanguageMenu, ThemeSwitch } from './Choices.tsx'
import { type Failed, failedAtom } from './failed.ts'
import { ownAvailabilityAtom } from './own-availability.ts'
import css from './TopBar.module.css'
import { shellWords } from './words.ts'

const NotSentList = lazy(() => import('./NotSentList.tsx').then(({ NotSentList }) => ({ default: NotSentList })))

export function TopBar() {
  const t = useWords(shellWords)
  const setMenuOpen = useSetAtom(menuOpenAtom)
  const setPaletteOpen = useSetAtom(paletteOpenAtom)
  const expired = useAtomValue(expiredAtom)
  const isPhone = useAtomValue(phoneAtom)
  return (
    <header className={css.topbar} data-part="topbar">
      <Button className={css.lines!} variant="minimal" icon={<Lines />} aria-label={t('menu')} onClick={() => setMenuOpen(true)} />
      <span className={css.brand}>Guichê</span>
      <Greeting />
      {!expired && <NotSent />}
      {!expired && <BulkOperations />}
      {!expired && (
        <button type="button" className={css.find} title={t('find')} aria-keyshortcuts="Control+K" onClick={() => setPaletteOpen(true)}>
          <Geosearch size={14} />
          <span>{t('find')}</span>
          <kbd aria-hidden>{caps('mod+k').join(' ')}</kbd>
        </button>
      )}
      {!expired && (
        <>
          {!isPhone && (
            <Button variant="minimal" icon={<Refresh />} aria-label={t('refresh')} title={t('refresh')} onClick={live.refresh} />
          )}
          <SoundButton />
          <NotificationButton />
        </>
      )}
      <LanguageMenu />
      <ThemeSwitch />
      <AccountMenu />
    </header>
  )
}

/** Undelivered messages, shown on every screen: a button to the next one, and a list of all. */
function NotSent() {
  const t = useWords(shellWords)
  const { count, all } = useAtomValue(failedAtom)
  const [path, go] = useLocation()
  const [listed, setListed] = useState(false)
  const reached = all.filter(({ inSight }) => inSight)
  const next = reached.find(({ uuid }) => !path.endsWith(uuid!)) ?? reached[0]
  const text = t('unsent', { n: count })
  const handleLead = () => {
    if (!next) return setListed(true)
    go(`/tickets/${next.uuid}`)
    void import('./lead.ts').then(({ toFailed }) => toFailed(next))
  }
  return (
    <span role="status" className={css.unsent}>
      {count > 0 && (
        <>
          <Button
            size="small"
            variant="outlined"
            intent="danger"
            icon={<ErrorIcon />}
            text={text}
            aria-label={text}
            title={t(next ? 'unsentOpen' : 'failedList')}
            onClick={handleLead}
          />
          <Button
            size="small"
            variant="outlined"
            intent="danger"
            icon={<ChevronDown />}
            aria-label={t('failedList')}
            title={t('failedList')}
            onClick={() => setListed(true)}
          />
        </>
      )}
      {listed && (
        <Suspense>
          <NotSentList
            onClose={() => setListed(false)}
            onLead={(one: Failed) => void import('./lead.ts').then(({ toFailed }) => toFailed(one))}
          />
        </Suspense>
      )}
    </span>
  )
}

/** R-LAYOUT-04: admins also see the due date of the company. */
function Greeting() {
  const t = useWords(shellWords)
  const language = useLanguage()
  const me = useMe()
  const left = daysLeft(me)
  const { dueDate } = me.company
  const soon = left !== null && left >= 0 && left < 5
  const due = dueDate && (left === null || left >= 0) && t('due', { date: calendarDay(dueDate, language) })
  return (
    <p className={css.greeting}>
      <span className={css.hello}>{t('greeting', { name: me.name.split(' ')[0]!, company: me.company.name })}</span>
      {me.profile === 'admin' && due && <span className={`${css.due} nums`}>{due}</span>}
      {soon && (
        <span className={`${css.soon} nums`}>
          {left === 0 ? t('dueToday') : left === 1 ? t('dueTomorrow') : t('dueSoon', { days: left })}
        </span>
      )}
    </p>
  )
}

const spoken = { away: 'away', idle: 'idle', full: 'full', offline: 'unconnected' } as const
function AccountMenu() {
  const t = useWords(shellWords)
  const me = useMe()
  const availability = useAtomValue(ownAvailabilityAtom)
  return (
    <MenuButton
      menu={async () => (await import('./AccountMenu.tsx')).AccountMenu}
      button={
        <button
          type="button"
          className={css.me}
          aria-label={`${t('account')}: ${me.name}${availability === 'available' ? '' : ` (${t(spoken[availability])})`}`}
        >
          <Avatar name={me.name} picture={me.profileImage} size={28} presence={availability} />
        </button>
      }
    />
  )
}

import { Button } from '@blueprintjs/core'
import { ChevronDown, Error as ErrorIcon, Geosearch, Menu as Lines } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { Works } from '#web/bulk-operation/BulkOperations.tsx'
import { useLanguage, useWords } from '#web/i18n.ts'
import { daysLeft, expiredAtom, useMe } from '#web/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { caps } from '#web/ui/keys.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { menuOpenAtom, paletteOpenAtom } from './atoms.ts'
import { LanguageMenu, ThemeSwitch } from './Choices.tsx'
import { type Failed, failedAtom } from './failed.ts'
import css from './TopBar.module.css'
import { shellWords } from './words.ts'

const NotSentList = lazy(() => import('./NotSentList.tsx').then(({ NotSentList }) => ({ default: NotSentList })))

export function TopBar() {
  const say = useWords(shellWords)
  const openMenu = useSetAtom(menuOpenAtom)
  const openPalette = useSetAtom(paletteOpenAtom)
  const expired = useAtomValue(expiredAtom)
  return (
    <header className={css.topbar} data-part="topbar">
      <Button className={css.lines!} variant="minimal" icon={<Lines />} aria-label={say('menu')} onClick={() => openMenu(true)} />
      <span className={css.brand}>Guichê</span>
      <Greeting />
      {!expired && <NotSent />}
      {!expired && <Works />}
      {!expired && (
        <button type="button" className={css.find} title={say('find')} aria-keyshortcuts="Control+K" onClick={() => openPalette(true)}>
          <Geosearch size={14} />
          <span>{say('find')}</span>
          <kbd aria-hidden>{caps('mod+k').join(' ')}</kbd>
        </button>
      )}
      <LanguageMenu />
      <ThemeSwitch />
      <AccountMenu />
    </header>
  )
}

/** Messages that did not leave, wherever one is: leads to the next of them, and beside it to the list. */
function NotSent() {
  const say = useWords(shellWords)
  const { count, all } = useAtomValue(failedAtom)
  const [path, go] = useLocation()
  const [listed, list] = useState(false)
  const reached = all.filter(({ inSight }) => inSight)
  const next = reached.find(({ uuid }) => !path.endsWith(uuid!)) ?? reached[0]
  const text = say('unsent', { n: count })
  const lead = () => {
    if (!next) return list(true)
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
            title={say(next ? 'unsentOpen' : 'failedList')}
            onClick={lead}
          />
          <Button
            size="small"
            variant="outlined"
            intent="danger"
            icon={<ChevronDown />}
            aria-label={say('failedList')}
            title={say('failedList')}
            onClick={() => list(true)}
          />
        </>
      )}
      {listed && (
        <Suspense>
          <NotSentList
            onClose={() => list(false)}
            onLead={(one: Failed) => void import('./lead.ts').then(({ toFailed }) => toFailed(one))}
          />
        </Suspense>
      )}
    </span>
  )
}

/** R-LAYOUT-04: admins also see until when the company is paid for. */
function Greeting() {
  const say = useWords(shellWords)
  const language = useLanguage()
  const me = useMe()
  const left = daysLeft(me)
  const { dueDate } = me.company
  const soon = left !== null && left >= 0 && left < 5
  const due = dueDate && (left === null || left >= 0) && say('due', { date: calendarDay(dueDate, language) })
  return (
    <p className={css.greeting}>
      <span className={css.hello}>{say('greeting', { name: me.name.split(' ')[0]!, company: me.company.name })}</span>
      {me.profile === 'admin' && due && <span className={`${css.due} nums`}>{due}</span>}
      {soon && (
        <span className={`${css.soon} nums`}>
          {left === 0 ? say('dueToday') : left === 1 ? say('dueTomorrow') : say('dueSoon', { days: left })}
        </span>
      )}
    </p>
  )
}

function AccountMenu() {
  const say = useWords(shellWords)
  const me = useMe()
  return (
    <MenuButton
      menu={async () => (await import('./AccountMenu.tsx')).AccountMenu}
      button={
        <button type="button" className={css.me} aria-label={`${say('account')}: ${me.name}`}>
          <Avatar name={me.name} picture={me.profileImage} size={28} />
        </button>
      }
    />
  )
}

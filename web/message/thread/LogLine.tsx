import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronUp } from '@blueprintjs/icons'
import { type ReactNode, useState } from 'react'
import { minuteMs } from '#domain/duration/rules.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { language, money, type Translate, useWords } from '#web/i18n.ts'
import { logWords } from '#web/ticket/dialogs/words.ts'
import { dateAndHour } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './LogLine.module.css'
import { threadWords } from './words.ts'

const ways = { peek: 'accessPeek', print: 'accessPrint', export: 'accessExport', replay: 'accessReplay' } as const
const given = { bot: 'givenByBot', wallet: 'givenByWallet', random: 'givenByRandom', rotation: 'givenByRotation' } as const
const undone = { closed: 'undoneClosed', returned: 'undoneReturned', transferred: 'undoneTransferred' } as const

const minutesFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / minuteMs)

export function sentence(
  { type, user, queue, fromUser, undone: what, way, rule, nps, lane, amount, since, createdAt }: TicketLogRow,
  t: Translate<keyof typeof logWords>,
  /** Start of the turn of the agent who had the ticket before. */
  turnSince: string | null = null,
): string {
  const of = {
    user: user?.name ?? t('system'),
    queue: queue?.name ?? '—',
    nps: String(nps ?? ''),
    lane: lane?.name ?? '—',
    amount: money(amount ?? 0, language()),
  }
  if (type === 'transfered' && fromUser && fromUser.id !== user?.id) return t('transferedFrom', { ...of, from: fromUser.name })
  if (type === 'access' && way && way in ways) return t(ways[way as keyof typeof ways], of)
  if (type === 'queue' && way === 'rotation' && turnSince) return t('movedOn', { ...of, n: minutesFrom(turnSince, createdAt) })
  if (type === 'queue' && way && way in given) return t(given[way as keyof typeof given], of)
  if (type === 'undone' && what) return t(undone[what], of)
  if (type === 'receivedTransfer' && !user) return t('receivedByQueue', of)
  if (type === 'pending' && rule === 'A-ROT-01') return t('pendingNobody')
  if (type === 'closed' && way === 'connectionRemoved') return t('closedGone', of)
  if (type === 'closed' && way === 'ignored') return t('closedUnserved', of)
  if (type === 'closed' && !user) return t(rule?.startsWith('A-EXP') ? 'closedExpired' : 'closedBySystem')
  if (type === 'ratingAsked' && !user) return t('ratingAskedAgain')
  if (type === 'reopen' && rule) return t('reopenContact')
  if (type === 'lane' && (way === 'laneTime' || way === 'laneBack')) return t(way, of)
  if (type === 'missed') return t(type, { from: dateAndHour(since!, language()), to: dateAndHour(createdAt, language()) })
  if (type === 'amount' && amount === null) return t('amountTaken', of)
  return t(type, of)
}

/** An event of the ticket among the messages, centred and quiet. */
export function LogLine({ entry }: { entry: TicketLogRow }) {
  const t = useWords(logWords)
  return (
    <p className={css.line}>
      {sentence(entry, t)} {entry.type !== 'missed' && <Time at={entry.createdAt} as="hour" />}
      {entry.note && !entry.type.startsWith('consent') && <Note entry={entry} />}
    </p>
  )
}

/** Consecutive events: only the last one shows until the user opens the run. `count`: the number of the others. */
export function LogRun({ count, children }: { count: number; children: ReactNode[] }) {
  const t = useWords(threadWords)
  const [isOpen, setIsOpen] = useState(false)
  if (count === 0) return children
  return (
    <>
      <p className={css.line}>
        <Button
          size="small"
          variant="minimal"
          icon={isOpen ? <ChevronUp /> : <ChevronDown />}
          aria-expanded={isOpen}
          text={t(isOpen ? 'hideEvents' : 'showEvents', { n: count })}
          onClick={() => setIsOpen(!isOpen)}
        />
      </p>
      {isOpen ? children : children.at(-1)}
    </>
  )
}

/** The note of a handover, coloured as the notes of the composer. */
function Note({ entry: { note, fromUser, user } }: { entry: TicketLogRow }) {
  const author = fromUser ?? user
  return (
    <span className={css.note} data-part="handover-note">
      {author && <b>{author.name}</b>}
      <span dir="auto">{note}</span>
    </span>
  )
}

import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { language, money, type Say, useWords } from '#web/i18n.ts'
import { logWords } from '#web/ticket/dialogs/words.ts'
import { dateAndHour } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './LogLine.module.css'

const ways = { peek: 'accessPeek', print: 'accessPrint', export: 'accessExport', replay: 'accessReplay' } as const
const given = { bot: 'givenByBot', wallet: 'givenByWallet', random: 'givenByRandom', rotation: 'givenByRotation' } as const
const undone = { closed: 'undoneClosed', returned: 'undoneReturned', transferred: 'undoneTransferred' } as const

const minutesFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)

export function sentence(
  { type, user, queue, fromUser, undone: what, way, rule, nps, lane, amount, since, createdAt }: TicketLogRow,
  say: Say<keyof typeof logWords>,
  /** Since when it waited for whoever had the turn before. */
  turnSince: string | null = null,
): string {
  const of = {
    user: user?.name ?? say('system'),
    queue: queue?.name ?? '—',
    nps: String(nps ?? ''),
    lane: lane?.name ?? '—',
    amount: money(amount ?? 0, language()),
  }
  if (type === 'transfered' && fromUser && fromUser.id !== user?.id) return say('transferedFrom', { ...of, from: fromUser.name })
  if (type === 'access' && way && way in ways) return say(ways[way as keyof typeof ways], of)
  if (type === 'queue' && way === 'rotation' && turnSince) return say('movedOn', { ...of, n: minutesFrom(turnSince, createdAt) })
  if (type === 'queue' && way && way in given) return say(given[way as keyof typeof given], of)
  if (type === 'undone' && what) return say(undone[what], of)
  if (type === 'receivedTransfer' && !user) return say('receivedByQueue', of)
  if (type === 'pending' && rule === 'A-ROT-01') return say('pendingNobody')
  if (type === 'closed' && way === 'connectionRemoved') return say('closedGone', of)
  if (type === 'closed' && !user) return say(rule?.startsWith('A-EXP') ? 'closedExpired' : 'closedBySystem')
  if (type === 'ratingAsked' && !user) return say('ratingAskedAgain')
  if (type === 'reopen' && rule) return say('reopenContact')
  if (type === 'lane' && (way === 'laneTime' || way === 'laneBack')) return say(way, of)
  if (type === 'missed') return say(type, { from: dateAndHour(since!, language()), to: dateAndHour(createdAt, language()) })
  if (type === 'amount' && amount === null) return say('amountTaken', of)
  return say(type, of)
}

/** What happened to the ticket, among what was said: centred and quiet. */
export function LogLine({ entry }: { entry: TicketLogRow }) {
  const say = useWords(logWords)
  return (
    <p className={css.line}>
      {sentence(entry, say)} {entry.type !== 'missed' && <Time at={entry.createdAt} as="hour" />}
      {entry.note && !entry.type.startsWith('consent') && <q className={css.note}>{entry.note}</q>}
    </p>
  )
}

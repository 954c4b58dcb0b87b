import { useStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { Bubble } from '#web/message/bubble/Bubble.tsx'
import { messageWords } from '#web/message/words.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './Days.module.css'
import { type Day, foldLog, runs, type ThreadLine } from './grouping.ts'
import { LogLine, LogRun } from './LogLine.tsx'

type Place = { list: Collection<MessageRow>; still: boolean; since: number | null; ticket: TicketRow }

/** Number of revisions whose off-screen messages form one unit, about ten messages. */
const together = 24

/** One day with its sticky name. */
export function DayOf({ day, ...place }: Place & { day: Day }) {
  const store = useStore()
  const byStretch = runs(day.lines, (id) => {
    const row = store.get(place.list.row(id)) as MessageRow | null
    return `${row?.ticketId} ${Math.floor((row?.revision ?? 0) / together)}`
  })
  const parts = foldLog(byStretch)
  return (
    <section>
      <h3 className={css.dayName}>
        <span>
          <Time at={day.at} as="day" />
        </span>
      </h3>
      {parts.map(({ key, lines }) => {
        const first = lines.find(({ kind }) => kind === 'message')
        const content = lines.map((one) => <LineOf key={one.key} line={one} {...place} />)
        return first?.kind === 'message' ? (
          <div key={key} className={css.run} data-run data-first={first.first || undefined}>
            {content}
          </div>
        ) : (
          <LogRun key={key} count={lines.length - 1}>
            {content}
          </LogRun>
        )
      })}
    </section>
  )
}

function LineOf({ line, list, ...place }: Place & { line: ThreadLine }) {
  const t = useWords(messageWords)
  if (line.kind === 'message') return <Bubble row={list.row(line.id)} first={line.first} last={line.last} {...place} />
  if (line.kind === 'log') return <LogLine entry={line.entry} />
  if (line.kind === 'ticket')
    return (
      <p className={css.line}>
        <span>{t(line.ticketId === place.ticket.id ? 'thisTicket' : 'earlierTicket', { id: line.ticketId })}</span>
      </p>
    )
  return (
    <p className={`${css.line} ${css.unread}`} data-part="unread-line">
      <span>{line.count === 1 ? t('unreadOne') : t('unread', { n: line.count })}</span>
    </p>
  )
}

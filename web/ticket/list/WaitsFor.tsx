import { useAtomValue } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { AgentAvatar } from '#web/ticket/AgentAvatar.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { dayAndHour, dayOf, hour } from '#web/ui/moment.ts'
import { nowAtom } from '#web/ui/now.ts'
import css from './WaitsFor.module.css'

type Of = { ticket: TicketRow; user: NonNullable<TicketRow['user']>; className: string | undefined }
/** The agent of the ticket or the one it waits for, and until when if the turn passes to another agent. */
export function WaitsFor({ ticket, user, className }: Of) {
  const t = useWords(ticketWords)
  const language = useLanguage()
  const now = useAtomValue(nowAtom)
  const ends = ticket.status === 'pending' && ticket.turnEndsAt !== null && Date.parse(ticket.turnEndsAt) > now ? ticket.turnEndsAt : null
  const time = ends && (dayOf(ends) === dayOf(new Date(now)) ? hour : dayAndHour)(ends, language)
  const title = time ? t('waitsForUntil', { name: user.name, time }) : t('waitsFor', { name: user.name })
  return (
    <span className={`${css.who} ${className}`} data-part="card-agent" title={ticket.status === 'pending' ? title : user.name}>
      <AgentAvatar id={user.id} name={user.name} size={16} />
      <span className={css.name}>{user.name}</span>
      {time && <span className={`${css.until} nums`}>{t('until', { time })}</span>}
    </span>
  )
}

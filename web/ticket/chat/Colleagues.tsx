import { useStore } from 'jotai'
import { useEffect } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { announceWork, colleagueText, useColleagues } from '#web/ticket/colleagues.ts'
import { ticketWords } from '#web/ticket/words.ts'
import css from './Colleagues.module.css'

/** The colleagues who are in the ticket too, above the composer; and tells them that this user is (A-HERE-01). */
export function Colleagues({ ticket, isHere }: { ticket: TicketRow; isHere: boolean }) {
  const t = useWords(ticketWords)
  const store = useStore()
  const { id, uuid } = ticket
  const colleagues = useColleagues(id)
  useEffect(() => (isHere ? announceWork(store, { id, uuid }) : undefined), [store, isHere, id, uuid])
  if (colleagues.length === 0) return null
  return (
    <ul className={css.colleagues} data-part="colleagues">
      {colleagues.map((one) => (
        <li key={one.userId} data-doing={one.doing}>
          {colleagueText(t, one)}
        </li>
      ))}
    </ul>
  )
}

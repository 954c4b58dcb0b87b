import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { type TicketRow, tickets } from '#domain/ticket/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { change } from '#web/ticket/actions.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './Drawer.module.css'
import { typedAmount } from './typedAmount.ts'
import { contactWords } from './words.ts'

/** The potential value of the ticket, and its dates (A-TICKET-19). */
export function Deal({ ticket }: { ticket: TicketRow }) {
  const t = useWords(contactWords)
  const { openedAt, closedAt } = ticket
  return (
    <>
      <Amount key={ticket.id} ticket={ticket} />
      {(openedAt ?? closedAt) && (
        <dl className={css.facts}>
          {openedAt && <Moment label={t('openedAt')} at={openedAt} />}
          {closedAt && <Moment label={t('closedAt')} at={closedAt} />}
        </dl>
      )}
    </>
  )
}

const Moment = ({ label, at }: { label: string; at: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Time at={at} as="date" /> <Time at={at} as="clock" />
    </dd>
  </div>
)

/** Saved on blur or Enter; Escape restores the stored value. */
function Amount({ ticket }: { ticket: TicketRow }) {
  const t = useWords(contactWords)
  const language = useLanguage()
  const may = useMay(tickets.change)
  const act = useAsyncAction()
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const plain = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const typed = draft === null ? ticket.amount : typedAmount(draft)
  const [left, setLeft] = useState(false)
  const wrong = left && typed === undefined
  const save = act(async () => {
    setLeft(true)
    if (typed === undefined) return
    if (typed !== ticket.amount) await change(ticket, { amount: typed })
    setDraft(null)
  })
  return (
    <FormGroup
      label={t('amount')}
      labelFor={id}
      {...(wrong && { intent: 'danger' as const, helperText: <span role="alert">{t('badAmount')}</span> })}
    >
      <InputGroup
        id={id}
        inputMode="decimal"
        autoComplete="off"
        readOnly={!may}
        leftElement={<span className={css.currency}>R$</span>}
        value={draft ?? (ticket.amount === null ? '' : plain.format(ticket.amount))}
        aria-invalid={wrong}
        {...(wrong && { intent: 'danger' as const })}
        onValueChange={(text) => {
          setDraft(text)
          setLeft(false)
        }}
        onBlur={() => draft !== null && void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save()
          if (event.key !== 'Escape' || draft === null) return
          event.stopPropagation()
          setDraft(null)
        }}
      />
    </FormGroup>
  )
}

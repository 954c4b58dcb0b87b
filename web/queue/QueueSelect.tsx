import { FormGroup } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type ReactNode, type Ref, useId } from 'react'
import type { QueueRow } from '#domain/queue/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'

/** The queues that the viewer serves; an admin serves all. */
export function useServedQueues(): QueueRow[] {
  const { profile, queueIds } = useViewer()
  return useAtomValue(queueChoices.all).filter(({ id }) => profile === 'admin' || queueIds.includes(id))
}
/** The only queue, so that nobody must choose it; null if there are several. */
export const theOnly = (queues: readonly { id: number }[]): number | null => (queues.length === 1 ? queues[0]!.id : null)

type Of = {
  queues: readonly { id: number; name: string }[]
  value: number | null
  onChange: (id: number | null) => void
  label?: string
  hint?: ReactNode
  error?: string | undefined
  autoFocus?: boolean
  inputRef?: Ref<HTMLSelectElement>
}
/** Selects a queue; none is preselected. */
export function QueueSelect({ queues, value, onChange, label, hint, error, autoFocus = false, inputRef }: Of) {
  const t = useWords(ticketWords)
  const id = useId()
  const below = error ? <span role="alert">{error}</span> : hint
  return (
    <FormGroup label={label ?? t('queue')} labelFor={id} {...(error && { intent: 'danger' })} {...(below && { helperText: below })}>
      <HTMLSelect
        id={id}
        fill
        autoFocus={autoFocus}
        {...(inputRef && { ref: inputRef })}
        aria-invalid={error !== undefined}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : Number(currentTarget.value))}
      >
        <option value="">{t('chooseQueue')}</option>
        {queues.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </HTMLSelect>
    </FormGroup>
  )
}

import { Button, Checkbox, FormGroup, InputGroup } from '@blueprintjs/core'
import { Duplicate, Refresh } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { type ReactNode, useId } from 'react'
import { useController } from 'react-hook-form'
import { newToken } from '#domain/connection/rules.ts'
import { dayIn, endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { useWords } from '#web/i18n.ts'
import { GreetingOfOne } from '#web/setting/GreetingOfOne.tsx'
import { queueChoices } from '#web/ticket/choices.ts'
import { badEntryType } from '#web/ui/bad-entry.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { EntryInput } from '#web/ui/EntryInput.tsx'
import { type FieldLabel, namesIn, useLabel } from '#web/ui/fieldLabels.ts'
import { SwitchField } from '#web/ui/fields.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { link } from '#web/ui/link.ts'
import { nowAtom } from '#web/ui/now.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { zoneAtom } from '#web/ui/zone.ts'
import css from './Connections.module.css'
import { NoneChosen } from './NoQueues.tsx'
import { connectionWords } from './words.ts'

type Of = { name: string; label: string; hint?: ReactNode }

function useField({ name, label, hint }: Of, shown?: FieldLabel['shown']) {
  useLabel(name, label, shown)
  const { field, fieldState } = useController({ name })
  const id = useId()
  const error = fieldState.error?.message
  const below = error ? <span role="alert">{error}</span> : hint
  return {
    ...field,
    id,
    error,
    frame: { label, labelFor: id, ...(error && { intent: 'danger' as const }), ...(below && { helperText: below }) },
  }
}

/** A switch over the two strings that the published API uses for on and off. */
export const WordSwitchField = (of: Of) => <SwitchField {...of} on="enabled" off="disabled" />

/** A day or nothing. `kept` converts the day to the stored value. */
export function DayField({ format = (value) => value, kept = (day) => day, ...of }: Of & Kept) {
  const { value, onChange, onBlur, ref, id, error, frame } = useField(of)
  return (
    <FormGroup {...frame}>
      <EntryInput
        id={id}
        ref={ref}
        type="date"
        className={`bp6-input bp6-fill ${error ? 'bp6-intent-danger' : ''}`}
        value={badEntryType(value) ? value : value ? format(value) : ''}
        onEntry={(day) => onChange(badEntryType(day) ? day : day ? kept(day) : null)}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
      />
    </FormGroup>
  )
}
type Kept = { format?: (value: string) => string; kept?: (day: string) => string }

/** A day in the company's zone, stored as the time it begins, or ends if `end` is set. Today ends now. */
export function MomentField({ end = false, ...of }: Of & { end?: boolean }) {
  const zone = useAtomValue(zoneAtom)
  const now = useAtomValue(nowAtom)
  const last = (day: string) => (day === dayIn(zone, new Date(now)) ? new Date(now) : new Date(endOfDay(zone, day).getTime() - 1))
  const momentOf = (day: string) => (end ? last(day) : startOfDay(zone, day)).toISOString()
  return <DayField {...of} format={(moment) => dayIn(zone, new Date(moment))} kept={momentOf} />
}

/** A web address. On leaving the field, blanks are trimmed and a missing scheme is added. */
export function LinkField(of: Of) {
  const t = useWords(uiWords)
  const { value, onChange, onBlur, ref, id, error, frame } = useField(of)
  const put = () => value && link(value) !== value && onChange(link(value))
  return (
    <FormGroup {...frame} labelInfo={`(${t('optional')})`}>
      <InputGroup
        id={id}
        inputRef={ref}
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={value ?? ''}
        onValueChange={(text) => onChange(text === '' ? null : text)}
        onKeyDown={({ key }) => key === 'Enter' && put()}
        onBlur={() => {
          put()
          onBlur()
        }}
        aria-invalid={error !== undefined}
        {...(error && { intent: 'danger' as const })}
      />
    </FormGroup>
  )
}

/** Minutes, digits only. */
export function DigitsField(of: Of) {
  const { value, onChange, onBlur, ref, id, error, frame } = useField(of)
  return (
    <FormGroup {...frame}>
      <InputGroup
        id={id}
        inputRef={ref}
        inputMode="numeric"
        value={value ?? ''}
        onValueChange={(text) => onChange(text.trim())}
        onBlur={onBlur}
        {...(error && { intent: 'danger' as const })}
      />
    </FormGroup>
  )
}

export function WordsField({ choices, ...of }: Of & { choices: { value: string; label: string }[] }) {
  const named = choices.map(({ value, label }) => ({ id: value, name: label }))
  const { value, onChange, ref, id, frame } = useField(of, namesIn(named))
  return (
    <FormGroup {...frame}>
      <HTMLSelect id={id} ref={ref} fill value={value} options={choices} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </FormGroup>
  )
}

/** The queues that customers of the connection may choose from. */
export function QueuesField(of: Of) {
  const queues = useAtomValue(queueChoices.all)
  const { value, onChange, error } = useField(of, namesIn(queues))
  const chosen = value as number[]
  return (
    <fieldset className={css.queues}>
      <legend>{of.label}</legend>
      {queues.map(({ id, name, color }) => (
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          labelElement={<Chip name={name} color={color} />}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
      {error && <span role="alert">{error}</span>}
      {chosen.length === 0 && <NoneChosen />}
      {chosen.length === 1 && <GreetingOfOne queue={queues.find(({ id }) => id === chosen[0])} />}
    </fieldset>
  )
}

/** The key for other programs that send through this connection; it can be copied and renewed (R-CONN-11). */
export function TokenField(of: Of) {
  const t = useWords(connectionWords)
  const { value, onChange, ref, id, frame } = useField(of)
  const copy = async () => {
    await navigator.clipboard.writeText(value ?? '')
    toast(t('copied'))
  }
  return (
    <FormGroup {...frame}>
      <div className={css.token}>
        <InputGroup id={id} inputRef={ref} fill readOnly value={value ?? ''} />
        <Button icon={<Duplicate />} aria-label={t('copyToken')} title={t('copyToken')} disabled={!value} onClick={() => void copy()} />
        <Button icon={<Refresh />} aria-label={t('newToken')} title={t('newToken')} onClick={() => onChange(newToken())} />
      </div>
    </FormGroup>
  )
}

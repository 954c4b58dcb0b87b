import { Checkbox, FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { useController } from 'react-hook-form'
import type { Flag } from '#domain/access.ts'
import { published } from '#domain/user/rules.ts'
import { useWords } from '#web/i18n.ts'
import { type FieldLabel, namesIn, useLabel } from '#web/ui/fieldLabels.ts'
import { SwitchField } from '#web/ui/fields.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './fields.module.css'

type Of = { name: string; label: string; hint?: string }
function useNamed({ name, label }: Of, shown?: FieldLabel['shown']) {
  useLabel(name, label, shown)
  const { field, fieldState } = useController({ name })
  return { ...field, id: useId(), error: fieldState.error?.message }
}
const below = (error: string | undefined, hint?: string) =>
  error ? { intent: 'danger' as const, helperText: <span role="alert">{error}</span> } : hint ? { helperText: hint } : {}

/** One of a few options. */
export function OptionField({ options, ...of }: Of & { options: { value: string; label: string }[] }) {
  const named = options.map(({ value, label }) => ({ id: value, name: label }))
  const { id, error, value, onChange, onBlur, ref } = useNamed(of, namesIn(named))
  return (
    <FormGroup label={of.label} labelFor={id} {...below(error, of.hint)}>
      <HTMLSelect
        id={id}
        fill
        ref={ref}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
        options={options}
      />
    </FormGroup>
  )
}

/** A hidden secret. Browsers may fill it in only where it is the current password. */
export function SecretField({ current = false, optional = false, ...of }: Of & { current?: boolean; optional?: boolean }) {
  const tUi = useWords(uiWords)
  const { id, error, value, onChange, onBlur, ref } = useNamed(of)
  return (
    <FormGroup label={of.label} labelFor={id} {...(optional && { labelInfo: `(${tUi('optional')})` })} {...below(error, of.hint)}>
      <InputGroup
        id={id}
        inputRef={ref}
        type="password"
        autoComplete={current ? 'current-password' : 'new-password'}
        value={value ?? ''}
        onValueChange={onChange}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
      />
    </FormGroup>
  )
}

/** Several of a list, one checkbox each. */
export function ManyField({ choices, empty, ...of }: Of & ChoicesOf) {
  const { value, onChange } = useNamed(of, namesIn(choices, empty))
  return (
    <FormGroup label={of.label} {...below(undefined, of.hint)}>
      <Choices label={of.label} choices={choices} empty={empty} chosen={value ?? []} onChoose={onChange} />
    </FormGroup>
  )
}

/** All of a list (null), or several of it. `first`: what is chosen when it is no longer all. */
export function AllOrManyField({ choices, all, empty, first, ...of }: Of & ChoicesOf & { all: string; first: number[] }) {
  const inWords = namesIn(choices, empty)
  const { value, onChange, error } = useNamed(of, (value) => (value === null ? all : inWords(value)))
  return (
    <FormGroup label={of.label} {...below(error, of.hint)}>
      <Checkbox label={all} checked={value === null} onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : first)} />
      {value !== null && <Choices label={of.label} choices={choices} empty={empty} chosen={value ?? []} onChoose={onChange} />}
    </FormGroup>
  )
}

type ChoicesOf = { choices: { id: number; name: string; color: string }[]; empty: string }
function Choices({
  label,
  choices,
  empty,
  chosen,
  onChoose,
}: ChoicesOf & { label: string; chosen: number[]; onChoose: (ids: number[]) => void }) {
  return (
    <fieldset className={css.many} aria-label={label}>
      {choices.map(({ id, name, color }) => (
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          onChange={({ currentTarget }) =>
            onChoose(currentTarget.checked ? [...chosen, id].toSorted((a, b) => a - b) : chosen.filter((one) => one !== id))
          }
        >
          <i className={css.dot} style={{ background: color }} aria-hidden /> {name}
        </Checkbox>
      ))}
      {choices.length === 0 && <span className={css.none}>{empty}</span>}
    </fieldset>
  )
}

/** A permission, over the values of the published API. */
export function FlagField({ name, label, hint, disabled = false }: Of & { name: Flag; disabled?: boolean }) {
  const [on, off] = [published({ [name]: true })[name], published({})[name]]
  return <SwitchField {...{ name, label, hint, on, off, disabled }} />
}

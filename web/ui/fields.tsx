import { FormGroup, InputGroup, Switch, TextArea, type TextAreaProps } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useController } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import { palette, sixDigits } from './colour.ts'
import { EntryInput } from './EntryInput.tsx'
import { type FieldLabel, namesIn, useLabel } from './fieldLabels.ts'
import css from './fields.module.css'
import { HTMLSelect } from './HTMLSelect.tsx'
import { submitByEnter } from './submit-by-enter.ts'
import { uiWords } from './words.ts'

/** One field of a form: its name in the body and its label. `of` only carries the type of its values. */
export type FieldOf<V> = { name: string; label: string; hint?: ReactNode; optional?: boolean; of?: V }
export type Field<V> = (of: FieldOf<V>) => ReactNode

function Framed({
  id,
  label,
  hint,
  optional,
  error,
  children,
}: Omit<FieldOf<any>, 'name'> & { id: string; error: string | undefined; children: ReactNode }) {
  const t = useWords(uiWords)
  return (
    <FormGroup
      label={label}
      labelFor={id}
      {...(optional && { labelInfo: `(${t('optional')})` })}
      {...(error ? { intent: 'danger' as const, helperText: <span role="alert">{error}</span> } : hint ? { helperText: hint } : {})}
    >
      {children}
    </FormGroup>
  )
}

function useField(name: string, label: string, shown?: FieldLabel['shown']) {
  useLabel(name, label, shown)
  const { field, fieldState } = useController({ name })
  return { ...field, id: useId(), error: fieldState.error?.message }
}

export function TextField({
  name,
  type = 'text',
  autoFocus,
  placeholder,
  ...frame
}: FieldOf<string> & { type?: 'text' | 'email' | 'tel'; autoFocus?: boolean; placeholder?: string }) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
  return (
    <Framed {...frame} id={id} error={error}>
      <InputGroup
        id={id}
        inputRef={ref}
        type={type}
        value={value ?? ''}
        onValueChange={onChange}
        onBlur={onBlur}
        autoComplete="off"
        aria-invalid={error !== undefined}
        {...(error && { intent: 'danger' })}
        {...(autoFocus && { autoFocus })}
        {...(placeholder && { placeholder })}
      />
    </Framed>
  )
}

/** A date or a time of day. `step`: in seconds. */
export function EntryField({ name, type, step, ...frame }: FieldOf<string> & { type: 'date' | 'time'; step?: number }) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
  return (
    <Framed {...frame} id={id} error={error}>
      <EntryInput
        id={id}
        ref={ref}
        type={type}
        step={step}
        className={`bp6-input bp6-fill ${error ? 'bp6-intent-danger' : ''}`}
        value={value ?? ''}
        onEntry={onChange}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
      />
    </Framed>
  )
}

/** Creates a field for a longer text: its empty value, and its input component. Without a component of its own, Enter saves the form. */
export const areaField =
  (empty: '' | null, Area: (of: TextAreaProps & { value: string }) => ReactNode = (of) => <TextArea {...of} onKeyDown={submitByEnter} />) =>
  ({ name, autoFocus = false, ...frame }: FieldOf<any> & { autoFocus?: boolean }) => {
    const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
    return (
      <Framed {...frame} id={id} error={error}>
        <Area
          id={id}
          autoFocus={autoFocus}
          inputRef={ref}
          fill
          className={css.area!}
          rows={4}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? empty : target.value)}
          onBlur={onBlur}
          aria-invalid={error !== undefined}
          {...(error && { intent: 'danger' })}
        />
      </Framed>
    )
  }
export const AreaField = areaField('')
/** An empty text is stored as null. */
export const AreaOrNullField = areaField(null)

export function NumberOrNullField({ name, ...frame }: FieldOf<number | null>) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
  return (
    <Framed {...frame} id={id} error={error}>
      <InputGroup
        id={id}
        inputRef={ref}
        inputMode="numeric"
        value={value ?? ''}
        onValueChange={(text) => onChange(text.trim() === '' ? null : /^-?\d+$/.test(text.trim()) ? Number(text) : text)}
        onBlur={onBlur}
        {...(error && { intent: 'danger' })}
      />
    </Framed>
  )
}

/** Two short fields side by side, where there is room. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={css.pair}>{children}</div>

/** `on`, `off`: the stored values, if not true and false. */
type SwitchOf = FieldOf<boolean> & { on?: unknown; off?: unknown; disabled?: boolean }
export function SwitchField({ name, label, hint, on = true, off = false, disabled = false }: SwitchOf) {
  const t = useWords(uiWords)
  const { id, error, value, onChange, onBlur, ref } = useField(name, label, (value) => t(value === on ? 'yes' : 'no'))
  const below = error ?? hint
  return (
    <div className={css.switch}>
      <Switch
        inputRef={ref}
        label={label}
        checked={value === on}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? on : off)}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
        {...(below && { 'aria-describedby': id })}
      />
      {below && (
        <p id={id} className={css.hint} {...(error && { role: 'alert' })}>
          {below}
        </p>
      )}
    </div>
  )
}

/** Distinct preset colours, and a custom one. `none`: the name of no colour (null), if the field may have none. */
export function ColourField({ name, none, ...frame }: FieldOf<string | null> & { none?: string }) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
  const own = value !== null && !palette.includes(value)
  return (
    <Framed {...frame} id={id} error={error}>
      <div className={css.swatches} role="radiogroup" aria-label={frame.label}>
        {none !== undefined && (
          // biome-ignore lint/a11y/useSemanticElements: as the colours beside it
          <button
            type="button"
            role="radio"
            aria-checked={value === null}
            aria-label={none}
            title={none}
            className={`${css.swatch} ${css.noColour}`}
            onClick={() => onChange(null)}
          />
        )}
        {palette.map((colour) => (
          // biome-ignore lint/a11y/useSemanticElements: a round colour patch in a group with a custom colour
          <button
            key={colour}
            type="button"
            role="radio"
            aria-checked={value === colour}
            aria-label={colour}
            className={css.swatch}
            style={{ '--swatch': colour } as object}
            onClick={() => onChange(colour)}
          />
        ))}
        <label
          className={`${css.swatch} ${css.swatchOwn}`}
          data-chosen={own || undefined}
          style={{ '--swatch': value ?? 'transparent' } as object}
        >
          <input
            id={id}
            ref={ref}
            type="color"
            value={sixDigits(value ?? '#000000')}
            onChange={({ target }) => onChange(target.value)}
            onBlur={onBlur}
            aria-label={frame.label}
          />
        </label>
      </div>
    </Framed>
  )
}

/** One of a few texts, or none. A value that is not among them stays until another one is chosen. */
export function OptionField({ name, options, ...frame }: FieldOf<string> & { options: { value: string; label: string }[] }) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label)
  const isOther = value !== '' && !options.some((option) => option.value === value)
  return (
    <Framed {...frame} id={id} error={error}>
      <HTMLSelect id={id} fill ref={ref} value={value ?? ''} onChange={({ target }) => onChange(target.value)} onBlur={onBlur}>
        <option value="" />
        {isOther && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </HTMLSelect>
    </Framed>
  )
}

/** One of a few by number; null if it is optional. */
export function ChoiceField({
  name,
  choices,
  none,
  ...frame
}: FieldOf<number | null> & { choices: { id: number; name: string }[]; none?: string }) {
  const { id, error, value, onChange, onBlur, ref } = useField(name, frame.label, namesIn(choices, none))
  return (
    <Framed {...frame} id={id} error={error}>
      <HTMLSelect
        id={id}
        fill
        ref={ref}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        onBlur={onBlur}
      >
        {(none !== undefined || value === null) && <option value="">{none ?? ''}</option>}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </HTMLSelect>
    </Framed>
  )
}

import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import type { PixKey } from '#domain/interactive/rules.ts'
import { useWords } from '#web/i18n.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { interactiveWords } from './words.ts'

/** The type of the Pix key decides which keys are valid, so a checked key is checked again. */
export function KeyTypeField({ name, label, kinds }: { name: string; label: string; kinds: readonly PixKey[] }) {
  const t = useWords(interactiveWords)
  const id = useId()
  const { value, onChange, onBlur, ref } = useController({ name }).field
  const { trigger, getFieldState } = useFormContext()
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        id={id}
        fill
        ref={ref}
        value={value as PixKey}
        onBlur={onBlur}
        onChange={({ target }) => {
          onChange(target.value)
          if (getFieldState('sendKey').isTouched) void trigger('sendKey')
        }}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(kind)}
          </option>
        ))}
      </HTMLSelect>
    </FormGroup>
  )
}

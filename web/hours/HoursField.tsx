import { useController } from 'react-hook-form'
import type { Schedules } from '#domain/hours/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useLabel } from '#web/ui/fieldLabels.ts'
import css from './HoursEditor.module.css'
import { HoursEditor } from './HoursEditor.tsx'
import { hoursWords } from './words.ts'

/** Service hours as a form field. */
export function HoursField({ name = 'schedules', label }: { name?: string; label: string }) {
  useLabel(name, label)
  const t = useWords(hoursWords)
  const { field, fieldState } = useController({ name })
  return (
    <>
      <HoursEditor value={field.value as Schedules} onChange={field.onChange} />
      {fieldState.isDirty && (
        <p className={css.closed} role="status">
          {t('rememberToSave')}
        </p>
      )}
      {fieldState.error?.message && (
        <p className={css.problem} role="alert">
          {fieldState.error.message}
        </p>
      )}
    </>
  )
}

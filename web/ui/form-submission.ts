import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '#domain/errors.ts'
import { ApiError } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import type { FieldRules, Short } from './check.ts'
import { type Edited, type FieldMerger, useConflictingEdits } from './edit-conflict.ts'
import { failure } from './toaster.ts'
import { uiWords } from './words.ts'

/** R-SET-04: a form closes a moment after it was saved. */
const leaving = 400

export type FormOf<B extends TObject> = {
  title: string
  /** The body of the call, which validates the form. */
  body: B
  start: Static<B>
  verb?: string
  /** Error codes that are shown beside a field. */
  beside?: Partial<Record<ErrorCode, keyof Static<B> & string>>
  short?: Short
  rules?: FieldRules
  /** Text of a refusal that belongs to no field. */
  why?: (error: unknown) => string
  /** Text of a refusal beside the field that it names, by the violated rule or its code. */
  errorText?: (field: string, rule: string) => string | null
  /** Whether there is something to send; without it there always is. */
  ready?: (values: Static<B>) => boolean
  /** Fields that are easily chosen again, so they are discarded without a question. */
  light?: readonly (keyof Static<B> & string)[]
  /** Names of other changes outside the fields. */
  also?: readonly string[]
  /** For an edited row: its version, and how to reload it after a conflict. */
  edits?: Edited | undefined
  /** Merges two edits of a field by its parts. */
  mergers?: Partial<Record<keyof Static<B> & string, FieldMerger>>
  /** Why nothing can be saved any more; the text can still be copied. */
  gone?: string | undefined
  /**
   * Receives the values and the changed fields. Resolves to false if the call is done but the dialog must stay
   * open.
   */
  onSubmit: (body: Static<B>, change: Partial<Static<B>>) => Promise<unknown>
  onClose: () => void
  className?: string
  children: ReactNode
}

export type FormValues<B extends TObject> = Static<B> & FieldValues
/** The values as they are stored, and the version of the edited row. */
export type FormBase<B extends TObject> = { start: Static<B>; version: number | undefined }

/** Saves a form, and keeps why it could not be saved. `conflict`: the edits of another user that clash with those of the form. */
export function useFormSubmission<B extends TObject>(
  { body, edits, mergers = {}, beside = {}, why = failure, errorText, onSubmit, onClose }: FormOf<B>,
  form: UseFormReturn<FormValues<B>>,
  base: FormBase<B>,
  setBase: Dispatch<SetStateAction<FormBase<B>>>,
) {
  type V = FormValues<B>
  const [missing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false) // the form's own state is lost if it is hidden when the answer arrives
  const conflict = useConflictingEdits<B, V>({ form, body, edits, mergers, onBase: setBase, onSubmit })
  async function showFailure(error: unknown): Promise<void> {
    // the row itself is missing, not a row that it refers to
    if (edits && isMissing(error) && (await edits.reread().then(() => false, isMissing))) return setMissing(true)
    const name = error instanceof ApiError ? (beside[error.code] ?? fieldIn(error, body)) : undefined
    if (name) form.setError(name as Path<V>, { type: 'refused', message: fieldError(error as ApiError, errorText) }, { shouldFocus: true })
    else setProblem(why(error))
  }
  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    setSaving(true)
    await new Promise((left) => setTimeout(left, leaving))
    try {
      if ((await conflict.save(values as V, base)) !== false) onClose()
    } catch (error) {
      await showFailure(error)
    } finally {
      setSaving(false)
    }
  })
  return { saving, problem, conflict, isMissing: missing, submit }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
/** The field of the form that a refusal names. */
function fieldIn({ detail: { field } }: ApiError, { properties }: TObject): string | undefined {
  const path = typeof field === 'string' ? field.replaceAll('/', '.') : ''
  return Object.hasOwn(properties, path.split('.')[0]!) ? path : undefined
}
const fieldError = (error: ApiError, errorText: FormOf<TObject>['errorText']) => {
  const { field } = error.detail
  if (error.code !== 'ERR_INVALID_INPUT') return errorText?.(String(field), error.code) ?? failure(error)
  const { rule } = error.detail
  return errorText?.(String(field), String(rule)) ?? (rule === 'required' ? translate(uiWords, 'required') : failure(error))
}

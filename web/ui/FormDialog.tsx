import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useContext, useEffect, useEffectEvent, useId, useState } from 'react'
import { type DefaultValues, type FieldValues, FormProvider, type Path, useForm, useWatch } from 'react-hook-form'
import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '#domain/errors.ts'
import { ApiError } from '#web/api.ts'
import { translate, useWords } from '#web/i18n.ts'
import { changed } from './changed.ts'
import { check, type FieldRules, type Short } from './check.ts'
import { AccessLost } from './connection-lost.ts'
import { Dialog } from './Dialog.tsx'
import { Discard } from './Discard.tsx'
import { type Edited, type FieldMerger, useConflictingEdits } from './edit-conflict.ts'
import css from './FormDialog.module.css'
import { FieldLabels, StoredValues } from './fieldLabels.ts'
import { type PartialForm, partialFormOf, useFormRecovery, useRecoveredForm } from './form-recovery.ts'
import { useHeldFocus } from './heldFocus.ts'
import { Meanwhile } from './Meanwhile.tsx'
import { unpressed } from './press.ts'
import { useReturnFocus } from './returnFocus.ts'
import { failure, toast } from './toaster.ts'
import { useUnsaved } from './unsaved.ts'
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
  /** Values in words, for fields whose value is an id. */
  shown?: Partial<Record<keyof Static<B> & string, (value: any) => string>>
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

/**
 * A form in a dialog: labels above, errors beside their field on blur, first field focused. Nothing typed is lost
 * by accident.
 */
export function FormDialog<B extends TObject>({
  title,
  body,
  start,
  verb,
  beside = {},
  short,
  rules,
  why = failure,
  errorText,
  ready,
  light = [],
  also = [],
  edits,
  mergers = {},
  shown = {},
  gone: removed,
  onSubmit,
  onClose,
  className,
  children,
}: FormOf<B>) {
  type V = Static<B> & FieldValues
  const t = useWords(uiWords)
  const id = useId()
  const lost = useContext(AccessLost)
  const [missing, setMissing] = useState(false)
  const gone = removed ?? (missing ? t('wasRemoved') : lost ? t('accessLost') : undefined)
  useReturnFocus()
  const [problem, setProblem] = useState<string | null>(null)
  const { place, half } = useRecoveredForm<PartialForm>(title)
  const [base, setBase] = useState({ start: { ...start, ...half?.was } as Static<B>, version: half?.version ?? edits?.version })
  const [labels] = useState(() => new Map<string, string>())
  const form = useForm<V>({
    defaultValues: base.start as DefaultValues<V>,
    resolver: unpressed(check<V>(body, short ?? {}, rules ?? {}, edits ? (base.start as object) : null)),
    mode: 'onTouched',
  })
  const conflict = useConflictingEdits<B, V>({ form, body, edits, mergers, onBase: setBase, onSubmit })
  const { isDirty } = form.formState
  useFormRecovery(place, () => (isDirty ? partialFormOf(base, form.getValues()) : null))
  const takeUp = useEffectEvent(() => {
    if (!half) return
    for (const [name, value] of Object.entries(half.typed)) form.setValue(name as Path<V>, value, { shouldDirty: true })
    toast(t('typedIsBack'), 'primary')
  })
  useEffect(() => takeUp(), [])
  const [saving, setSaving] = useState(false) // the form's own state is lost if it is hidden when the answer arrives
  useHeldFocus(saving)
  const now = useWatch({ control: form.control, disabled: !ready && light.length === 0 }) as V
  const heavy = isDirty && (light.length === 0 || Object.keys(changed(base.start as object, now)).some((name) => !light.includes(name)))
  const unsaved = useUnsaved(heavy || also.length > 0, onClose, saving)
  const { asking, close } = unsaved
  const names = () =>
    [...Object.keys(changed(base.start as object, form.getValues())).map((name) => labels.get(name) ?? ''), ...also].filter(Boolean)
  const copy = async () => {
    await navigator.clipboard.writeText(typedIn(form.getValues()).join('\n'))
    toast(t('copied'))
  }
  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    setSaving(true)
    await new Promise((left) => setTimeout(left, leaving))
    try {
      if ((await conflict.save(values as V, base)) !== false) onClose()
    } catch (error) {
      // the row itself is missing, not a row that it refers to
      if (edits && isMissing(error) && (await edits.reread().then(() => false, isMissing))) return setMissing(true)
      const name = error instanceof ApiError ? (beside[error.code] ?? fieldIn(error, body)) : undefined
      if (name)
        form.setError(name as Path<V>, { type: 'refused', message: fieldError(error as ApiError, errorText) }, { shouldFocus: true })
      else setProblem(why(error))
    } finally {
      setSaving(false)
    }
  })
  return (
    <Dialog isOpen title={title} onClose={close} {...(className && { className })}>
      <FormProvider {...form}>
        <DialogBody>
          {conflict.theirs && !gone && (
            <Meanwhile
              {...conflict.theirs}
              shown={shown}
              labelOf={(name) => labels.get(name)}
              onTake={conflict.takeField}
              onTakePart={conflict.takePart}
            />
          )}
          <FieldLabels value={labels}>
            <StoredValues value={base.start as object}>
              <form id={id} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
                {children}
              </form>
            </StoredValues>
          </FieldLabels>
          {problem && !gone && (
            <p className={css.problem} role="alert">
              {problem}
            </p>
          )}
        </DialogBody>
        {asking ? (
          <Discard lost={names()} of={unsaved} />
        ) : (
          <DialogFooter
            actions={
              <>
                <Button text={t('cancel')} onClick={close} />
                {gone ? (
                  <Button intent="primary" text={t('copyTyped')} onClick={() => void copy()} />
                ) : (
                  <Button
                    type="submit"
                    form={id}
                    intent="primary"
                    text={verb ?? t('save')}
                    loading={saving}
                    disabled={ready ? !ready(now) : false}
                  />
                )}
              </>
            }
          >
            {gone && (
              <p className={css.problem} role="alert">
                {gone}
              </p>
            )}
          </DialogFooter>
        )}
      </FormProvider>
    </Dialog>
  )
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

/** The texts of a form, one field per line, without colours and switches. */
const typedIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.trim() === '' || /^#[0-9a-f]{3,8}$/i.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(typedIn) : []
}

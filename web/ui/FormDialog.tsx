import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useContext, useEffect, useEffectEvent, useId, useState } from 'react'
import { type DefaultValues, type FieldValues, FormProvider, type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import type { Static, TObject } from 'typebox'
import { useWords } from '#web/i18n.ts'
import { changed } from './changed.ts'
import { check } from './check.ts'
import { AccessLost } from './connection-lost.ts'
import { Dialog } from './Dialog.tsx'
import { Discard } from './Discard.tsx'
import css from './FormDialog.module.css'
import { type FieldLabel, FieldLabels, StoredValues } from './fieldLabels.ts'
import { type PartialForm, partialFormOf, useFormRecovery, useRecoveredForm } from './form-recovery.ts'
import { type FormBase, type FormOf, type FormValues, useFormSubmission } from './form-submission.ts'
import { useHeldFocus } from './heldFocus.ts'
import { Meanwhile } from './Meanwhile.tsx'
import { unpressed } from './press.ts'
import { useReturnFocus } from './returnFocus.ts'
import { toast } from './toaster.ts'
import { useUnsaved } from './unsaved.ts'
import { uiWords } from './words.ts'

/**
 * A form in a dialog: labels above, errors beside their field on blur, first field focused. Nothing typed is lost
 * by accident.
 */
export function FormDialog<B extends TObject>(of: FormOf<B>) {
  const { title, body, start, short, rules, ready, light = [], also = [], edits, onClose, className, children } = of
  type V = FormValues<B>
  const t = useWords(uiWords)
  const id = useId()
  useReturnFocus()
  const { place, half } = useRecoveredForm<PartialForm>(title)
  const [base, setBase] = useState<FormBase<B>>({
    start: { ...start, ...half?.was } as Static<B>,
    version: half?.version ?? edits?.version,
  })
  const [labels] = useState(() => new Map<string, FieldLabel>())
  const form = useForm<V>({
    defaultValues: base.start as DefaultValues<V>,
    resolver: unpressed(check<V>(body, short ?? {}, rules ?? {}, edits ? (base.start as object) : null)),
    mode: 'onTouched',
  })
  const { isDirty } = form.formState
  useFormRecovery(place, () => (isDirty ? partialFormOf(base, form.getValues()) : null))
  useRestoredInput(half, form)
  const { saving, problem, conflict, isMissing, submit } = useFormSubmission(of, form, base, setBase)
  useHeldFocus(saving)
  const gone = useGoneText(of.gone, isMissing)
  const now = useWatch({ control: form.control, disabled: !ready && light.length === 0 }) as V
  const heavy = isDirty && (light.length === 0 || Object.keys(changed(base.start as object, now)).some((name) => !light.includes(name)))
  const names = () =>
    [...Object.keys(changed(base.start as object, form.getValues())).map((name) => labels.get(name)?.label ?? ''), ...also].filter(Boolean)
  const unsaved = useUnsaved(heavy || also.length > 0, onClose, names, saving)
  return (
    <Dialog isOpen title={title} onClose={unsaved.close} {...(className && { className })}>
      <FormProvider {...form}>
        <DialogBody>
          {conflict.theirs && !gone && (
            <Meanwhile
              {...conflict.theirs}
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
          {problem && !gone && <Problem text={problem} />}
        </DialogBody>
        {unsaved.asking ? (
          <Discard of={unsaved} />
        ) : (
          <Footer gone={gone} values={() => form.getValues()} onCancel={unsaved.close}>
            <Button
              type="submit"
              form={id}
              intent="primary"
              text={of.verb ?? t('save')}
              loading={saving}
              disabled={ready ? !ready(now) : false}
            />
          </Footer>
        )}
      </FormProvider>
    </Dialog>
  )
}

/** Puts what was typed before the session ended into the form. */
function useRestoredInput<V extends FieldValues>(half: PartialForm | null, form: UseFormReturn<V>): void {
  const t = useWords(uiWords)
  const restore = useEffectEvent(() => {
    if (!half) return
    for (const [name, value] of Object.entries(half.typed)) form.setValue(name as Path<V>, value, { shouldDirty: true })
    toast(t('typedIsBack'), 'primary')
  })
  useEffect(() => restore(), [])
}

/** Why nothing can be saved any more. */
function useGoneText(removed: string | undefined, isMissing: boolean): string | undefined {
  const t = useWords(uiWords)
  const lost = useContext(AccessLost)
  return removed ?? (isMissing ? t('wasRemoved') : lost ? t('accessLost') : undefined)
}

const Problem = ({ text }: { text: string }) => (
  <p className={css.problem} role="alert">
    {text}
  </p>
)

type FooterProps = { gone: string | undefined; values: () => unknown; onCancel: () => void; children: ReactNode }
/** Cancel and save. A form that cannot be saved offers to copy its texts instead. */
function Footer({ gone, values, onCancel, children }: FooterProps) {
  const t = useWords(uiWords)
  const copy = async () => {
    await navigator.clipboard.writeText(typedIn(values()).join('\n'))
    toast(t('copied'))
  }
  return (
    <DialogFooter
      actions={
        <>
          <Button text={t('cancel')} onClick={onCancel} />
          {gone ? <Button intent="primary" text={t('copyTyped')} onClick={() => void copy()} /> : children}
        </>
      }
    >
      {gone && <Problem text={gone} />}
    </DialogFooter>
  )
}

/** The texts of a form, one field per line, without colours and switches. */
const typedIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.trim() === '' || /^#[0-9a-f]{3,8}$/i.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(typedIn) : []
}

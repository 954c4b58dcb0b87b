import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ApiError } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from './async-action.ts'
import { Dialog } from './Dialog.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { uiWords } from './words.ts'

/** A confirmation dialog. The question names its object; the verb names the action. */
export function Confirm(of: {
  title: string
  question: ReactNode
  verb: string
  intent?: 'danger' | 'primary'
  /** The numbers in the question are still loading. */
  waits?: boolean
  /** There is nothing to do. */
  off?: boolean
  onConfirm: () => Promise<unknown>
  /** True: the caller handled this refusal, and the dialog stays open. */
  refused?: (refusal: ApiError) => boolean
  onClose: () => void
}) {
  const t = useWords(uiWords)
  const act = useAsyncAction()
  useReturnFocus()
  const confirm = async () => {
    if (await act(of.onConfirm, of.refused && { refused: of.refused })()) of.onClose()
  }
  return (
    <Dialog isOpen title={of.title} onClose={of.onClose} size="small" role="alertdialog">
      <DialogBody>{of.question}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('cancel')} onClick={of.onClose} />
            <Button
              autoFocus
              intent={of.intent ?? 'danger'}
              text={of.verb}
              loading={act.pending || (of.waits ?? false)}
              disabled={of.off ?? false}
              onClick={() => void confirm()}
            />
          </>
        }
      />
    </Dialog>
  )
}

import { Button, DialogBody, DialogFooter, Tab, Tabs } from '@blueprintjs/core'
import { useId } from 'react'
import { FormProvider } from 'react-hook-form'
import { leavesAs } from '#domain/channel/rules.ts'
import { kinds } from '#domain/interactive/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import type { DialogProps } from '#web/ticket/dialogs/dialog.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { StoredValues } from '#web/ui/fieldLabels.ts'
import { useHeldFocus } from '#web/ui/heldFocus.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { uiWords } from '#web/ui/words.ts'
import { Fields } from './Fields.tsx'
import css from './InteractiveDialog.module.css'
import { useInteractiveForm, useInteractiveSend } from './interactive-form.ts'
import { type Kind, seen } from './kinds.ts'
import { Leaves } from './Leaves.tsx'
import { useWay } from './way.ts'
import { interactiveWords } from './words.ts'

/** An interactive message of each kind with its preview. */
export function InteractiveDialog({ of: { ticket }, onClose }: DialogProps<'interactive'>) {
  const t = useWords(interactiveWords)
  const tMessage = useWords(messageWords)
  const tUi = useWords(uiWords)
  const id = useId()
  const { kind, setKind, form, typed } = useInteractiveForm(ticket.id)
  const { submit, sending, problem, forgetProblem, isOvertaken } = useInteractiveSend({ ticket, kind, form, onClose })
  useHeldFocus(sending)
  const show = (next: Kind) => {
    setKind(next)
    forgetProblem()
    form.clearErrors()
  }
  const panel = (
    <>
      <p className={css.lead}>{t(`${kind}Lead`)}</p>
      <div className={css.sides}>
        <form id={`${id}-form`} noValidate onSubmit={(event) => void form.handleSubmit((body) => submit({ ...body }))(event)}>
          <Fields kind={kind} />
        </form>
        <Preview ticket={ticket} of={seen(kind, typed)} image={kind === 'url' ? typed.image : null} />
      </div>
    </>
  )
  return (
    <Dialog isOpen size="wide" title={`${tMessage('interactive')} · ${ticket.contact.name}`} onClose={onClose}>
      <DialogBody>
        <FormProvider {...form}>
          <StoredValues value={{}}>
            <Tabs id={id} renderActiveTabPanelOnly selectedTabId={kind} onChange={(next) => show(next as Kind)}>
              {kinds.map((one) => (
                <Tab key={one} id={one} disabled={false} title={t(one)} panel={one === kind ? panel : <div />} />
              ))}
            </Tabs>
          </StoredValues>
        </FormProvider>
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              type="submit"
              form={`${id}-form`}
              intent="primary"
              text={tMessage(isOvertaken ? 'sendAnyway' : 'send')}
              loading={sending}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** The message as the contact will see it, and why it looks different on this channel. */
function Preview({ ticket, of, image }: { ticket: TicketRow; of: ReturnType<typeof seen>; image: File | null }) {
  const t = useWords(interactiveWords)
  const way = useWay(ticket)
  const as = leavesAs(of, way)
  const noticeKey =
    as === 'words' ? (way.group ? 'wordsGroup' : way.enabled ? 'wordsChannel' : 'wordsSet') : as === 'both' ? 'wordsToo' : null
  const picture = useObjectUrl(image)
  return (
    <section className={css.preview} aria-label={t('preview')} data-part="preview">
      <p className={css.caption}>{t('preview')}</p>
      <div className={css.bubble}>
        {picture && <img src={picture} alt={t('picture')} />}
        <Leaves of={of} as={as} />
      </div>
      {noticeKey && <p className={css.why}>{t(noticeKey)}</p>}
    </section>
  )
}

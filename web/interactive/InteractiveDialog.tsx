import { Button, DialogBody, DialogFooter, Tab, Tabs } from '@blueprintjs/core'
import { useSetAtom } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { isStored } from '#domain/answers.ts'
import { leavesAs } from '#domain/channel/rules.ts'
import { kinds } from '#domain/interactive/rules.ts'
import { ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { endAtom, threadOf } from '#web/message/atoms.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import type { DialogProps } from '#web/ticket/dialogs/dialog.ts'
import { refusalOver } from '#web/ticket/dialogs/refusal.ts'
import { check } from '#web/ui/check.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import formDialog from '#web/ui/FormDialog.module.css'
import { StoredValues } from '#web/ui/fieldLabels.ts'
import { useHeldFocus } from '#web/ui/heldFocus.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { unpressed } from '#web/ui/press.ts'
import { uiWords } from '#web/ui/words.ts'
import { drop, keep, kept } from './draft.ts'
import { Fields } from './Fields.tsx'
import css from './InteractiveDialog.module.css'
import { bodies, bodyFor, fieldRulesOf, type Kind, seen, type Typed } from './kinds.ts'
import { Leaves } from './Leaves.tsx'
import { useWay } from './way.ts'
import { interactiveWords } from './words.ts'

type Written = Typed & { image: File | null }
/** An interactive message of each kind with its preview. Unsent input stays in this tab (R-MSG-09). */
export function InteractiveDialog({ of: { ticket }, onClose }: DialogProps<'interactive'>) {
  const t = useWords(interactiveWords)
  const tMessage = useWords(messageWords)
  const tUi = useWords(uiWords)
  const id = useId()
  const setEnd = useSetAtom(endAtom)
  const [draft] = useState(() => kept(ticket.id))
  const [kind, setKind] = useState<Kind>(draft.kind)
  const [problem, setProblem] = useState<string | null>(null)
  const [overtaken, setOvertaken] = useState(false)
  const [sending, setSending] = useState(false)
  useHeldFocus(sending)
  /** The command id stays the same while the text does, so a retry after a lost answer sends nothing twice. */
  const command = useRef({ words: '', id: '' })
  const resolver = unpressed<Written>((typed, context, options) =>
    check<Written>(bodies[kind], {}, fieldRulesOf(kind, typed))(bodyFor(kind, typed) as Written, context, options),
  )
  const form = useForm<Written>({ defaultValues: { ...draft.typed, image: null }, resolver, mode: 'onTouched' })
  const typed = useWatch({ control: form.control }) as Written
  useEffect(() => keep(ticket.id, { kind, typed }), [ticket.id, kind, typed])
  const way = useWay(ticket)
  const preview = seen(kind, typed)
  const as = leavesAs(preview, way)
  const noticeKey =
    as === 'words' ? (way.group ? 'wordsGroup' : way.enabled ? 'wordsChannel' : 'wordsSet') : as === 'both' ? 'wordsToo' : null
  const picture = useObjectUrl(kind === 'url' ? typed.image : null)

  const show = (next: Kind) => {
    setKind(next)
    setProblem(null)
    form.clearErrors()
  }
  async function submit(body: Record<string, unknown>): Promise<void> {
    const { image } = form.getValues()
    const words = JSON.stringify([kind, body, image?.name, image?.size])
    if (command.current.words !== words) command.current = { words, id: crypto.randomUUID() }
    const params = { id: ticket.id, ticketId: ticket.id }
    const how = {
      commandId: command.current.id,
      ...(kind === 'url' && image && { files: [{ field: 'image', file: image }] }),
    }
    setSending(true)
    setProblem(null)
    try {
      const asked = { params, body: { ...body, ...(overtaken ? { anyway: true } : { seen: ticket.revision }) } as never }
      const answer = await api.interactive[kind](asked, how)
      if (!isStored(answer))
        store.set(
          threadOf(ticket.id).apply,
          answer.messages.map((row) => ({ op: 'put' as const, row })),
        )
      drop(ticket.id)
      setEnd({ ticketId: ticket.id })
      onClose()
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null
      setOvertaken(code === 'ERR_TICKET_CHANGED')
      if (code === 'ERR_TICKET_CHANGED') setProblem(t('changed'))
      else setProblem(code === null || code === 'ERR_INTERNAL' ? t('failed') : refusalOver(error))
      if (code === 'ERR_TICKET_CHANGED') void store.set(threadOf(ticket.id).reload)
    } finally {
      setSending(false)
    }
  }

  const panel = (
    <>
      <p className={css.lead}>{t(`${kind}Lead`)}</p>
      <div className={css.sides}>
        <form id={`${id}-form`} noValidate onSubmit={(event) => void form.handleSubmit((body) => submit({ ...body }))(event)}>
          <Fields kind={kind} />
        </form>
        <section className={css.preview} aria-label={t('preview')} data-part="preview">
          <p className={css.caption}>{t('preview')}</p>
          <div className={css.bubble}>
            {picture && <img src={picture} alt={t('picture')} />}
            <Leaves of={preview} as={as} />
          </div>
          {noticeKey && <p className={css.why}>{t(noticeKey)}</p>}
        </section>
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
        {problem && (
          <p className={formDialog.problem} role="alert">
            {problem}
          </p>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button
              type="submit"
              form={`${id}-form`}
              intent="primary"
              text={tMessage(overtaken ? 'sendAnyway' : 'send')}
              loading={sending}
            />
          </>
        }
      />
    </Dialog>
  )
}

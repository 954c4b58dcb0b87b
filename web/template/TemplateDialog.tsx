import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtom, useSetAtom } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import type { Template } from '#domain/template/contract.ts'
import { begins, takes } from '#domain/template/rules.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { endAtom } from '#web/message/atoms.ts'
import type { DialogProps } from '#web/ticket/dialogs/dialog.ts'
import { refusalOver } from '#web/ticket/dialogs/refusal.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { useCommandId } from '#web/ui/command-id.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { blank, keyOf, templateDraftOf } from './drafts.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { TemplateList } from './TemplateList.tsx'
import { templateWords } from './words.ts'

type Known = { templates: Template[]; at: string }

/** Selects a template, fills its fields and sends it as previewed. */
export function TemplateDialog({ of: { ticket }, onClose }: DialogProps<'template'>) {
  const t = useWords(templateWords)
  const tUi = useWords(uiWords)
  const { known, error, load } = useTemplates(ticket.id)
  const [draft, setDraft] = useAtom(templateDraftOf(ticket.id))
  const [checked, setChecked] = useState(false)
  const chosen = known?.templates.find((one) => keyOf(one) === draft.chosen) ?? null
  const key = chosen ? keyOf(chosen) : ''
  const values = chosen ? chosen.fields.map((_, i) => draft.values[key]?.[i] ?? '') : []
  const file = draft.files[key] ?? null
  const handleChange = useCallback(
    (one: File | null) => setDraft((now) => ({ ...now, files: { ...now.files, [key]: one } })),
    [setDraft, key],
  )
  const { send, sending, problem } = useTemplateSend(ticket.id, onClose)
  const handleSend = () => {
    if (!chosen) return
    setChecked(true)
    if (begins(chosen) && !file) return document.querySelector<HTMLElement>('[data-part=template-file] input')?.focus()
    if (!values.every(takes)) return document.querySelector<HTMLElement>('[data-part=template-field] [aria-invalid=true]')?.focus()
    void send(chosen, values, file)
  }
  return (
    <Dialog isOpen title={t('title', { name: ticket.contact.name })} onClose={onClose} size="wide">
      <DialogBody>
        {error !== null && !known && <ErrorView error={error} onRetry={() => load(false)} />}
        {error === null && !known && <Skeleton rows={5} height={44} />}
        {known && !chosen && (
          <TemplateList
            {...known}
            failed={error}
            refresh={() => load(true)}
            onChoose={(one) => {
              setChecked(false)
              setDraft({ ...draft, chosen: keyOf(one) })
            }}
          />
        )}
        {chosen && (
          <TemplateFields
            template={chosen}
            key={key}
            values={values}
            file={file}
            checked={checked}
            onFile={handleChange}
            onChange={(i, value) => setDraft({ ...draft, values: { ...draft.values, [key]: values.with(i, value) } })}
          />
        )}
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {chosen && <Button text={t('back')} onClick={() => setDraft({ ...draft, chosen: null })} />}
            <Button text={tUi('cancel')} onClick={onClose} />
            <Button intent="primary" text={t('send')} disabled={!chosen} loading={sending} onClick={handleSend} />
          </>
        }
      />
    </Dialog>
  )
}

function useTemplates(ticketId: number) {
  const [known, setKnown] = useState<Known | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(
    (fresh: boolean) =>
      api.templates.list({ params: { ticketId }, query: fresh ? { fresh } : {} }).then(
        (found) => {
          setKnown(found)
          setError(null)
        },
        (fault: unknown) => setError(fault),
      ),
    [ticketId],
  )
  useEffect(() => void load(false), [load])
  return { known, error, load }
}

/** Sends a template, and keeps why it was refused. */
function useTemplateSend(ticketId: number, onClose: () => void) {
  const t = useWords(templateWords)
  const act = useAsyncAction()
  const setEnd = useSetAtom(endAtom)
  const setDraft = useSetAtom(templateDraftOf(ticketId))
  const [problem, setProblem] = useState<string | null>(null)
  const commandOf = useCommandId()
  const refused = (error: unknown) => {
    setProblem(refusalOver(error))
    return true
  }
  function send(chosen: Template, values: string[], file: File | null): Promise<boolean> {
    const template = { name: chosen.name, language: chosen.language, values }
    const commandId = commandOf(JSON.stringify([template, file?.name, file?.size]))
    const how = { commandId, ...(begins(chosen) && file && { files: [{ field: 'file', file }] }) }
    setProblem(null)
    const work = async () => {
      await api.templates.send({ params: { ticketId }, body: { template } }, how)
      setDraft(blank)
      setEnd({ ticketId })
      toast(t('sent'))
      onClose()
    }
    return act(work, { refused })()
  }
  return { send, sending: act.pending, problem }
}

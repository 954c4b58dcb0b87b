import { useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { isStored } from '#domain/answers.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { endAtom, threadOf } from '#web/message/atoms.ts'
import { store } from '#web/session.ts'
import { refusalOver } from '#web/ticket/dialogs/refusal.ts'
import { check } from '#web/ui/check.ts'
import { useCommandId } from '#web/ui/command-id.ts'
import { unpressed } from '#web/ui/press.ts'
import { drop, keep, kept } from './draft.ts'
import { bodies, bodyFor, fieldRulesOf, type Kind, type Typed } from './kinds.ts'
import { interactiveWords } from './words.ts'

type Written = Typed & { image: File | null }
type Form = UseFormReturn<Written>

/** The form of an interactive message. Unsent input stays in this tab (R-MSG-09). */
export function useInteractiveForm(ticketId: number) {
  const [draft] = useState(() => kept(ticketId))
  const [kind, setKind] = useState<Kind>(draft.kind)
  const resolver = unpressed<Written>((typed, context, options) =>
    check<Written>(bodies[kind], {}, fieldRulesOf(kind, typed))(bodyFor(kind, typed) as Written, context, options),
  )
  const form = useForm<Written>({ defaultValues: { ...draft.typed, image: null }, resolver, mode: 'onTouched' })
  const typed = useWatch({ control: form.control }) as Written
  useEffect(() => keep(ticketId, { kind, typed }), [ticketId, kind, typed])
  return { kind, setKind, form, typed }
}

/** Sends an interactive message, and keeps why it was refused. `isOvertaken`: the ticket has changed since it was shown. */
export function useInteractiveSend({ ticket, kind, form, onClose }: { ticket: TicketRow; kind: Kind; form: Form; onClose: () => void }) {
  const t = useWords(interactiveWords)
  const setEnd = useSetAtom(endAtom)
  const [problem, setProblem] = useState<string | null>(null)
  const [isOvertaken, setIsOvertaken] = useState(false)
  const [sending, setSending] = useState(false)
  const commandOf = useCommandId()
  async function send(body: Record<string, unknown>): Promise<void> {
    const { image } = form.getValues()
    const params = { id: ticket.id, ticketId: ticket.id }
    const how = {
      commandId: commandOf(JSON.stringify([kind, body, image?.name, image?.size])),
      ...(kind === 'url' && image && { files: [{ field: 'image', file: image }] }),
    }
    const asked = { params, body: { ...body, ...(isOvertaken ? { anyway: true } : { seen: ticket.revision }) } as never }
    const answer = await api.interactive[kind](asked, how)
    if (!isStored(answer))
      store.set(
        threadOf(ticket.id).apply,
        answer.messages.map((row) => ({ op: 'put' as const, row })),
      )
    drop(ticket.id)
    setEnd({ ticketId: ticket.id })
    onClose()
  }
  async function submit(body: Record<string, unknown>): Promise<void> {
    setSending(true)
    setProblem(null)
    try {
      await send(body)
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null
      setIsOvertaken(code === 'ERR_TICKET_CHANGED')
      if (code === 'ERR_TICKET_CHANGED') setProblem(t('changed'))
      else setProblem(code === null || code === 'ERR_INTERNAL' ? t('failed') : refusalOver(error))
      if (code === 'ERR_TICKET_CHANGED') void store.set(threadOf(ticket.id).reload)
    } finally {
      setSending(false)
    }
  }
  return { submit, sending, problem, forgetProblem: () => setProblem(null), isOvertaken }
}

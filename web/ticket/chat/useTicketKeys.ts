import { useSetAtom } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { allowed, type TicketActions } from '#web/ticket/actions.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { useKeys } from '#web/ui/keys.ts'
import { ticketKeys } from './keys.ts'

const focusComposer = () => document.querySelector<HTMLElement>('[data-part=composer] textarea')?.focus()

/** The shortcut keys of the open ticket, for the actions that the agent may take. */
export function useTicketKeys(ticket: TicketRow, actions: TicketActions): void {
  const t = useWords(ticketWords)
  const may = allowed(ticket, useViewer())
  const setDialog = useSetAtom(dialogAtom)
  useKeys(t('ticket'), [
    ...(may.accept || may.reopen
      ? [{ keys: ticketKeys.accept, label: t(may.accept ? 'accept' : 'reopen'), run: actions.acceptByKey }]
      : []),
    ...(may.write ? [{ keys: ticketKeys.write, label: t('write'), run: focusComposer }] : []),
    ...(may.transfer ? [{ keys: ticketKeys.transfer, label: t('transfer'), run: () => setDialog({ kind: 'transfer', ticket }) }] : []),
    ...(may.giveBack ? [{ keys: ticketKeys.giveBack, label: t('giveBack'), run: actions.giveBack }] : []),
    ...(may.resolve ? [{ keys: ticketKeys.resolve, label: t('resolve'), run: () => actions.resolve(true) }] : []),
    { keys: ticketKeys.notes, label: t('notes'), run: () => setDialog({ kind: 'notes', ticket }) },
    { keys: ticketKeys.print, label: t('print'), run: () => setDialog({ kind: 'print', ticket }) },
  ])
}

import { useSetAtom, useStore } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { Collection } from '#web/live.ts'
import { ownChanges } from '#web/message/own.ts'
import { useViewer } from '#web/session.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { now } from '#web/ui/now.ts'

/**
 * Returns the function that opens the user's last message or note in the dialog to edit it. Its result is false if
 * there is none that may still be edited.
 */
export function useEditLast(ticket: TicketRow, list: Collection<MessageRow>): (isPrivate: boolean) => boolean {
  const store = useStore()
  const viewer = useViewer()
  const setDialog = useSetAtom(dialogAtom)
  return (isPrivate) => {
    const rows = store.get(list.ids).map((id) => store.get(list.row(id)))
    const message = rows.findLast((row) => row?.fromMe && row.user?.id === viewer.id && row.isPrivate === isPrivate && !row.isDeleted)
    if (!message || message.ticketId !== ticket.id) return false
    const { edits, young } = ownChanges(message, ticket, viewer, now())
    if (!edits || !young) return false
    setDialog({ kind: 'edit', ticket, message })
    return true
  }
}
